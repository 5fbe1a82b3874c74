"""The compute-optimal front of one-pass SGD on random features: the best number of features for a compute f.

f = d B t: each of B t samples costs d multiplications. From the resolvents of `feature_law`, for 2 a > 1 and
1 << t << d^2a, up to constants (derived; the exponents are those of [pxpp24]):

    P ~ t^-(1 + (2b - 1)/(2a))        modes of the target that were not learned yet
      + d^-1 t^-(1 - 1/(2a))  (2b > 1)   what the strong modes spill over the weak ones, since features mix them
      + t^-(2 - 1/(2a))                the noise of SGD, from the tail of its kernel g^2 B sum l_j^2 (1 - y(l_j))^t
      + d^-(2a + min(0, 2b - 1))       what features cannot express

The least P at a given f is where the term that grows with d meets the one that falls:

    phase   where            what meets         risk on the front                  best d
    I       b < 1/2          modes, floor       f^-((2a + 2b - 1)/(2a + 1))         f^(1/(2a + 1))
    II      1/2 < b < a      modes, spill       f^-((2a + 2b - 1)/(2a + 2b))        f^(b/(a + b))
    III     b > a            noise, spill       f^-((4a - 1)/(4a))                  f^(1/2)

For 2 a <= 1 the variances do not sum up: the step must shrink with v, other terms meet, and nothing is said here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.checks import require
from giantstep.errors import InputError
from giantstep.theory.dynamics.scaling.feature_law import FeatureLaw

FEWEST = 8.0
"""Features at least of a typical draw."""


@dataclass(frozen=True)
class FrontPhase:
    """Exponents of the front.

    Args:
        name: I, II or III.
        risk: the least risk falls like f to minus this.
        size: the best number of features grows like f to this.
    """

    name: str
    risk: float
    size: float


def front_phase(input_exponent: float, target_exponent: float) -> FrontPhase:
    """The phase of a and b, with its exponents; refused where 2 a <= 1 or the labels have no variance.

    Args:
        input_exponent: a of x_j = j^-a z_j.
        target_exponent: b of the target sum_j j^-b x_j.

    >>> front_phase(1.0, 2.0)
    FrontPhase(name='III', risk=0.75, size=0.5)
    """
    a, b = input_exponent, target_exponent
    if 2 * a <= 1:
        raise InputError(f"a = {a:g} is not allowed: for a <= 1/2 the phases are open here; take a above 1/2")
    if 2 * a + 2 * b <= 1:
        raise InputError(f"a + b = {a + b:g} is not allowed: labels have no finite variance; it must be above 1/2")
    if 2 * b < 1:
        return FrontPhase("I", (2 * a + 2 * b - 1) / (2 * a + 1), 1 / (2 * a + 1))
    if b < a:
        return FrontPhase("II", (2 * a + 2 * b - 1) / (2 * a + 2 * b), b / (a + b))
    return FrontPhase("III", (4 * a - 1) / (4 * a), 0.5)


def compute_front(
    input_exponent: float, target_exponent: float, v: int, step: float, batch: int, compute: float
) -> tuple[float, float]:
    """The least risk of typical features for a compute f = d B t, and the number of features that has it.

    Args:
        input_exponent: a.
        target_exponent: b.
        v: the dimension of the inputs; features are at most nine tenths of it.
        step: g.
        batch: B.
        compute: f.
    """
    most = min(0.9 * v, compute / batch)
    require(most > FEWEST, f"a compute of {compute:g} is too little for {FEWEST:g} features")

    def log_risk(log_size: float) -> float:
        size = float(np.exp(log_size))
        law = FeatureLaw(input_exponent, target_exponent, size, v, step, batch)
        return float(np.log(law.risk(compute / (size * batch))[0]))

    bounds = (np.log(FEWEST), np.log(most))
    found = scipy.optimize.minimize_scalar(log_risk, bounds=bounds, method="bounded", options={"xatol": 3e-3})
    return float(np.exp(found.fun)), float(np.exp(found.x))
