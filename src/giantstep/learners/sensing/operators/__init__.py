"""What is measured of a matrix: dense, sparse, revealed and symmetrised operators."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
