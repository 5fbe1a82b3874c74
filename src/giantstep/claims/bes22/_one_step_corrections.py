"""What finite size does to the risk after one step and to its improvement, for their claim."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from giantstep.claims import Allowance
from giantstep.claims.bes22._proportional import LITTLE, NO_LINEAR_PART, mean_growth
from giantstep.claims.bes22._ridge import UNEQUAL, not_gaussian
from giantstep.theory import OneStep, Student, Teacher
from giantstep.theory.ridge import asymptotic_risk

FINITE_SIZE = (
    "judged against the deterministic equivalent for the weights drawn, whose own error is of order 1/N; at the limit "
    "itself the network's output is neglected, which lowers the risk by a relative C/sqrt(N), C about 0.1 to 0.6"
)


@lru_cache(maxsize=1024)
def _risk(
    student: Student, teacher: Teacher, ratios: tuple[float, float], eta: float, noise: float, ridge: float
) -> Any:
    return asymptotic_risk(OneStep(student, teacher, *ratios, eta, noise), ridge)


def risk_at(point: Any, *, as_printed: bool = False) -> Any:
    """The limits of the risks at a point, computed once for all who ask; those of the theorem's formula `as_printed`.

    The theorem is for odd activations, to which the mean of the target is noise: E s and E s'' count as zero.
    """
    setting: Any = point.setting(point.eta)  # with numbers where it may have arrays
    student = replace(setting.student, mu0=0.0, curvature=0.0) if as_printed else setting.student
    return _risk(student, setting.teacher, (setting.psi1, setting.psi2), setting.step, setting.noise, point.ridge)


def fed_back(point: Any) -> float:
    """2 q/(1 + theta1^2) with q = eta mu1^2/sqrt(N), by which the network's output improves the improvement.

    The output shrinks the weights along the second layer by the factor 1 - q, and with them the noise in which the
    step's direction lies: 1 + theta1^2 becomes (1 - q)^2 + theta1^2. Derived.
    """
    pulled = point.eta * point.activation.moments.mu1**2 / point.neurons**0.5
    return float(2 * pulled / (1 + point.setting(point.eta).theta1 ** 2))


def lowered(point: Any) -> float:
    """The same improvement of the improvement, as a part of the risk after the step."""
    risk = risk_at(point)
    return fed_back(point) * abs(float(risk.improvement / risk.trained))


def stays_small(point: Any) -> bool:
    """Whether the step adds little to the lengths of neurons, so that it counts as one of order 1."""
    return bool(max(point.added_variance, mean_growth(point, point.eta)) <= LITTLE)


def gains(point: Any) -> bool:
    """Whether there is an improvement in the limit: activation and target have linear parts."""
    setting = point.setting(point.eta)
    return bool(min(abs(setting.student.mu1), setting.teacher.mu1) >= NO_LINEAR_PART)


def is_stated(point: Any) -> bool:
    """Whether the improvement is judged by itself: nothing, or 3 % of the risk or more; 20 % where samples are fewer
    than neurons and hardly penalised; what is smaller drowns in what draws differ by."""
    risk = risk_at(point)
    calm = point.ridge >= 0.001 or point.samples >= point.neurons
    seen = float(risk.improvement) >= (0.03 if calm else 0.2) * float(risk.trained)
    return bool(point.step > 0 and (seen or not gains(point)))


def one_direction(point: Any) -> float:
    """4 R_0/n where nothing is gained: the step changes the covariance of the features by a matrix of rank two, which
    is worth at most two of n samples, and the residual as much."""
    if gains(point):
        return 0.0
    return float(4 * risk_at(point).initial / point.samples)


NEXT_ORDER = Allowance(5, of="prediction", power=-1)
AFTER_A_STEP = Allowance(not_gaussian, of="prediction") + UNEQUAL
RANK_TWO = Allowance(one_direction)
