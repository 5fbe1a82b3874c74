"""Flows on spiked inputs: normalised and spherical, their starts, their widths."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
