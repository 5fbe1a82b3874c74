"""What mathematics predicts: bulk laws, spikes, Gaussian equivalence, risks and rates.

Pure functions of a few numbers, by topic: `spectra`, `ridge`, `gradient`, `kernels`, `visibility`, `dynamics`,
`structured`, `sensing`, `meanfield`. Each says in its docstring which equation it is, where it comes from and in which
regime it holds; a result used outside its regime carries a `warning`. This room never sees a simulation.
"""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
