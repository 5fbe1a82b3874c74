from . import directions as directions
from .directions import Directions as Directions
from .directions import LinearDirection as LinearDirection
from .directions import SlicedInverseRegression as SlicedInverseRegression
from .whitening import Whitening as Whitening
