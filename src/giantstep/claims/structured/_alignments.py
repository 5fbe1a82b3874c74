"""How well a first gradient points along the spike: quantities and views, with the strengths of half alignment."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from giantstep.claims import Allowance, Quantity, quantity, view
from giantstep.theory.structured import alignment_exponent, half_aligned

if TYPE_CHECKING:
    from giantstep.claims.structured.network_threshold import NetworkThreshold
    from giantstep.theory.structured import Which

KINDS: dict[str, Which] = {"theta_half": "euclidean", "whitened_half": "whitened"}
HERMITE = ("He2(x1)/sqrt(2)", "He3(x1)/sqrt(6)", "He4(x1)/sqrt(24)")


def _alignment(name: str, help: str, symbol: str) -> Quantity:
    return quantity.equal(
        name,
        lambda point, predicted: 0.3 / math.sqrt(point.d),
        "few samples have very large labels, and a neuron sees them or not: 0.03 at d = 64, 0.02 at d = 128",
        help=help,
        symbol=symbol,
        against="finite",
        limit=lambda point, predicted: 0.8 / math.sqrt(point.d),  # sums of few labels are mostly below their mean
        when=lambda point: point.measured,
    )


ALIGNMENTS = (
    _alignment("alignment", "squared cosine of gradient and spike, mean over neurons", r"\cos^2(g, \mu)"),
    _alignment("whitened_alignment", "squared correlation of <x, g> with the target's variable", r"\omega^2"),
    quantity.equal(
        "whitened_of_noise",
        lambda point, predicted: 1.5 / point.d,
        "the length of the noise across the spike fluctuates by 1/sqrt(d), its square enters",
        help="the same for labels that are pure noise",
        symbol=r"\omega^2",
        when=lambda point: point.measured,
    ),
)


def _half(name: str, help: str, symbol: str, limit: str) -> tuple[Quantity, ...]:
    which = KINDS[name]
    return (
        quantity.equal(
            name,
            Allowance(0.1, of="prediction"),
            "labels have heavy tails, which few samples miss: gaps measured are up to 7 % at d = 64",
            help=f"strength at which the {help} is one half",
            symbol=symbol,
            when=lambda point: point.halving and point.simulated,
        ),
        quantity.slope(
            name,
            "d",
            lambda point: half_slope(point, which),
            0.05,
            "at the smallest d the strength itself is off by a few per cent",
            help="its exponent between d and 8 d, of which the limit is still far",
            when=lambda point: point.halving and point.simulated,
        ),
        quantity.reported(f"{name}_exponent", help=f"slope of log theta of half {help} in log d, in the equations"),
        quantity.reported(f"{name}_limit", help="the same for d to infinity", symbol=limit),
    )


HALVES = (
    *_half("theta_half", "alignment", r"\theta_{1/2}", "1 - 1/k"),
    *_half("whitened_half", "whitened alignment", r"\theta^w_{1/2}", r"\min((k-1)/(k+1), 1/2)"),
)


def _exponent_view(name: str, title: str) -> view.Curve:
    return view.Curve(
        "d", (10**10, 10**12), (f"{name}_exponent",), by="target", by_values=HERMITE, bounds=(f"{name}_limit",),
        seeds=2, log_x=True, title=title, at={"target": "He2(x1)"},
    )  # fmt: skip


HALF_VIEWS = (
    view.Curve(
        "d", (48, 96, 192, 384), ("theta_half", "whitened_half"), together=True, log_x=True, log_y=True, seeds=64,
        at={"target": HERMITE[0], "halving": True, "samples_per_dim": 8.0, "neurons": 64},
        title="k = 2: strengths of half alignment",
    ),
    _exponent_view("theta_half", "exponent of half alignment, from the equations"),
    _exponent_view("whitened_half", "of half whitened alignment, from the equations"),
)  # fmt: skip


def half(point: NetworkThreshold, d: int, which: Which) -> float:
    """theta of half alignment in the equations; half of the samples give the step."""
    return half_aligned(point.target, d, point.samples_per_dim * d / 2, which)


def half_slope(point: NetworkThreshold, which: Which) -> float:
    """Its least-squares slope over d, 2 d, 4 d and 8 d; elsewhere than in a search its limit."""
    if not point.halving:
        return alignment_exponent(point.exponent, which)
    sizes = point.d * np.array([1, 2, 4, 8])
    return float(np.polyfit(np.log(sizes), np.log([half(point, int(d), which) for d in sizes]), 1)[0])


def predicted_halves(point: NetworkThreshold) -> dict[str, float]:
    """Strengths of half alignment where they are simulated, beyond their slopes between d and 10 d; k = 1 has none."""
    found: dict[str, float] = {}
    for name, which in KINDS.items():
        found[f"{name}_limit"] = alignment_exponent(point.exponent, which)
        if point.exponent > 1:
            here = half(point, point.d, which)
            if point.simulated:
                found[name] = here
            else:
                found[f"{name}_exponent"] = math.log10(half(point, 10 * point.d, which) / here)
    return found
