"""The quantities of the staircase: energies of directions, and how far finite size may move them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from giantstep.claims import Quantity, quantity

if TYPE_CHECKING:
    from giantstep.claims.dklps23.staircase import Staircase


def _size(point: Staircase, predicted: float) -> float:
    """Sums of terms of the target's degree are far from Gaussian: relative corrections are some degree/d."""
    return float(10 * (point.target.degree or 1) / point.d * predicted)


def _energy_allowance(point: Staircase, predicted: float) -> float:
    return _size(point, predicted) + 1 / point.d


def _left_allowance(point: Staircase, predicted: float) -> float:
    return _size(point, predicted) + len(point.unlearned) / point.d


def _sv3_allowance(point: Staircase, predicted: float) -> float:
    """Of the square the mean is predicted, and rows of a matrix with few rows are not independent of its space."""
    return _size(point, predicted) + 4 / point.neurons * predicted


FINITE = (
    "a few percent at d = 1000 for targets of degree 4, falling like 1/d; what is left in a direction not learned is "
    "of order 1/d and scatters like a chi-square with few degrees of freedom"
)


def energy_along(name: str) -> Quantity:
    """The energy of one direction after each step, for the targets that have it."""
    return quantity.equal(
        f"energy_{name}",
        _energy_allowance,
        FINITE,
        help=f"mean squared cosine of the neurons with the direction {name}, after each step",
        symbol=rf"\langle\cos^2(w_i, {name})\rangle",
        against="finite",
        limit=_energy_allowance,
        when=lambda point: name in point.stairs.names,
    )


QUANTITIES = (
    quantity.equal(
        "increment_slope",
        lambda point, predicted: 0.1 / point.d**0.5,
        "exact in the mean at any size; weighing steps by their size adds a bias far below 1 %",
        help="slope of measured increments of the overlaps against those of the population gradient",
    ),
    quantity.equal(
        "learned",
        _energy_allowance,
        FINITE,
        help="energy of the direction of U_T learned last",
        against="finite",
        limit=_energy_allowance,
        when=lambda point: bool(point.learned),
    ),
    quantity.equal(
        "unlearned",
        _left_allowance,
        FINITE,
        help="energy of V* outside U_T, all of it",
        against="finite",
        limit=_left_allowance,
        when=lambda point: bool(point.unlearned),
    ),
    quantity.equal(
        "sv3",
        _sv3_allowance,
        "second order in fluctuations of size d^(-1/2); with p = 32 neurons the mean is 10 % below the formula",
        help="third singular value of the overlaps with V*, rows divided by |w_i|, over sqrt(p)",
        against="finite",
        limit=_sv3_allowance,
        when=lambda point: point.has_third,
    ),
    quantity.slope(
        "learned", "d", 0.0, 0.1, "corrections of relative order 10/d at the smallest d",
        when=lambda point: point.is_sharp and bool(point.learned),
    ),
    quantity.slope(
        "unlearned", "d", -1.0, 0.25, "scatters from seed to seed by its own size",
        when=lambda point: point.is_sharp and bool(point.unlearned),
    ),
    quantity.slope(
        "sv3", "d", -0.5, 0.15, "corrections of relative order d^(-1/2)",
        when=lambda point: point.is_sharp and point.has_third,
    ),
)  # fmt: skip
