"""Kernels, rounds and penalties of the recursive feature machine, chosen on rows that no round has seen.

All of the fit is made anew without each fold of the rows, one round at a time for all folds; rows of no fold are always
fitted and never judged. The penalty of a round is
the one of the least error on held-out rows, over all folds; the outer products of this round are taken at it. A kernel
goes on as long as a round lowers its error by a hundredth, and falls behind if another is better by two standard errors
after a round: not before the first, for what a kernel makes of its features is not known before. Fitting to all rows
then repeats what was chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.estimators.predictors.choosing import Rows
from giantstep.estimators.predictors.rounds import Recipe, Round, Stage, stage_of

MOST_ROUNDS = 4
"""Rounds after the first fit that "auto" takes at most."""
START = (-2, 1)
"""Powers of ten of lambda that are tried in the first round, beside the one next to 1/n, for kernels that are 1 at
distance 0 (absolute ones, not multiples of 1/n: a weight of 2 and a copy of the row lead to the same fit) ..."""
ENDS = (-9, 4)
"""... and how far they go on if the best lies at the end."""
LATER = (-1, 1)
"""Powers of ten beside the best of the round before that are tried in a later one."""
WORTH = 0.01
"""Share of the error by which a round must lower it to be followed by another."""
BEHIND = 2.0
"""Standard errors by which a kernel is left behind."""


TOO_SMALL = "the penalty is below the rounding of the kernel: give a larger ridge"


@dataclass(frozen=True, eq=False)
class Contender:
    """A kernel after some rounds, and how it does on rows that it has not seen.

    Args:
        recipe: the kernel.
        ridges: lambda of each round, one more than there were outer products.
        errors: squared errors of the rows, summed over labels, (n,); 0 for rows that are not held out.
        stretches: R of the last round in each fold.
    """

    recipe: Recipe
    ridges: tuple[float, ...]
    errors: Array
    stretches: tuple[Array, ...]

    @property
    def rounds(self) -> int:
        return len(self.ridges) - 1

    def on_more_rows(self, share: float) -> Contender:
        """The same for a table of which these rows were a share: what is added to the diagonal, n lambda, stays."""
        return replace(self, ridges=tuple(ridge * share for ridge in self.ridges))

    def behind(self, other: Contender, share: Array) -> tuple[float, float]:
        """By how much its error is larger than that of another, and the standard error of this."""
        gap = self.errors - other.errors
        mean = float(share @ gap)
        return mean, float(np.sqrt(share**2 @ (gap - mean) ** 2))


class Course:
    """One kernel on its way through the rounds."""

    def __init__(self, recipe: Recipe, rows: Rows, dealt: np.ndarray, ridge: Array | None) -> None:
        self.recipe, self.rows, self.ridge = recipe, rows, ridge
        self.folds = [dealt == number for number in np.unique(dealt[dealt >= 0])]
        self.judged = judged_shares(rows, dealt)
        self.stretches = tuple(recipe.first(rows.x.shape[1]) for _ in self.folds)
        self.found: list[Contender] = []
        self.fits: list[Round] = []
        self.is_running = True

    def advance(self) -> None:
        """One more round."""
        before = self.found[-1] if self.found else None
        if before is not None:
            kept = [self.rows[~out].share for out in self.folds]
            products = [fit.outer_product(share) for fit, share in zip(self.fits, kept, strict=True)]
            self.stretches = tuple(self.recipe.next(product) for product in products)
        ridge, errors, self.fits = self._best_penalty(before, self._stages(self.stretches))
        require(np.isfinite(errors).all(), TOO_SMALL)
        self.found.append(Contender(self.recipe, (*(before.ridges if before else ()), ridge), errors, self.stretches))

    def error(self, one: Contender) -> float:
        return float(self.judged @ one.errors)

    @property
    def best(self) -> Contender:
        return min(self.found, key=self.error)

    @property
    def is_done(self) -> bool:
        """Whether the last round did not lower the error, or hardly."""
        return len(self.found) > 1 and self.error(self.found[-1]) >= (1 - WORTH) * self.error(self.found[-2])

    def refined(self, one: Contender) -> Contender:
        """The same with a penalty between two powers of ten, if that is better."""
        if self.ridge is not None:
            return one
        near = self._fits(one.ridges[-1] * 10.0 ** np.array([-0.5, 0.5]), self._stages(one.stretches))
        finer = [Contender(one.recipe, (*one.ridges[:-1], ridge), near[ridge][0], one.stretches) for ridge in near]
        return min((one, *finer), key=self.error)

    def _stages(self, stretches: Sequence[Array]) -> list[Stage]:
        """The rows without each fold, stretched."""
        pairs = zip(self.folds, stretches, strict=True)
        return [stage_of(self.rows[~out], self.recipe, stretch, len(self.folds)) for out, stretch in pairs]

    def _best_penalty(self, before: Contender | None, stages: list[Stage]) -> tuple[float, Array, list[Round]]:
        """The penalty of the least error in this round, the errors of all rows, and the fits without each fold."""
        n, share = len(self.rows.y), self.judged
        if self.ridge is not None:
            tried = self._fits(self.ridge, stages)
        else:
            unit = -round(np.log10(n))
            middle = unit if before is None else round(np.log10(before.ridges[-1]))
            low, high = (middle + end for end in (START if before is None else LATER))
            powers = np.arange(max(low, unit + ENDS[0]), min(high, unit + ENDS[1]) + 1)
            tried = self._fits(10.0**powers, stages)
            while len(powers):  # go on where the best lies at an end
                place = int(np.argmin([share @ tried[ridge][0] for ridge in sorted(tried)]))
                low, high = round(np.log10(min(tried))), round(np.log10(max(tried)))
                beyond = [low - 2, low - 1] if place == 0 else [high + 1, high + 2] if place == len(tried) - 1 else []
                powers = np.array([p for p in beyond if unit + ENDS[0] <= p <= unit + ENDS[1]])
                tried |= self._fits(10.0**powers, stages)
        best = min(tried, key=lambda ridge: float(share @ tried[ridge][0]))
        return best, *tried[best]

    def _fits(self, ridge: Array, stages: Sequence[Stage]) -> dict[float, tuple[Array, list[Round]]]:
        """By penalty: squared errors of every row by the fit without its fold, infinite below rounding; the fits."""
        errors, fits = np.zeros((len(ridge), len(self.rows.y))), []
        for out, stage in zip(self.folds, stages if len(ridge) else (), strict=False):
            fit = stage.fit(ridge)
            found = fit.predict(stage.values_at(self.rows.x[out]))
            errors[:, out] = ((self.rows.y[out] - found) ** 2).sum(axis=2)
            fits.append(fit)
        errors = np.where(np.isfinite(errors), errors, np.inf)
        return {float(one): (errors[i], [fit.only(i) for fit in fits]) for i, one in enumerate(ridge)}


def judged_shares(rows: Rows, dealt: np.ndarray) -> Array:
    """Shares of the rows among those that are held out, (n,)."""
    share = np.where(dealt >= 0, rows.share, 0.0)
    return np.asarray(share / share.sum())


def race(
    rows: Rows,
    recipes: Sequence[Recipe],
    dealt: np.ndarray,
    rounds: int | None,
    ridge: Array | None,
    progress: Callable[[float], None] | None = None,
) -> list[Course]:
    """Let kernels take their rounds, and leave those behind that cannot win.

    Args:
        rows: the table.
        recipes: the kernels.
        dealt: the number of the fold of each row, (n,); -1 for a row that is never held out.
        rounds: how many after the first fit; None for as many as help, up to `MOST_ROUNDS`.
        ridge: penalties to choose from, (L,); None for powers of ten around the best.
        progress: is told the share that is done.
    """
    courses = [Course(recipe, rows, dealt, ridge) for recipe in recipes]
    most = MOST_ROUNDS if rounds is None else rounds
    for number in range(most + 1):
        running = [course for course in courses if course.is_running]
        for place, course in enumerate(running):
            course.advance()
            if progress is not None:
                progress((number + (place + 1) / len(running)) / (most + 2))
        best = min(courses, key=lambda course: course.error(course.best)).best
        for course in running if rounds is None and number else ():
            gap, error = course.best.behind(best, course.judged)
            course.is_running = not (course.is_done or gap > BEHIND * error)
    return courses


def winner_of(courses: Sequence[Course], rounds: int | None) -> Contender:
    """The contender of the least error; one without a round unless another is better by more than a standard error.

    Args:
        courses: the kernels and how they did.
        rounds: the number of rounds that was asked for; None for any.
    """
    judged = courses[0].judged

    def error(one: Contender) -> float:
        return float(judged @ one.errors)

    allowed = [(one, course) for course in courses for one in course.found if rounds is None or one.rounds == rounds]
    best, course = min(allowed, key=lambda pair: error(pair[0]))
    plain = [pair for pair in allowed if pair[0].rounds == 0]
    if plain and best.rounds:
        simple, its = min(plain, key=lambda pair: error(pair[0]))
        gain, chance = simple.behind(best, judged)
        if gain <= chance:
            best, course = simple, its
    return course.refined(best)


def fit_all(rows: Rows, contender: Contender) -> Round:
    """What was chosen, on all rows; with the stretch of the race where some of the rows were held out once."""
    if len(contender.stretches) == 1:
        contender = replace(contender, ridges=contender.ridges[-1:])
    stretch = contender.stretches[0] if not contender.rounds else contender.recipe.first(rows.x.shape[1])
    for number, penalty in enumerate(contender.ridges):
        fitted = stage_of(rows, contender.recipe, stretch).fit(np.array([penalty]))
        if number < contender.rounds:
            stretch = contender.recipe.next(fitted.outer_product(rows.share))
    require(np.isfinite(fitted.dual).all(), TOO_SMALL)
    return fitted
