"""What predicts: kernels with their whole path of penalties, networks after giant steps, recursive feature machines."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
