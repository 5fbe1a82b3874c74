"""Names for the factors on which the papers differ: output scaling, step size, ridge penalty.

Everything is converted to one normal form before it is computed:

    first layer   w_i += s a_i (1/n) sum_mu (y_mu - f(x_mu)) sigma'(<w_i, x_mu> + b_i) x_mu
    second layer  min_c (1/n) |y - Psi c|^2 + lambda |c|^2,   Psi = sigma(X W^T + b), not scaled

`StepConvention` turns a paper's eta into s, `RidgeConvention` a paper's penalty into lambda.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

from giantstep.checks import Choice, shown
from giantstep.errors import InputError

Convention = TypeVar("Convention", bound=Enum)


def named(what: str, kind: type[Convention], value: Convention | str) -> Convention:
    """A convention, given as such or as text.

    >>> named("the scaling", Scaling, "1/N")
    <Scaling.INVERSE_WIDTH: '1/N'>
    >>> named("the scaling", Scaling, "1/M")
    Traceback (most recent call last):
    giantstep.errors.InputError: the scaling must be one of '1/N', '1/sqrt(N)', '1', not '1/M'
    """
    texts = {getattr(member, "label", member.value): member for member in kind}
    if isinstance(value, kind):
        return value
    if not isinstance(value, str) or value not in (known := {**kind.__members__, **texts}):
        raise InputError(f"{what} must be one of {', '.join(map(repr, texts))}, not {shown(value)}")
    return known[value]


class Scaling(Choice):
    """The factor before the sum f(x) = factor * sum_i a_i sigma(<w_i, x> + b_i) over N neurons."""

    INVERSE_WIDTH = "1/N"
    INVERSE_ROOT_WIDTH = "1/sqrt(N)"
    UNIT = "1"

    def factor(self, neurons: int) -> float:
        """The factor for a network of so many `neurons`."""
        power = {"1/N": -1.0, "1/sqrt(N)": -0.5, "1": 0.0}[self.value]
        return float(float(neurons) ** power)


class StepConvention(Choice):
    """A paper's reading of the step size eta.

    A step moves each w_i by eta * N^rate_power * (-dL/dw_i), L = loss_factor * (1/n) sum (y - f)^2. With the
    scaling factor of f this is the normal form with s = eta * N^rate_power * 2 * loss_factor * factor(N).

    >>> StepConvention.BES22_SLIDE.multiplier(2.0, neurons=100)
    2.0
    >>> StepConvention.BES22_MSE.convert(2.0, 100, StepConvention.BES22_SLIDE)
    4.0
    >>> StepConvention.DKLPS23.multiplier(400.0, neurons=100)
    4.0
    """

    BES22_SLIDE = ("bes22", Scaling.INVERSE_ROOT_WIDTH, 0.5, 0.5)
    """[bes22] as on the slides: W1 = W0 + eta sqrt(N) G0, G0 without the factor 2 of the squared error."""
    BES22_MSE = ("bes22, factor 2", Scaling.INVERSE_ROOT_WIDTH, 1.0, 0.5)
    """[bes22] with the true gradient of the mean squared error: twice the slide's step."""
    DKLPS23 = ("dklps23", Scaling.INVERSE_WIDTH, 0.5, 0.0)
    """[dklps23] talk: f = (1/p) sum, loss 1/2 (y - f)^2, plain gradient step: s = eta / p."""
    DKLPS23_ROOT = ("dklps23, 1/sqrt(p)", Scaling.INVERSE_ROOT_WIDTH, 0.5, 0.0)
    """[dklps23] paper: f = (1/sqrt p) sum, loss 1/2 (y - f)^2, plain gradient step: s = eta / sqrt p."""
    PER_NEURON = ("per neuron", None, 0.5, None)
    """s = eta itself, whatever the scaling of f."""

    def __init__(self, label: str, scaling: Scaling | None, loss_factor: float, rate_power: float | None) -> None:
        self.label = label
        self.scaling = scaling
        self.loss_factor = loss_factor
        self.rate_power = rate_power

    def multiplier(self, step: float, neurons: int) -> float:
        """s of the normal form for the size `step`, eta, in a network of so many `neurons`."""
        return step * self._per_unit(neurons)

    def step_size(self, multiplier: float, neurons: int) -> float:
        """The eta whose multiplier is s."""
        return multiplier / self._per_unit(neurons)

    def convert(self, step: float, neurons: int, to: StepConvention) -> float:
        """The step size that means the same in the convention `to` (for the same network function)."""
        return to.step_size(self.multiplier(step, neurons), neurons)

    def _per_unit(self, neurons: int) -> float:
        if self.scaling is None or self.rate_power is None:
            return 1.0
        if self.rate_power == 0.5 and self.scaling is Scaling.INVERSE_ROOT_WIDTH:
            return 2.0 * self.loss_factor  # sqrt(N) / sqrt(N) without rounding
        rate = float(float(neurons) ** self.rate_power)
        return 2.0 * self.loss_factor * rate * self.scaling.factor(neurons)

    def check(self, scaling: Scaling) -> None:
        """Refuse a network whose output scaling is not the one this convention is written for."""
        if self.scaling not in (None, scaling):
            raise InputError(
                f"the step convention '{self.label}' is for networks scaled by {self.scaling.value}, "
                f"this one by {scaling.value}: use a matching network or the convention 'per neuron'"
            )

    def __repr__(self) -> str:
        return f"<StepConvention.{self.name}: s = {self._formula()}>"

    def _formula(self) -> str:
        if self.scaling is None or self.rate_power is None:
            return "eta"
        root = {"1/N": -1.0, "1/sqrt(N)": -0.5, "1": 0.0}[self.scaling.value] + self.rate_power
        power = {0.0: "", -0.5: "/sqrt(N)", -1.0: "/N"}[root]
        return ("2 eta" if self.loss_factor == 1.0 else "eta") + power


