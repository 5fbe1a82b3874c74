"""What kernels and random features learn from isotropic and spiked Gaussian inputs: spectra, risks, floors."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
