"""`giantstep analyze`: what is in a target function, and who can learn it when."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from giantstep.cli.options import Dpi, FontSize, Json, Size, Theme, Transparent
from giantstep.cli.output import picture_place, print_json, save_figures
from giantstep.cli.progress import patience
from giantstep.problems import Activation, Target


def analyze(
    target: Annotated[str, Parameter(help='the target as text, such as "x1 + He2(x1)*x2"', allow_leading_hyphen=True)],
    /,
    *,
    activation: Annotated[str | None, Parameter(help="an activation, to see which parts it can pick up")] = None,
    exact: Annotated[bool, Parameter(help="print rational numbers as fractions")] = False,
    figure: Annotated[Path | None, Parameter(help="draw the staircase: a file .svg, .pdf or .png")] = None,
    format: Annotated[str, Parameter(help="draw it as svg, pdf or png; without --figure in staircase.svg")] = "",
    theme: Theme = "plain",
    size: Size = "",
    font_size: FontSize = None,
    dpi: Dpi = 200,
    transparent: Transparent = False,
    json: Json = False,
) -> None:
    """What is in a target function, and who can learn it when.

    Its norm and Hermite energies, information exponent, leap and generative exponent; the staircase of directions that
    giant steps learn one after the other, and where it stops; which activations can see them; what a network then fits
    for given numbers of samples and neurons; how many samples each method needs. Polynomials are treated exactly.

    Variables are x1, x2, ... (independent standard Gaussians); He0 to He20 are Hermite polynomials; relu, tanh, erf,
    sin, cos, exp, abs, sign, softplus, sigmoid, gelu and step apply to any expression.
    """
    figure = picture_place(figure, format, "staircase")
    if figure is not None:
        from giantstep.figures import Look, check_destination

        check_destination(figure)
        look = Look.of(theme=theme, size=size, font_size=font_size, dpi=dpi, transparent=transparent)
    with patience("the analysis"):
        analysis = Target(target).analyze(Activation(activation) if activation else None)
    print_json(analysis.to_dict(exact)) if json else print(analysis.text(exact))
    if figure is not None:
        from giantstep.figures import draw, staircase_picture

        save_figures([draw(staircase_picture(analysis), look)], figure, json)
