"""Studies: many runs of one claim over a grid and seeds, in this process or on many, with one verdict."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
