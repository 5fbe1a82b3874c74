"""Inputs with a spike: alignments of the first gradient, random starts, and flows of one neuron."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
