"""From cells to pictures: a view of a claim, drawn with theory as lines and simulation as marks."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
