"""Spectra in the proportional regime: bulk laws, spikes of weights and of the conjugate kernel."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
