from .decayed import DecayedFit as DecayedFit
from .decayed import fit_decayed as fit_decayed
