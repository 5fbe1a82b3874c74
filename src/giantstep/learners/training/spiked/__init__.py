"""A network on spiked inputs: its gradients, what they align with, its risk."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
