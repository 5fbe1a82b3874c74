"""What several claims refuse: one sentence for one mistake."""

from __future__ import annotations

import math

from giantstep.errors import InputError
from giantstep.problems import Activation, Target

TINY = 1e-9


def refuse_jumps(activation: Activation) -> None:
    """Refuse an activation whose derivative misses something."""
    if activation.jumps:
        raise InputError(f"the activation {activation} jumps; a gradient step needs a continuous one")


def refuse_odd(name: str, value: int) -> None:
    """Refuse an odd number of neurons where they come in pairs."""
    if value % 2:
        raise InputError(f"{name} = {value} is not allowed; it must be even, for neurons come in pairs")


def refuse_few_dimensions(target: Target, d: int, *, spare: int = 0) -> None:
    """Refuse inputs without room for the target's directions and some more."""
    least = target.directions + spare
    if d < least:
        raise InputError(f"the target has {target.directions} directions; d = {d} must be at least {least}")


def refuse_many_directions(target: Target, most: int) -> None:
    """Refuse a target of more directions than can be worked out."""
    if target.directions > most:
        raise InputError(f"the target has {target.directions} directions; at most {most} are allowed")


def refuse_constant(target: Target) -> None:
    """Refuse a target without information exponent."""
    if target.information_exponent is None:
        raise InputError(f"the target {target} is constant; there is nothing to learn")


def refuse_other_polynomials(target: Target, highest: int) -> None:
    """Refuse what is no polynomial of x1 of degree 1 to `highest`."""
    if target.directions != 1 or not target.is_polynomial:
        raise InputError(f"target = {target} is not allowed; it must be a polynomial of x1")
    if not 1 <= (target.degree or 0) <= highest:
        raise InputError(f"target = {target} is not allowed; its degree must be 1 to {highest}")


def refuse_strong_spike(theta: float, d: int, share: float) -> None:
    """Refuse a spike of more than this share of d."""
    if theta > share * d:
        raise InputError(f"theta = {theta:.3g} is too strong; at most {share:g} d = {share * d:.3g}")


def refuse_much_work(what: str, work: float, most: float, advice: str = "") -> None:
    """Refuse a simulation, `what`, of more operations than `most`, with advice how to need fewer."""
    if work > most:
        lower = f"; lower {advice}" if advice else ""
        need = f"{work:.2g}" if math.isfinite(work) else "endlessly many"
        raise InputError(f"the {what} would need {need} operations, at most {most:.2g}{lower}")


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
