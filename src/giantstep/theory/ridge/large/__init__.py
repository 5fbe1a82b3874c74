"""The risk after a large step: its floor, the window of ridges, averaged neurons."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
