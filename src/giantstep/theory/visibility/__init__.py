"""How much of the target one gradient step sees: neuron by neuron, many together, after pre-processing, by queries."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
