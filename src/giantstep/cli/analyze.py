"""`giantstep analyze`: what is in a target function."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from giantstep.cli.output import print_json
from giantstep.problems import Activation, Target


def analyze(
    target: Annotated[str, Parameter(help='the target as text, such as "x1 + He2(x1)*x2"', allow_leading_hyphen=True)],
    /,
    *,
    activation: Annotated[str | None, Parameter(help="an activation, to see which parts it can pick up")] = None,
    json: Annotated[bool, Parameter(help="print one JSON document instead of text", negative="")] = False,
) -> None:
    """What is in a target function: its norm, its Hermite energies by degree, its information exponent.

    Variables are x1, x2, ... (independent standard Gaussians); He0 to He20 are Hermite polynomials; relu, tanh, erf,
    sin, cos, exp, abs, sign, softplus, sigmoid, gelu and step apply to any expression.
    """
    analysis = Target(target).analyze(Activation(activation) if activation else None)
    if json:
        print_json(analysis.to_dict())
    else:
        print(analysis)
