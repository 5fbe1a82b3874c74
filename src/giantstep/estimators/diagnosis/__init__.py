"""The diagnosis of a table: what is in it, how sure that is, and which learner to take."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
