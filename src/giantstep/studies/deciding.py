"""More seeds for a default study whose verdict is undecided for want of them.

Whether a verdict is undecided depends on the standard error, hardly on the gap: asking for more seeds until the error
is small enough is no search for a wished answer. It ends at four times the claim's own seeds, at all points alike, so
that no place is looked at more often than the others because of what it showed.
"""

from __future__ import annotations

from giantstep.errors import InputError
from giantstep.studies.results import Results
from giantstep.studies.study import Study

MOST_TIMES = 4  # the claim's own number of seeds


def with_more_seeds(study: Study, told: Results | InputError) -> Study | None:
    """The default `study` with twice the seeds, where these may decide what it `told`.

    None where the verdict is decided, where somebody said how many seeds there are to be, and where nobody can say how
    many would do, or more than are ever taken.
    """
    if not study.spec.get("views") or study.spec["seeds"] is not None:
        return None
    if isinstance(told, InputError) or told.interrupted or told.failures or told.verdict.status != "undecided":
        return None
    times = study.seeds_times
    most = max(seeds for _, seeds in study.points) * MOST_TIMES // times
    open_ones = [j for j in told.verdict.judgements if j.counts and j.status == "undecided"]
    if times >= MOST_TIMES or not all(j.seeds_needed and j.seeds_needed <= most for j in open_ones):
        return None
    return Study.of_views(study.base, seed=study.seed, name=study.name, store=study.store, seeds_times=2 * times)
