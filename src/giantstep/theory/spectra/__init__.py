"""Spectra in the proportional regime: bulk laws, spikes of weights and of the conjugate kernel."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
