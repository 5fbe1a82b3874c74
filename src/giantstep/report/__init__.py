"""The report: a folder of pages with verdicts, numbers and pictures, light and dark."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
