"""The verdict in three sentences, and the lines of Python that go on from it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.diagnosis.dependence import HEAVY, STRONG
from giantstep.estimators.diagnosis.estimates import Estimate
from giantstep.estimators.diagnosis.roster import LEARNERS

if TYPE_CHECKING:
    from giantstep.estimators.diagnosis.results import Diagnosis

NAMED = 3  # columns of a direction that are named, the largest loadings first
TOO_GOOD = 0.995  # a score that hardly a table deserves
NEARLY_ALL = 0.02  # of the score: what more rows might give at most, where they are said to give little
RISING = 2.0  # standard errors by which the last doubling of rows must help to be called a rise


def sentences_of(found: Diagnosis) -> tuple[str, str, str]:
    """What there is, what is known of it, what to do next."""
    return _nothing(found) if not found.found else (_what(found), _directions(found), _next(found))


def headline(found: Diagnosis) -> str:
    """The verdict in a line."""
    target = found.table.target
    if not found.found:
        return f"Nothing found about {target}"
    many = f"{found.n_directions or 'no'} direction{'' if found.n_directions == 1 else 's'}"
    more = "more than a linear part" if found.rest is not None and found.rest.is_found else "a linear part"
    if found.recommended is None:
        return f"{target}: {more}, {many}; no learner predicts it yet"
    best = f"{found.winner} wins" if found.winner else f"no difference seen, take {found.recommended}"
    return f"{target}: {more}, {many}; {best}{'; but see the doubt' if doubt_of(found) else ''}"


def _nothing(found: Diagnosis) -> tuple[str, str, str]:
    table = found.table
    best = found.comparison.best
    return (
        f"Nothing found: no dependence of {table.target} on {_columns(table.d)} is seen beyond chance "
        f"({_by_permutation(found)}; the best learner, {best}, explains "
        f"{found.learners[best].percent} of it held out).",
        f"With {table.n} rows a linear part of about {100 * least_seen(table.n, table.d):.2g} % of the variance would "
        "most likely have been seen.",
        "Do not tune learners on this table: look for other columns, or for more rows if a smaller effect matters.",
    )


def _by_permutation(found: Diagnosis) -> str:
    told = f"p = {found.anything.p_value:.2g} by permutation"
    return told if found.table.members is None else f"{told} of single rows, no proof where rows go together"


def least_seen(n: int, d: int) -> float:
    """A linear share R^2 that the test sees in four of five tables: n R^2 beyond the noise of d squared correlations.

    sum_j n r_j^2 is chi-square with d degrees of freedom, of spread sqrt(2 d); level 2 % and power 80 % are 2.05 and
    0.84 standard normal deviations, and the signal adds spread of its own.
    """
    return min(1.0, ((2.05 + 0.84) * math.sqrt(2 * d + 12) + 2) / n)


def _columns(d: int) -> str:
    return "the one column" if d == 1 else f"the {d} columns"


def _what(found: Diagnosis) -> str:
    target, linear, rest = found.table.target, found.linear, found.rest
    predicts = found.comparison.is_beyond_chance(linear)
    is_told = found.chosen is not None and found.chosen.method.name == "linear"  # in the next sentence
    if predicts:
        first = f"A linear function explains {linear.percent} of {target} on rows it has not seen"
    elif is_told:
        first = f"A linear part of {target} is seen, too weak to predict it from these rows ({linear.percent} held out)"
    else:
        first = f"No linear function is seen to explain {target} ({linear.percent} held out)"
    if rest is None:
        return f"{first}; whether more is left cannot be tested with fewer than 3 rows a column."
    p = f"p = {rest.p_value:.2g}"
    if rest.is_found:
        more = "and there is more than that" if predicts or is_told else "but something else is"
        return f"{first}, {more} ({p})."
    return f"{first}, and beside it nothing is seen ({p})."


def _directions(found: Diagnosis) -> str:
    chosen = found.chosen
    if chosen is None:
        return "No method finds a direction beyond the edge of permuted labels: what there is depends on many at once."
    k = chosen.n_directions
    names = [_and(leading_columns(found.table.columns, row)) for row in chosen.loadings[:NAMED]]
    which = names[0] if k == 1 else ", ".join(f"({number}) {words}" for number, words in enumerate(names, 1))
    told = (
        f"{'One direction matters' if k == 1 else f'{k} directions matter'} beyond chance "
        f"({chosen.method.name}, p = {chosen.p_values[:k].max():.2g}; mostly {which}; "
        f"alone {'it explains' if k == 1 else 'they explain'} {100 * max(chosen.score, 0.0):.0f} % held out)"
    )
    return f"{told}, {_how_well(found)}."


def _how_well(found: Diagnosis) -> str:
    samples, chosen = found.samples, found.chosen
    assert chosen is not None
    one = chosen.n_directions == 1
    if chosen.by_chance >= 1 and found.table.d > 1:  # any rows agree on the whole space
        return "which are as many as there are dimensions: the columns cannot be replaced by fewer"
    if samples is None or not samples.measured:
        return f"but the rows are too few to say how well {'it is' if one else 'they are'} known"
    size = max(samples.measured)
    known = samples.measured[size]
    words = f"known from {size} rows to a squared overlap of {known.value:.2f}"
    best = samples.best
    if round(known.value, 2) >= 0.9:  # as it is told
        loadings = samples.loadings.get(size, known).value
        if round(loadings, 2) >= 0.9:
            return f"{words}: the rows suffice"
        which = f"the direction{'' if one else 's'}, not for which columns carry {'it' if one else 'them'}"
        return f"{words}: the rows suffice for {which} (loadings: {loadings:.2f}), as columns are alike"
    if best is None or best.rows_most is None or best.rows_most <= size:  # a law that the measurement contradicts
        return f"{words}: more rows would help, but no law says how many"
    guide = "" if found.shape.is_nearly_gaussian else ", a rough guide as these inputs are far from Gaussian"
    return f"{words}; {best.rows_most} rows would give 0.9 by the law for Gaussian inputs{guide}"


def _next(found: Diagnosis) -> str:
    comparison = found.comparison
    if found.recommended is None:
        return "No learner predicts better than the mean beyond chance: find more rows before choosing one."
    level = comparison.level
    if found.winner is not None:
        second = _second(found, found.winner)
        lead = comparison.gain(found.winner, second)
        choice = f"Take {found.winner} ({found.learners[found.winner].percent}), ahead of {second} by {lead.percent}"
    else:
        behind = [name for name in comparison.names if name not in level]
        rest = f" ({_and(behind)} {'is' if len(behind) == 1 else 'are'} behind the best of them)" if behind else ""
        which = _and(list(level)) if behind or len(level) < 4 else f"all {len(level)} learners"
        choice = f"No difference is seen between {which}{rest}: take {level[0]}, the simplest"
    choice += _rights(found)
    if doubt := doubt_of(found):
        choice = f"{doubt}; otherwise: {choice[0].lower()}{choice[1:]}"
    return f"{choice}; {_features(found)}{_rows(found)}."


def _rights(found: Diagnosis) -> str:
    """Of classes, how many rows the recommended learner tells right, and the one that tells the most, or the linear."""
    comparison, name = found.comparison, found.recommended
    right = {one: comparison.accuracy(one) or 0.0 for one in comparison.names}
    if name is None or not found.table.classes:
        return ""
    most = max(comparison.names, key=lambda one: right[one])
    other = most if right[most] > right[name] else "linear"
    beside = f"; {other}: {100 * right[other]:.1f} %" if other != name else ""
    return f" (right in {100 * right[name]:.1f} % of the rows{beside})"


def doubt_of(found: Diagnosis) -> str:
    """What to look at before anything is believed: the gravest doubt alone; empty if there is none."""
    table, dependence = found.table, found.dependence
    best = found.comparison.best
    suspects, score, blocks = table.suspects, found.learners[best], dependence.blocks
    if suspects:
        many = "it is" if len(suspects) == 1 else "they are"
        return (
            f"First look at {_and(list(suspects))}: if {many} known only once {table.target} is, every number "
            "here is too good, and the table should be asked again without"
        )
    alike = dependence.neighbours.value
    if blocks is not None and (alike > STRONG or blocks.value < score.value - RISING * score.error):
        return (
            "First ask whether rows depend on their neighbours, as in time or in groups: they are alike (correlation "
            f"{alike:.2f}), and where blocks of consecutive rows are left out {best} explains "
            f"{blocks.percent} instead of {score.percent}, so that every number here may be too good"
        )
    if not table.classes and dependence.heaviest > HEAVY:
        return (
            f"First look at the row whose {table.target} is {dependence.extreme:.4g}: alone it holds "
            f"{100 * dependence.heaviest:.0f} % of the variance, and every score hangs on it"
        )
    return (
        "First look for a column that knows the label, as a score so near to 1 often means"
        if score.value > TOO_GOOD
        else ""
    )


def _features(found: Diagnosis) -> str:
    gain = feature_gain(found)
    if gain is None:
        return ""
    if found.comparison.is_beyond_chance(gain.lead):
        is_said = found.winner == gain.learned and _second(found, gain.learned) == gain.fixed  # as the winner's lead
        return f"learned features help here{'' if is_said else f', by {gain.lead.percent}'}, and "
    return "learned features are not seen to help here, and "


def _second(found: Diagnosis, winner: str) -> str:
    """The best learner beside the winner."""
    others = (name for name in found.comparison.names if name != winner)
    return max(others, key=lambda name: found.comparison.score(name).value)


class FeatureGain(NamedTuple):
    """How much the best learner of features is ahead of the best that keeps its features (trees set aside).

    Args:
        learned: the former.
        fixed: the latter.
        lead: of the one over the other.
    """

    learned: str
    fixed: str
    lead: Estimate


def feature_gain(found: Diagnosis) -> FeatureGain | None:
    """What learned features give; None where nobody learns them, or everybody does."""
    there = [one for one in LEARNERS if one.name in found.comparison.names and one.name != "gradient boosting"]
    learned = [one.name for one in there if one.learns_features]
    fixed = [one.name for one in there if not one.learns_features]
    if not learned or not fixed:
        return None
    best = [max(group, key=lambda name: found.comparison.score(name).value) for group in (learned, fixed)]
    return FeatureGain(best[0], best[1], found.comparison.gain(best[0], best[1]))


def _rows(found: Diagnosis) -> str:
    """Whether more rows help, from the last doubling on the best learner's curve."""
    curve = found.curves.get(found.comparison.best)
    if not curve or len(curve) < 2:
        return "more rows may help"
    before, last = (curve[size] for size in sorted(curve)[-2:])
    rise = last.value - before.value
    chance = RISING * math.hypot(before.error, last.error) / 3  # the same test rows: most of both errors is shared
    if rise > chance:
        return f"more rows will help (the last doubling gave {100 * rise:.1f} %)"
    if rise + chance < NEARLY_ALL:
        return "better or more columns are worth more than more rows"
    return f"whether more rows would help is not seen (the last doubling gave {100 * rise:.1f} % ± {50 * chance:.1f} %)"


def leading_columns(columns: tuple[str, ...], loadings: Array) -> list[str]:
    """The columns of the largest loadings: at most three, and none below a third of the largest."""
    order = np.argsort(-np.abs(loadings))[:NAMED]
    return [columns[j] for j in order if abs(loadings[j]) >= abs(loadings[order[0]]) / 3]


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def refit_of(found: Diagnosis) -> str:
    """Lines of Python that fit the recommended learner to all rows."""
    if found.recommended is None:
        return ""
    learner = next(one for one in LEARNERS if one.name == found.recommended)
    source = found.source or "# X, y: your table as numbers"
    lines = learner.lines(found.seed, bool(found.table.classes))
    return f"import numpy as np\n{source}\n{lines}\nmodel.fit(X, y)"
