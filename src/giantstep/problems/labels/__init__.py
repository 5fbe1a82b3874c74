"""What a label tells about the directions: the law of z given y, in slices, and when that is enough to find them."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
