from .giant_step import GiantStepClassifier as GiantStepClassifier
from .giant_step import GiantStepRegressor as GiantStepRegressor
from .lazy import LazyRegressor as LazyRegressor
from .tables import LongFitWarning as LongFitWarning
