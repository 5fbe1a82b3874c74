"""A number with its standard error, and how both are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array

GROUPS = 10  # of rows, each left out once


class Estimate(NamedTuple):
    """A `value` and its standard `error`.

    >>> print(Estimate(0.1234, 0.02)), Estimate(0.1234, 0.02).percent
    0.123 ± 0.020
    (None, '12.3 % ± 2.0 %')
    """

    value: float
    error: float

    def __str__(self) -> str:
        digits = _digits(self.error)
        return f"{_rounded(self.value, digits)} ± {self.error:.{digits}f}"

    @property
    def percent(self) -> str:
        """The same as shares of a hundred."""
        digits = max(0, _digits(self.error) - 2)
        return f"{_rounded(100 * self.value, digits)} % ± {100 * self.error:.{digits}f} %"


def _rounded(value: float, digits: int) -> str:
    """The number with so many decimals; what rounds to 0 has no sign."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def _digits(error: float) -> int:
    """Decimals that show two digits of the error, three at most."""
    return 3 if error <= 0 else int(np.clip(1 - np.floor(np.log10(error)), 0, 3))


def jackknife(n: int, statistic: Callable[[NDArray[np.intp]], float], generator: np.random.Generator) -> Estimate:
    """A statistic of all rows, with the standard error from leaving out a tenth of them at a time.

        error^2 = (G - 1)/G sum_g (s_(g) - mean s)^2,   s_(g) without group g   (Quenouille, Tukey)

    Args:
        n: the number of rows.
        statistic: of the rows with these numbers.
        generator: deals the rows into groups.
    """
    everything = np.arange(n)
    group = generator.permutation(n) % GROUPS
    parts = np.array([statistic(everything[group != g]) for g in range(GROUPS)])
    error = np.sqrt((GROUPS - 1) / GROUPS * np.sum((parts - parts.mean()) ** 2))
    return Estimate(float(statistic(everything)), float(error))


def permutation_p(observed: float, null: Array) -> float:
    """(1 + #{null >= observed})/(1 + B): never 0, and valid for any statistic whose permuted values are exchangeable.

    Args:
        observed: the statistic of the labels as they are.
        null: the statistic of B permuted labels.
    """
    return float((1 + np.count_nonzero(null >= observed * (1 - 1e-12))) / (1 + null.size))
