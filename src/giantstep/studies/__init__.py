"""Studies: many runs of one claim over a grid and seeds, in this process or on many, with one verdict."""

from giantstep.studies.estimate import ResourceEstimate
from giantstep.studies.results import Frame, Results
from giantstep.studies.store import Store
from giantstep.studies.study import Study

__all__ = ["Frame", "ResourceEstimate", "Results", "Store", "Study"]
