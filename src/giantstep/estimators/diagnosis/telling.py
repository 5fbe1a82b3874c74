"""A diagnosis as text for a terminal, and as a dictionary for a program."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from giantstep.estimators.diagnosis.dependence import HEAVY
from giantstep.estimators.diagnosis.estimates import Estimate
from giantstep.estimators.diagnosis.plain import plain
from giantstep.estimators.diagnosis.words import doubt_of, leading_columns

if TYPE_CHECKING:
    from giantstep.estimators.diagnosis.finding import Finding
    from giantstep.estimators.diagnosis.results import Diagnosis


WIDTH = 110  # of lines on a terminal


def text_of(found: Diagnosis) -> str:
    """All six parts, for a terminal."""
    parts = [
        ("Verdict", [found.verdict]),
        ("1. Size and shape", shape_lines(found)),
        ("2. Linear part", linear_lines(found)),
        ("3. Directions", [grid(DIRECTIONS_HEAD, direction_rows(found)), *sight_lines(found), *loading_lines(found)]),
        ("4. Rows", samples_lines(found)),
        ("5. Learners", [grid(learners_head(found), learner_rows(found)), learners_foot(found)]),
    ]
    if found.refit:
        parts.append((f"6. To go on with {found.recommended}", [indented(found.refit)]))
    return "\n\n".join(f"{head}\n{chr(10).join(map(wrapped, lines))}" for head, lines in parts)


def wrapped(text: str) -> str:
    """A sentence in lines of at most 110 characters, as it was indented and with numbers whole; a grid stays."""
    if len(text) <= WIDTH or "\n" in text:
        return text
    indent = " " * (len(text) - len(text.lstrip()))
    kept = text.strip()
    for sign in ("=", "±"):
        kept = kept.replace(f" {sign} ", f"\0{sign}\0")
    lines = textwrap.wrap(kept.replace(" %", "\0%"), WIDTH - len(indent) - 2, break_long_words=False)
    rest = f"\n{indent}{'  ' if indent else ''}"
    return (indent + rest.join(lines)).replace("\0", " ")


def indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Words in columns."""
    widths = [max(len(row[j]) for row in (head, *rows)) for j in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (head, *rows)]
    return "\n".join(line.rstrip() for line in lines)


def shape_lines(found: Diagnosis) -> list[str]:
    """Sentences of part 1."""
    shape, noise = found.shape, found.shape.noise
    kind = f"{len(found.table.classes)} classes" if found.table.classes else "a number"
    columns = f"{shape.d} column{'' if shape.d == 1 else 's'}"
    told = [
        f"{shape.n} rows, {columns} of numbers; {found.table.target} is {kind}.",
        *found.table.notes,
        _dimension(found),
    ]
    if noise.method == "repeated rows":
        told.append(f"Noise floor: {noise.share.percent} of the variance, from rows with the same inputs.")
    elif noise.is_rough:
        told.append(_at_most(found))
    else:
        told.append(
            f"Noise floor: about {noise.share.percent} of the variance (neighbours, extrapolated to distance 0)."
        )
    return [*told, *dependence_lines(found), trust_line(found)]


def dependence_lines(found: Diagnosis) -> list[str]:
    """What rows have to do with each other; nothing where that is nothing."""
    dependence = found.dependence
    told: list[str] = []
    if dependence.are_alike:
        blocks = (
            f" With blocks of consecutive rows left out {found.comparison.best} explains {dependence.blocks.percent}."
            if dependence.blocks is not None
            else ""
        )
        told.append(
            f"Neighbouring rows are alike: correlation {dependence.neighbours} of what a linear function leaves. Rows "
            f"in time or in groups make p-values and scores too good; a table that was merely sorted does not.{blocks}"
        )
    if not found.table.classes and dependence.heaviest > HEAVY:
        told.append(
            f"One row, whose {found.table.target} is {dependence.extreme:.4g}, holds {100 * dependence.heaviest:.0f} % "
            "of the variance: scores hang on it."
        )
    return told


def _at_most(found: Diagnosis) -> str:
    """A bound of the noise: what neighbours show, or what the best learner leaves, if that is less."""
    name, most = found.comparison.best, found.shape.noise.most
    score = found.learners[name]
    if 1 - score.value < most.value:
        left = Estimate(1 - score.value, score.error).percent
        return f"Noise floor: at most {left} of the variance, as {name} explains the rest."
    return f"Noise floor: at most {most.percent} of the variance; neighbours are too far to say more."


def _dimension(found: Diagnosis) -> str:
    """How many dimensions correlations leave; an estimate at its bound has no error to tell."""
    left, d = found.shape.effective_dimension, found.shape.d
    if left.value >= d:
        return f"Effective dimension: {d}, that of columns without correlations."
    return f"Effective dimension: {left} (the columns' correlations leave so many)."


