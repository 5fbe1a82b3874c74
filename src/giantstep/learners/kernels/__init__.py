"""Ridge regression on kernels: any of <x, x'>/d, those of wide networks, tangent kernels; and exact risks."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
