"""What kernels and random features learn from isotropic and spiked Gaussian inputs: spectra, risks, floors."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
