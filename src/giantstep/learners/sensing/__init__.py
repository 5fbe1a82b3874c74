"""Low-rank matrix sensing: a matrix is recovered from linear measurements by gradient descent on its factors.

operators     A and A* behind one interface: dense, population, a user's own
revealed      the Gaussian operator drawn only where it is asked, exact in law
conventions   names for the losses and the sizes of the start on which papers differ
descent       gradient descent on U U^T or U V^T, state by state
observables   angles, signal and noise parts, errors
phases        when the phases of a run end
recovery      `recover(matrices, labels)` for one's own measurements, with scale, step and stop chosen
"""

from giantstep.learners.sensing.conventions import SensingLoss, StartScale
from giantstep.learners.sensing.coordinates import Coordinates
from giantstep.learners.sensing.descent import (
    DescentState,
    Factors,
    Sensing,
    descend,
    orthonormal,
    random_factors,
)
from giantstep.learners.sensing.observables import (
    Parts,
    parts,
    relative_error,
    sine,
    top_eigenspace,
    top_left_space,
    weakest_signal,
)
from giantstep.learners.sensing.operators import DenseOperator, LinearMap, Operator, PopulationOperator, symmetrised
from giantstep.learners.sensing.phases import PhaseTimes, crossing, phase_times
from giantstep.learners.sensing.recovery import Recovery, recover
from giantstep.learners.sensing.revealed import RevealedOperator

__all__ = [
    "Coordinates",
    "DenseOperator",
    "DescentState",
    "Factors",
    "LinearMap",
    "Operator",
    "Parts",
    "PhaseTimes",
    "PopulationOperator",
    "Recovery",
    "RevealedOperator",
    "Sensing",
    "SensingLoss",
    "StartScale",
    "crossing",
    "descend",
    "orthonormal",
    "parts",
    "phase_times",
    "random_factors",
    "recover",
    "relative_error",
    "sine",
    "symmetrised",
    "top_eigenspace",
    "top_left_space",
    "weakest_signal",
]
