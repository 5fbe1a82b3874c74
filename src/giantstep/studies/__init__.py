"""Studies: many runs of one claim over a grid and seeds, in this process or on many, with one verdict."""

from giantstep.studies.results import Frame, Results
from giantstep.studies.study import Study

__all__ = ["Frame", "Results", "Study"]
