from . import directions as directions
from . import predictors as predictors
from .directions import Directions as Directions
from .directions import LinearDirection as LinearDirection
from .directions import SlicedInverseRegression as SlicedInverseRegression
from .predictors import LazyRegressor as LazyRegressor
from .whitening import Whitening as Whitening
