"""Low-rank matrix sensing: spectral starts, phases of descent, balance, and the error that is left."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
