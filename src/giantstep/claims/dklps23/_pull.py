"""Whether a neuron on the sphere is pulled towards the target's direction at all."""

from __future__ import annotations

from giantstep.errors import InputError
from giantstep.problems import Activation, Target

TINY = 1e-9


def refuse_no_pull(target: Target, activation: Activation) -> None:
    """Refuse what no neuron escapes to: near m = 0 the pull is E[f* He_l] E[sigma He_l] m^(l-1)/(l-1)!.

    For even l it must be positive; for odd l a neuron goes to -x1 if it is not.
    """
    order = target.information_exponent or 0
    pull = float(target.hermite(order).get((order,), 0)) * activation.hermite_coefficient(order)
    if abs(pull) < TINY:
        raise InputError(
            f"the activation {activation} does not see the target {target}: E[sigma He_{order}] is 0 at its "
            f"information exponent {order}, and a neuron does not escape"
        )
    if pull < 0 and order % 2 == 0:
        raise InputError(
            f"the target {target} and the activation {activation} have coefficients of He_{order} of opposite signs: a "
            "neuron is pushed away from x1 and from -x1; change the sign of one of them"
        )
