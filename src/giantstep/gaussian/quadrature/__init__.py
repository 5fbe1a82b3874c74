"""Expectations under the normal law: rules on lines and grids, split at kinks, with errors stated and meant."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
