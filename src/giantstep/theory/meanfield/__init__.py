"""Many neurons as one law: Fokker-Planck equations and the fluctuations of finitely many particles."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
