"""The targets of the papers by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from giantstep.errors import UnknownNameError
from giantstep.problems.target import Target


class Specimen(NamedTuple):
    """A named target: its text, where it comes from, and what it is there to show."""

    text: str
    source: str
    about: str

    @property
    def target(self) -> Target:
        return Target(self.text)


class _Targets(dict[str, Specimen]):
    def __missing__(self, name: str) -> Specimen:
        raise UnknownNameError("target of the papers", name, self)


# Read `ZOO["big"].target`.
ZOO: Mapping[str, Specimen] = MappingProxyType(
    _Targets(
        {
            "example-1": Specimen(
                "x1 + He2(x1) + x2 - He2(x2)",
                "dklps23",
                "the first step learns x1 + x2, and given that direction x1 - x2 is linear: the second step learns it",
            ),
            "example-2": Specimen(
                "x1 + He2(x1) + x2 + He2(x2)",
                "dklps23",
                "the first step learns x1 + x2, then nothing new is linear: with n ~ d samples learning stops",
            ),
            "example-3-f1": Specimen(
                "x1 + x1*x2 + x1*x3",
                "dklps23",
                "after x1 only the sum x2 + x3 can be learned, which is all the function depends on besides",
            ),
            "example-3-f2": Specimen(
                "x1 + x1*x2 + He3(x1)*x3",
                "dklps23",
                "after x1 both x2 and x3 are learned in one step, since He1 and He3 are linearly independent",
            ),
            "big": Specimen(
                "x1 + He2(x2) + He2(x1)*x2 + He4(x1)*He2(x2)*x3 + He2(x2)*He2(x3)",
                "dklps23",
                "which terms are fitted depends on the numbers of samples and neurons: five regimes",
            ),
            "three-level": Specimen(
                "x1 + x1*x2 + x1*x2*x3", "dklps23", "a staircase: each step of n ~ d samples learns one direction more"
            ),
            "two-level": Specimen(
                "x1 + He2(x2) + He2(x1)*x2", "dklps23", "x2 is quadratic at first, and linear once x1 is known"
            ),
            "stuck": Specimen(
                "x1 + x1*x2*x3", "dklps23", "after x1 the rest has no linear part: n ~ d samples do not suffice"
            ),
            "parity": Specimen(
                "x1*x2*x3", "dklps23", "information exponent 3: nothing is learned with fewer than d^3 samples"
            ),
            "single-relu": Specimen("relu(x1)", "bes22", "a single-index teacher with a linear and a quadratic part"),
            "single-tanh": Specimen("tanh(x1)", "bes22", "an odd single-index teacher"),
        }
    )
)
