"""What learns: two-layer networks, their giant steps on two engines, ridge heads, and the risk of the result.

The full engine works on d-dimensional data streamed in blocks; the reduced engine on order parameters only,
exact in law and at a cost independent of d. Factors on which papers differ have names (`conventions`).
Low-rank matrix sensing has a room of its own, `giantstep.learners.sensing`, with `recover` for one's own measurements.
"""

from giantstep.learners.biased_kernels import BiasedKernel, kernel_risks
from giantstep.learners.blocks import one_blas_thread, sum_over_blocks
from giantstep.learners.conditional_gaussian import ConditionalFeatures, learned_direction
from giantstep.learners.conventions import PenaltyConvention, Scaling, StepConvention
from giantstep.learners.csq import largest_entry, random_family, sampled_correlation, told_apart
from giantstep.learners.head import HeadPath, RidgeHead, fit_head, fit_head_on
from giantstep.learners.initialisation import (
    BES22,
    DKLPS23,
    DKLPS23_GAUSSIAN,
    DLS22,
    Initialisation,
    initialise,
)
from giantstep.learners.kernel_fit import KernelFit, fit_kernel, kernel_matrix
from giantstep.learners.kernels import kernel_ridge, wide_kernel, wide_kernel_moments
from giantstep.learners.linear_part import LinearPart, Remainder, linear_part, remainder_moments
from giantstep.learners.meanfield.langevin import Langevin, LangevinRun, Particles, random_particles, run_langevin
from giantstep.learners.moments import FeatureMoments, feature_moments
from giantstep.learners.network import Network
from giantstep.learners.online import OnlinePath, escape_steps, online_sgd
from giantstep.learners.online_risk import online_risk
from giantstep.learners.online_state import OnlineState, random_start, start_at
from giantstep.learners.polynomial_learner import (
    LearnedFeatures,
    PolynomialFit,
    learn_features,
    learn_polynomial,
)
from giantstep.learners.population import population_gradient, random_overlaps
from giantstep.learners.preprocessed import label_gradient
from giantstep.learners.reduced import (
    ReducedInfo,
    ReducedState,
    apply_reduced,
    initial_state,
    reduced_gradient,
    reduced_step,
)
from giantstep.learners.risk import MonteCarloRisk, exact_risk, monte_carlo_risk
from giantstep.learners.scatter import squared_deviations
from giantstep.learners.second_layer import LEAVE_ONE_OUT, GradientHead, fit_second_layer
from giantstep.learners.step import GiantStep, StepInfo, apply_gradient, first_layer_gradient, take_step
from giantstep.learners.structured.flow_task import FlowTask, sphere_starts
from giantstep.learners.structured.flows import Flow
from giantstep.learners.structured.kernel_modes import MatchedModes, matched_modes, operator_eigenvalues
from giantstep.learners.structured.kernel_risk import half_samples_of, half_strength_of, spiked_risk
from giantstep.learners.structured.misaligned import mean_cosine, neuron_gradients, split_gradient_squares
from giantstep.learners.structured.network import (
    first_gradients,
    half_aligned_of,
    network_risk,
    principal_risk,
    spike_alignments,
    trained_network,
)
from giantstep.learners.tangent import TangentMoments, tangent_directions, tangent_kernel, tangent_moments

__all__ = [
    "BES22",
    "DKLPS23",
    "DKLPS23_GAUSSIAN",
    "DLS22",
    "LEAVE_ONE_OUT",
    "BiasedKernel",
    "ConditionalFeatures",
    "FeatureMoments",
    "Flow",
    "FlowTask",
    "GiantStep",
    "GradientHead",
    "HeadPath",
    "Initialisation",
    "KernelFit",
    "Langevin",
    "LangevinRun",
    "LearnedFeatures",
    "LinearPart",
    "MatchedModes",
    "MonteCarloRisk",
    "Network",
    "OnlinePath",
    "OnlineState",
    "Particles",
    "PenaltyConvention",
    "PolynomialFit",
    "ReducedInfo",
    "ReducedState",
    "Remainder",
    "RidgeHead",
    "Scaling",
    "StepConvention",
    "StepInfo",
    "TangentMoments",
    "apply_gradient",
    "apply_reduced",
    "escape_steps",
    "exact_risk",
    "feature_moments",
    "first_gradients",
    "first_layer_gradient",
    "fit_head",
    "fit_head_on",
    "fit_kernel",
    "fit_second_layer",
    "half_aligned_of",
    "half_samples_of",
    "half_strength_of",
    "initial_state",
    "initialise",
    "kernel_matrix",
    "kernel_ridge",
    "kernel_risks",
    "label_gradient",
    "largest_entry",
    "learn_features",
    "learn_polynomial",
    "learned_direction",
    "linear_part",
    "matched_modes",
    "mean_cosine",
    "monte_carlo_risk",
    "network_risk",
    "neuron_gradients",
    "one_blas_thread",
    "online_risk",
    "online_sgd",
    "operator_eigenvalues",
    "population_gradient",
    "principal_risk",
    "random_family",
    "random_overlaps",
    "random_particles",
    "random_start",
    "reduced_gradient",
    "reduced_step",
    "remainder_moments",
    "run_langevin",
    "sampled_correlation",
    "sphere_starts",
    "spike_alignments",
    "spiked_risk",
    "split_gradient_squares",
    "squared_deviations",
    "start_at",
    "sum_over_blocks",
    "take_step",
    "tangent_directions",
    "tangent_kernel",
    "tangent_moments",
    "told_apart",
    "trained_network",
    "wide_kernel",
    "wide_kernel_moments",
]
