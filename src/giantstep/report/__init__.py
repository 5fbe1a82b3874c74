"""The report: a folder of pages with verdicts, numbers and pictures, light and dark."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
