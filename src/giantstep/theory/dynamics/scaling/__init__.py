"""How the risk falls as a power of time or of compute: random features with power laws, directions learned in turn."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
