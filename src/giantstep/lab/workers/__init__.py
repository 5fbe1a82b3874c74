"""Who computes for the lab: processes of their own that may be stopped, and may die, at the cost of one sentence."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
