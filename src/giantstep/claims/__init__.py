"""Claims: the papers' theorems, conjectures, examples and figures, each made executable in one file.

All that the file of a claim needs is here. `claim` is the decorator that names a new claim; a claim that exists is made
by `make_claim`, which is `giantstep.claim`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