def trust_line(found: Diagnosis) -> str:
    """How Gaussian the inputs are, hence what laws are worth here."""
    shape = found.shape
    seen = (
        f"Gaussian? The squared lengths of the rows spread {shape.length_spread} times as much as those of Gaussian "
        f"rows; {100 * shape.two_valued:.0f} % of the columns have two values; largest fourth moment {shape.heavy:.3g} "
        "(Gaussian: 3)."
    )
    if shape.is_nearly_gaussian:
        return f"{seen} Laws for Gaussian inputs may be trusted to some ten per cent."
    return f"{seen} Laws for Gaussian inputs are a rough guide here; permutations decide."


def linear_lines(found: Diagnosis) -> list[str]:
    """Sentences of part 2."""
    told = [
        f"Anything at all: p = {found.anything.p_value:.3g} (199 permutations of the labels).",
        f"A linear function explains {found.linear.percent} held out.",
    ]
    if found.rest is None:
        return [*told, "Whether anything is left beside it cannot be tested: fewer than 3 rows a column."]
    left = "something is left" if found.rest.is_found else "nothing is seen to be left"
    look = max(found.rest.looks, key=lambda name: found.rest.looks[name])  # type: ignore[union-attr]
    strongest = f"; most like a {look}" if found.rest.is_found else ""
    return [*told, f"Beside it {left}: p = {found.rest.p_value:.3g} (permutations of the rest{strongest})."]


DIRECTIONS_HEAD = ("method", "found", "p-values", "R^2 held out", "halves agree", "by chance")


def direction_rows(found: Diagnosis) -> list[tuple[str, ...]]:
    """One row a method."""
    return [
        (
            one.method.name,
            str(one.n_directions),
            ", ".join(f"{p:.2g}" for p in one.p_values[:4]) + (" ..." if one.p_values.size > 4 else ""),
            f"{one.score:.3f}" if one.n_directions else "",
            str(one.agreement) if one.agreement else "",
            f"{one.by_chance:.2f}" if one.n_directions else "",
        )
        for one in found.methods
    ]


def sight_lines(found: Diagnosis) -> list[str]:
    """What each method can and cannot see."""
    return [f"  {one.method.name} sees {one.method.sees}; blind to {one.method.blind}." for one in found.methods]


def loading_lines(found: Diagnosis) -> list[str]:
    """The columns of each direction that is told."""
    if found.chosen is None:
        many = [one.method.name for one in found.methods if one.n_directions]
        beside = f" (what {', '.join(many)} found may be chance: so many methods were asked)" if many else ""
        return [f"No direction is counted{beside}."]
    table, lines = found.table, [f"Counted are those of {found.chosen.method.name}; loadings on standardised columns:"]
    for number, row in enumerate(found.chosen.loadings, 1):
        names = leading_columns(table.columns, row)
        parts = [f"{row[table.columns.index(name)]:+.2f} {name}" for name in names]
        lines.append(f"  direction {number}: {', '.join(parts)}{', ...' if table.d > len(names) else ''}")
    return lines


def loading_rows(found: Diagnosis, most: int = 12) -> list[tuple[str, ...]]:
    """Loadings by column, those with the largest first."""
    order = np.argsort(-np.abs(found.directions).max(axis=0))[:most]
    rows = [(found.table.columns[j], *(f"{value:+.2f}" for value in found.directions[:, j])) for j in order]
    left = found.table.d - len(rows)
    return rows + ([(f"{left} more", *("" for _ in found.directions))] if left > 0 else [])


LAWS_HEAD = ("law for Gaussian inputs", "squared overlap now", "rows for 0.5", "rows for 0.9")


def law_rows(found: Diagnosis) -> list[tuple[str, ...]]:
    """One row a law."""
    laws = () if found.samples is None else found.samples.laws
    return [
        (law.name, f"{law.alignment:.3f}", *("never" if m is None else str(m) for m in (law.rows_half, law.rows_most)))
        for law in laws
    ]


def samples_lines(found: Diagnosis) -> list[str]:
    """Part 4: laws and measurement."""
    if found.samples is None:
        return ["Without a direction there is nothing to say of more rows."]
    return [*([grid(LAWS_HEAD, law_rows(found))] if found.samples.laws else []), *measured_lines(found)]


