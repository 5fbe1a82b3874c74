"""Low-rank matrix sensing: a matrix is recovered from linear measurements by gradient descent on its factors.

operators     A and A* behind one interface: dense, population, a user's own
revealed      the Gaussian operator drawn only where it is asked, exact in law
conventions   names for the losses and the sizes of the start on which papers differ
descent       gradient descent on U U^T or U V^T, a dynamics for `run`
observables   angles, signal and noise parts, errors
times         when the phases of a run end
recovery      `recover(matrices, labels)` for one's own measurements, with scale, step and stop chosen
"""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
