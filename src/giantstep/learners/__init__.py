"""What learns: two-layer networks, their giant steps on two engines, ridge heads, and the risk of the result.

The full engine works on d-dimensional data streamed in blocks; the reduced engine on order parameters only,
exact in law and at a cost independent of d. Factors on which papers differ have names (`conventions`).
"""

from giantstep.learners.blocks import one_blas_thread, sum_over_blocks
from giantstep.learners.conventions import PenaltyConvention, Scaling, StepConvention
from giantstep.learners.head import HeadPath, RidgeHead, fit_head, fit_head_on
from giantstep.learners.initialisation import (
    BES22,
    DKLPS23,
    DKLPS23_SPREAD,
    DLS22,
    Initialisation,
    initialise,
)
from giantstep.learners.kernels import kernel_ridge, wide_kernel, wide_kernel_moments
from giantstep.learners.moments import FeatureMoments, feature_moments
from giantstep.learners.network import Network
from giantstep.learners.reduced import ReducedInfo, ReducedState, initial_state, local_features, reduced_step
from giantstep.learners.risk import MonteCarloRisk, exact_risk, monte_carlo_risk
from giantstep.learners.step import GiantStep, StepInfo, apply_gradient, first_layer_gradient, take_step
from giantstep.learners.tangent import TangentMoments, tangent_directions, tangent_kernel, tangent_moments

__all__ = [
    "BES22",
    "DKLPS23",
    "DKLPS23_SPREAD",
    "DLS22",
    "FeatureMoments",
    "GiantStep",
    "HeadPath",
    "Initialisation",
    "MonteCarloRisk",
    "Network",
    "PenaltyConvention",
    "ReducedInfo",
    "ReducedState",
    "RidgeHead",
    "Scaling",
    "StepConvention",
    "StepInfo",
    "TangentMoments",
    "apply_gradient",
    "exact_risk",
    "feature_moments",
    "first_layer_gradient",
    "fit_head",
    "fit_head_on",
    "initial_state",
    "initialise",
    "kernel_ridge",
    "local_features",
    "monte_carlo_risk",
    "one_blas_thread",
    "reduced_step",
    "sum_over_blocks",
    "take_step",
    "tangent_directions",
    "tangent_kernel",
    "tangent_moments",
    "wide_kernel",
    "wide_kernel_moments",
]
