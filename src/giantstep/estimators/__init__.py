"""Feature learning on tables of your own, with the face of scikit-learn: whitening, directions, regressors, diagnosis.

`directions` finds the few directions on which a label depends, each method a class with `fit` and `transform`. What is
here needs scikit-learn (`giantstep[sklearn]`), which is imported when one of these names is first used.
"""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
