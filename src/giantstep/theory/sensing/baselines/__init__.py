"""What descent from a small start is compared with: the spectral start, the nuclear norm, the tangent model."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
