"""The papers' trainings in stages: giant steps of the first layer, then a head; and what is compared with them."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
