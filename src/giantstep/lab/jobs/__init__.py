"""What the lab computes: each job is a function from plain data to plain data, performed in a worker process."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
