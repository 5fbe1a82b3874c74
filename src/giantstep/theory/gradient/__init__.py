"""The first gradients: their law, mean and noise, how much of them lies in the target's directions."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