class RidgeConvention(Choice):
    """A paper's or a library's reading of the ridge penalty; N features, n samples.

    >>> RidgeConvention.SCIKIT_LEARN.per_feature(5.0, samples=50, neurons=10)
    0.1
    """

    PER_FEATURE = "(1/n)|y - Psi c|^2 + lambda |c|^2"
    """The normal form."""
    BES22 = "(1/n)|y - Phi a|^2 + (lambda/N)|a|^2, Phi = Psi/sqrt(N)"
    """[bes22] ridge on the conjugate kernel; with c = a/sqrt(N) the same number as the normal form."""
    DKLPS23 = "(1/n)|y - Psi a/p|^2 + (lambda/p)|a|^2"
    """[dklps23] with the squared error."""
    DKLPS23_HALF = "(1/2n)|y - Psi a/p|^2 + (lambda/p)|a|^2"
    """[dklps23] with the loss 1/2 (y - f)^2 of its first-layer step."""
    SCIKIT_LEARN = "|y - Psi c|^2 + alpha |c|^2"
    KERNEL = "k^T (K + rho I)^-1 y, K = Psi Psi^T / N"

    def per_feature(self, ridge: float, samples: int, neurons: int) -> float:
        """lambda of the normal form, for n `samples` and N `neurons`."""
        return ridge * self._factor(samples, neurons)

    def from_per_feature(self, ridge: float, samples: int, neurons: int) -> float:
        """This convention's number for the normal form's lambda."""
        return ridge / self._factor(samples, neurons)

    def convert(self, ridge: float, samples: int, neurons: int, to: RidgeConvention) -> float:
        """The number that means the same in the convention `to`."""
        return to.from_per_feature(self.per_feature(ridge, samples, neurons), samples, neurons)

    def _factor(self, samples: int, neurons: int) -> float:
        if self is RidgeConvention.DKLPS23:
            return float(neurons)
        if self is RidgeConvention.DKLPS23_HALF:
            return 2.0 * neurons
        if self is RidgeConvention.SCIKIT_LEARN:
            return 1.0 / samples
        if self is RidgeConvention.KERNEL:
            return neurons / samples
        return 1.0
