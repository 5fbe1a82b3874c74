"""The papers' trainings in stages: giant steps of the first layer, then a head; and what is compared with them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
