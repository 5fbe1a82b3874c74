"""What finite size does to the risks of dklps23/conditional-equivalence, and the bound that they keep."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from giantstep.problems import Target


def share_moved(point: Any) -> float:
    """(0.12 + (0.4 + 0.4 min(1, p/n))/(1 + 1000 ridge)) d^(-1/2). As measured: larger near interpolation."""
    interpolation = 1 / (1 + point.ridge / 1e-3)
    crowded = min(1.0, point.neurons / point.samples)
    return float((0.012 + interpolation * (0.04 + 0.04 * crowded)) * (100 / point.d) ** 0.5)


def excess_moved(point: Any, excess: float) -> float:
    """0.88 |excess| d^(-1/2) and 0.4 times that of a risk. Both risks are moved alike: 5 % of the excess is seen at d =
    120, up to 7 % near interpolation."""
    return float(0.88 * abs(excess) / point.d**0.5 + 0.4 * share_moved(point))


@lru_cache(maxsize=128)
def fitted_bound(target: Target) -> float:
    """The bound on the risk after one step with n, p ~ d."""
    return next((float(r.bound) for r in target.analyze().regimes if (r.samples, r.neurons) == (1, 1)), 0.0)