def measured_lines(found: Diagnosis) -> list[str]:
    """What was measured about the number of rows, in words."""
    if found.samples is None:
        return ["Without a direction there is nothing to say of more rows."]
    parts = [f"{estimate} from {size} rows" for size, estimate in sorted(found.samples.measured.items())]
    if not parts:
        return ["The rows are too few to measure how well the directions are known."]
    loadings = [f"{estimate} from {size}" for size, estimate in sorted(found.samples.loadings.items())]
    return [
        f"Measured squared overlap (agreement of two such sets of rows): {', '.join(parts)}.",
        *([f"Of loadings, which suffer where columns are alike: {', '.join(loadings)}."] if loadings else []),
    ]


def learners_head(found: Diagnosis) -> tuple[str, ...]:
    """What stands above the columns of `learner_rows`."""
    return ("learner", "score", *(("right",) if found.table.classes else ()), "behind the best by", "")


def learners_foot(found: Diagnosis) -> str:
    """What a score is."""
    said = (
        "Score: share of the variance explained on held-out rows; nested 5-fold cross-validation on "
        f"{found.rows_used} rows."
    )
    if not found.table.classes:
        return said
    often = float(np.bincount(found.table.label.astype(int)).max()) / found.table.n
    return f"{said} Right: share of these rows whose class is told; always the most frequent one: {100 * often:.1f} %."


def learner_rows(found: Diagnosis) -> list[tuple[str, ...]]:
    """One row a learner, in the order of their scores."""
    comparison = found.comparison
    rows: list[tuple[str, ...]] = []
    for name, score in sorted(found.learners.items(), key=lambda item: -item[1].value):
        best = name == comparison.best
        word = "winner" if name == found.winner else "level" if name in comparison.level else "behind"
        behind = "" if best else str(comparison.gain(comparison.best, name))
        right = comparison.accuracy(name)
        told = () if right is None else (f"{100 * right:.1f} %",)
        rows.append((name, str(score), *told, behind, word if found.found else ""))
    return rows


def _right(found: Diagnosis, name: str) -> dict[str, float]:
    right = found.comparison.accuracy(name)
    return {} if right is None else {"right": right}


def dictionary_of(found: Diagnosis) -> dict[str, Any]:
    """Everything as JSON has it; keys as the attributes are called."""
    shape, samples, gain = found.shape, found.samples, found.comparison.gain
    best = found.comparison.best
    told = {
        "n": shape.n,
        "d": shape.d,
        "target": found.table.target,
        "columns": found.table.columns,
        "classes": found.table.classes,
        "notes": found.table.notes,
        "seed": found.seed,
        "found": found.found,
        "n_directions": found.n_directions,
        "directions": found.directions,
        "p_values": found.p_values,
        "learners": {
            name: {"score": s.value, "error": s.error, "behind": gain(best, name)} | _right(found, name)
            for name, s in found.learners.items()
        },
        "winner": found.winner,
        "level": found.comparison.level,
        "recommended": found.recommended,
        "doubt": doubt_of(found) if found.found else "",
        "verdict": found.verdict,
        "shape": {
            "effective_dimension": shape.effective_dimension,
            "noise_floor": {"share": shape.noise.share, "most": shape.noise.most, "method": shape.noise.method},
            "length_spread": shape.length_spread,
            "two_valued": shape.two_valued,
            "largest_fourth_moment": shape.heavy,
            "nearly_gaussian": shape.is_nearly_gaussian,
        },
        "rows": {
            "neighbours": found.dependence.neighbours,
            "alike": found.dependence.are_alike,
            "blocks": found.dependence.blocks,
            "heaviest": found.dependence.heaviest,
        },
        "linear": found.linear,
        "anything": {"p_value": found.anything.p_value, "looks": found.anything.looks},
        "rest": None if found.rest is None else {"p_value": found.rest.p_value, "looks": found.rest.looks},
        "methods": {one.method.name: _method(one) for one in found.methods},
        "method": None if found.chosen is None else found.chosen.method.name,
        "samples": None
        if samples is None
        else {
            "laws": {
                law.name: {"alignment": law.alignment, "rows_half": law.rows_half, "rows_most": law.rows_most}
                for law in samples.laws
            },
            "measured_alignment": samples.measured,
            "measured_loadings": samples.loadings,
        },
        "learning_curves": found.curves,
        "refit": found.refit,
    }
    return {key: plain(value) for key, value in told.items()}


def _method(one: Finding) -> dict[str, Any]:
    return {
        "n_directions": one.n_directions,
        "p_values": one.p_values,
        "spectrum": one.spectrum,
        "edges": one.edges,
        "scores": one.scores,
        "agreement": one.agreement,
        "agreement_by_chance": one.by_chance,
        "gaussian_edge": one.gaussian_edge,
        "gaussian_overlap": one.overlap,
        "directions": one.loadings,
    }
