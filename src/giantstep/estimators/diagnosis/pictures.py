"""The pictures of a diagnosis: label along directions, spectrum beside permutations, learning curves, learners."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.diagnosis.words import leading_columns
from giantstep.figures import CurvePicture, PanelPicture, RankingPicture, Series, SinglePicture

if TYPE_CHECKING:
    from giantstep.estimators.diagnosis.finding import Finding
    from giantstep.estimators.diagnosis.results import Diagnosis

MOST_POINTS = 400
MOST_DIRECTIONS = 3
MOST_CLASSES = 6  # of which shares are drawn, the most frequent ones
BANDS = 24  # places at which a smooth is drawn


def sheet_of(found: Diagnosis) -> PanelPicture:
    """All pictures on one sheet."""
    panels = [panel for _, panel in pictures_of(found)]
    return PanelPicture(f"{as_words(found.table.target)}: {found.table.n} rows, {found.table.d} columns", panels)


def pictures_of(found: Diagnosis) -> list[tuple[str, SinglePicture]]:
    """Every picture with a name for its file; those of directions only if there are any."""
    named: list[tuple[str, SinglePicture]] = []
    for number in range(min(found.n_directions, MOST_DIRECTIONS)):
        named.append((f"direction-{number + 1}", along_direction(found, number)))
    if found.methods:
        named.append(("spectrum", spectrum(found)))
    if found.samples is not None and found.samples.measured:
        named.append(("rows", overlap_curve(found)))
    named.append(("curves", learning_curves(found)))
    named.append(("learners", ranking(found)))
    return named


def as_words(text: str) -> str:
    """A name that somebody gave a column, in which no sign is mathematics."""
    return text.replace("$", r"\$").replace("^", " ")


def along_direction(found: Diagnosis, number: int) -> CurvePicture:
    """The label against one direction, with a running mean and its standard error; of classes their shares."""
    assert found.chosen is not None
    z, table = found.chosen.coordinates[:, number], found.table
    some = np.random.default_rng(0).permutation(z.size)[:MOST_POINTS]
    names = ", ".join(leading_columns(table.columns, found.chosen.loadings[number]))
    if len(table.classes) > 2:  # numbers of classes have no order that a mean could respect
        often = np.argsort(-table.labels.sum(axis=0), kind="stable")[:MOST_CLASSES]
        series = [Series(as_words(table.classes[k]), *smooth(z, table.labels[:, k])) for k in sorted(often)]
        label = f"share of {as_words(table.target)}"
    else:
        y = table.labels[:, 0]
        rows = Series("rows", z[some], y[some], kind="simulation")
        series = [rows, Series("smooth, with its error", *smooth(z, y))]
        label = f"share of {as_words(table.classes[1])}" if table.classes else as_words(table.target)
    return CurvePicture(
        f"Label along direction {number + 1}",
        f"direction {number + 1} in standard deviations, mostly {as_words(names)}",
        label,
        series,
    )


def smooth(z: Array, y: Array) -> tuple[Array, Array, Array]:
    """Places, weighted means of y around them, and standard errors of these.

    Weights are Gaussian in z, of the width that Silverman's rule gives for its density.
    """
    low, high = np.quantile(z, [0.01, 0.99])
    places = np.linspace(low, high, BANDS)
    width = max(1.06 * z.std() * z.size**-0.2, 1e-9)
    weights = np.exp(-((places[:, None] - z) ** 2) / (2 * width**2))
    total = np.maximum(weights.sum(axis=1), 1e-12)
    mean = weights @ y / total
    spread = np.sqrt(np.maximum((weights @ y**2) / total - mean**2, 0.0))
    return places, mean, spread * np.sqrt((weights**2).sum(axis=1)) / total


def shown_spectrum(found: Diagnosis) -> Finding:
    """The method whose spectrum is drawn: that of which directions are counted, or one with more strengths to show."""
    one = found.chosen or min(found.methods, key=lambda method: float(method.p_values[0]))
    if one.spectrum.size < 3:  # a spectrum of one or two strengths shows nothing
        one = max(found.methods, key=lambda method: (min(method.spectrum.size, 3), method.n_directions))
    return one


def _of_spectrum(found: Diagnosis) -> str:
    shown, chosen = shown_spectrum(found), found.chosen
    words = "A direction counts if its strength is beyond that of permuted labels."
    if chosen is None or shown is chosen:
        return words
    return f"{words} Drawn is {shown.method.name}, as {chosen.method.name}, whose count is told, has too few strengths."


def spectrum(found: Diagnosis) -> CurvePicture:
    """Strengths of the leading directions of a method, beside the edge of permuted labels."""
    one = shown_spectrum(found)
    ranks = np.arange(1, one.spectrum.size + 1)
    tested = np.arange(1, one.edges.size + 1)
    series = [
        Series("strength", ranks, one.spectrum, kind="simulation"),
        Series("5 % of permuted labels exceed it", tested, one.edges, kind="bound"),
    ]
    if one.gaussian_edge is not None:
        series.append(
            Series("edge for Gaussian inputs", ranks, np.full(ranks.size, one.gaussian_edge), kind="reference")
        )
    return CurvePicture(f"Directions by {one.method.name}", "rank of the direction", "strength", series)


def overlap_curve(found: Diagnosis) -> CurvePicture:
    """Squared overlap of the directions with the truth against the number of rows: measured, and by laws."""
    assert found.samples is not None
    sizes = sorted(found.samples.measured)
    values = [found.samples.measured[size] for size in sizes]
    measured = Series("measured", sizes, [v.value for v in values], [v.error for v in values], kind="simulation")
    laws = [Series(f"{law.name}, by law", list(law.curve), list(law.curve.values())) for law in found.samples.laws]
    return CurvePicture(
        "How well the directions are known",
        "rows",
        "squared overlap",
        [measured, *laws],
        log_x=True,
        vertical_lines=[(found.table.n, "rows that are there")],
    )


def learning_curves(found: Diagnosis) -> CurvePicture:
    """Scores against the number of training rows, on the same test rows."""
    series = []
    for name, curve in found.curves.items():
        sizes = sorted(curve)
        scores, errors = zip(*(curve[size] for size in sizes), strict=True)
        series.append(Series(name, sizes, scores, errors, kind="simulation"))
        series.append(Series("", sizes, scores, kind="theory"))
    return CurvePicture("Learning curves", "training rows", "share explained held out", series, log_x=True)


def ranking(found: Diagnosis) -> RankingPicture:
    """The learners by their scores; those level with the best stand out."""
    order = sorted(found.learners, key=lambda name: -found.learners[name].value)
    level = found.comparison.level if found.recommended else ()
    word = "winner" if found.winner else "no difference seen between these"
    return RankingPicture(
        "Learners on held-out rows",
        "share explained held out",
        order,
        [found.learners[name].value for name in order],
        [found.learners[name].error for name in order],
        level,
        word if level else "",
        [(0.0, "the mean of the labels")] if min(found.learners[name].value for name in order) < 0.15 else [],
    )


CAPTIONS: dict[str, Callable[[Diagnosis], str]] = {
    "direction": lambda found: (
        "Each line is the running share of a class, with its standard error."
        if len(found.table.classes) > 2
        else "Each mark is a row; the line is a running mean with its standard error."
    ),
    "spectrum": _of_spectrum,
    "rows": lambda found: "Measured by how well two disjoint sets of so many rows agree beyond chance.",
    "curves": lambda found: f"Fewer training rows, always the same held-out rows; {found.rows_used} rows in all.",
    "learners": lambda found: "Bars are standard errors of the score; differences are paired, and surer than these.",
}
"""What stands below a picture on the page, by the beginning of its name."""
