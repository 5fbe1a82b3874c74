from .lazy import LazyRegressor as LazyRegressor
from .tables import LongFitWarning as LongFitWarning
