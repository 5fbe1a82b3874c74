"""Claims: the papers' theorems, conjectures, examples and figures, each made executable in one file.

All that the file of a claim needs is here, in one line: the nouns, `named`, which gives a class its name, and three
words to write it with: `parameters`, `quantity` and `view`. A claim that exists is made at a point by `claim`.
"""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
