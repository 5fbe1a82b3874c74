"""What a claim states: values and curves, quantities and their relations, how far finite size may move them."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
