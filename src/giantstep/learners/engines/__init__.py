"""How a step of the first layer is simulated: in full, streamed in blocks, or by order parameters, exact in law."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
