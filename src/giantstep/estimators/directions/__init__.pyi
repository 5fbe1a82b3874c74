from .base import Directions as Directions
from .linear import LinearDirection as LinearDirection
from .sliced_inverse import SlicedInverseRegression as SlicedInverseRegression
