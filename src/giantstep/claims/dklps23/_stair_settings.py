"""The settings at which dklps23/staircase looks, as differences from its defaults, and what finite size does there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from giantstep.claims import Allowance, quantity, view
from giantstep.problems import ZOO
from giantstep.verdicts.stating import Quantity

EXAMPLE_2 = {"target": ZOO["example-2"].text}
FEW = {
    "neurons": 8
}  # what is not learned scatters from seed to seed however many neurons there are: more seeds instead
F2 = {"target": ZOO["example-3-f2"].text, "neurons": 32, "samples_per_dim": 100, "step": 5, "steps": 2}
F1 = {**F2, "target": ZOO["example-3-f1"].text}
THREE = {"activation": "cos(z + 0.8)", "second_layer": "gaussian", "samples_per_dim": 100, "step": 3, **FEW}
# The same link z + z^2 - 1 along three directions, of which two are not orthogonal.
LINKS = {"target": "x1 + He2(x1) + (3*x1 + 4*x2)/5 + He2((3*x1 + 4*x2)/5) + x3 + He2(x3)", "steps": 2}
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "example-1": {},
    "example-2": EXAMPLE_2,
    "example-3-f1": F1,
    "example-3-f2": F2,
    "example-3-f2-spread": {**F2, "second_layer": "gaussian"},
    "three-level": {**THREE, "target": ZOO["three-level"].text},
    "stuck": {**THREE, "target": ZOO["stuck"].text},
    "equal-links": LINKS,
    "unseen": {"activation": "tanh"},
    "large": {"d": 100000},
}
# Sums of terms of the target's degree are far from Gaussian: relative corrections are some degree/d.
RELATIVE = Allowance(10, of="prediction", power=-1, size="d_per_degree")
# What is of order 1/d is known to its leading order: the next is smaller by d^(-1/2).
ENERGY = RELATIVE + Allowance(1.5, of="prediction", power=-0.5)
FINITE = "a few percent at d = 1000 for degree 4, like 1/d; what is not learned is known to relative order d^(-1/2)"

# The talk's pictures: neurons as points in the plane of two directions, before and after each step.
PLANE = view.Trajectory(
    ("a > 0", "a < 0"), r"$\cos(w_i, x_1)$", r"$\cos(w_i, x_2)$", references=("staircase",), by="target", at=FEW,
    by_values=(ZOO["example-1"].text, ZOO["example-2"].text), seeds=240, title="neurons, step by step",
)  # fmt: skip


def energy_along(name: str) -> Quantity:
    """The energy of one direction after each step, for the targets that have it."""
    return quantity.equal(
        f"energy_{name}", ENERGY, FINITE,
        against="finite", when=lambda point: name in point.stairs.names,
        help=f"squared cosine with {name}: of this direction with the neurons, their mean after each step",
        symbol=rf"\langle\cos^2(w_i, {re.sub(r'x(?=[0-9])', 'x_', name)})\rangle",
    )  # fmt: skip
