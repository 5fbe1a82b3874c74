from .blocks import table_blocks as table_blocks
from .giant_step import GiantStepClassifier as GiantStepClassifier
from .giant_step import GiantStepRegressor as GiantStepRegressor
from .lazy import LazyRegressor as LazyRegressor
from .recursive import RecursiveFeatureRegressor as RecursiveFeatureRegressor
from .tables import LongFitWarning as LongFitWarning
