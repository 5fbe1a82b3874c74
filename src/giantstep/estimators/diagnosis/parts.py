"""What a page is made of: the parts of a diagnosis as lines, rows of tables and pictures."""

from giantstep.estimators.diagnosis.pictures import CAPTIONS, pictures_of
from giantstep.estimators.diagnosis.roster import LEARNERS
from giantstep.estimators.diagnosis.telling import (
    DIRECTIONS_HEAD,
    LAWS_HEAD,
    direction_rows,
    law_rows,
    learner_rows,
    learners_foot,
    learners_head,
    linear_lines,
    loading_lines,
    loading_rows,
    measured_lines,
    shape_lines,
)
from giantstep.estimators.diagnosis.words import headline

__all__ = [
    "CAPTIONS",
    "DIRECTIONS_HEAD",
    "LAWS_HEAD",
    "LEARNERS",
    "direction_rows",
    "headline",
    "law_rows",
    "learner_rows",
    "learners_foot",
    "learners_head",
    "linear_lines",
    "loading_lines",
    "loading_rows",
    "measured_lines",
    "pictures_of",
    "shape_lines",
]
