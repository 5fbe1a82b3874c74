"""Many neurons as one law: Fokker-Planck equations and the fluctuations of finitely many particles."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
