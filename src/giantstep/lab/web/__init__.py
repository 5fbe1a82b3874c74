"""The server: who may ask, what is answered, and how a stream of events ends when nobody listens any more."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
