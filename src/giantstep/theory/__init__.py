"""What mathematics predicts: bulk laws, spikes, Gaussian equivalence, risks and rates.

Pure functions of a few numbers. Each says in its docstring which equation it is, where it comes from and in which
regime it holds; a result used outside its regime carries a `warning`. This room never sees a simulation.
"""

from giantstep.theory.asymptotic_risk import StepRisks, asymptotic_risk
from giantstep.theory.concentration import Concentration, gradient_concentration
from giantstep.theory.conditional_equivalence import (
    ConditionalRisk,
    FeatureClasses,
    conditional_classes,
    conditional_ridge_risk,
    learned_alignment,
)
from giantstep.theory.conjugate_kernel import ConjugateKernel
from giantstep.theory.csq import CsqLimits, csq_bound, family_overlap, largest_overlap, ruled_out
from giantstep.theory.escape import Overlap, asymptotic_exponent, sphere_overlap, step_power
from giantstep.theory.expected_gradient import (
    LEADING_COEFFICIENT,
    LeadingTerm,
    hessian_alignment,
    label_gradient_share,
    leading_term,
    without_linear_part,
)
from giantstep.theory.gradient import GradientLaw, MeanGradient, gradient_law
from giantstep.theory.harmonics import harmonic_energies, kernel_floor
from giantstep.theory.kernel_baselines import (
    infinite_width_risk,
    initial_kernel_risk,
    kernel_lower_bound,
    linear_ridge_risk,
    tangent_kernel_risk,
)
from giantstep.theory.kernel_spike import KernelSpikeLaw, curvature_outlier, kernel_spike, kernel_threshold_step
from giantstep.theory.large_step import (
    Misspecification,
    beats_kernels,
    large_step_floor,
    misspecification,
    ridge_window,
    shares_nonlinear_part,
)
from giantstep.theory.many_neurons import singular_vector_noise
from giantstep.theory.marchenko_pastur import FiniteEdge, MarchenkoPastur, SingularValues, finite_edge
from giantstep.theory.network_gradient import NetworkGradient, network_gradient
from giantstep.theory.overlaps import FirstStepLaw
from giantstep.theory.random_features import feature_kernel_spectrum, random_feature_risk
from giantstep.theory.rank_one import (
    RegimeSlopes,
    StepNorms,
    feature_change,
    frobenius_ratio,
    gradient_norm,
    neuron_gradient,
    regime_slopes,
    step_norms,
    typical_feature_change,
)
from giantstep.theory.ridge_risk import (
    FeatureSpectrum,
    RidgeRisk,
    equivalent_spectrum,
    exact_spectrum,
    ridge_risk,
)
from giantstep.theory.rotation_kernels import kernel_curve
from giantstep.theory.saad_solla import OnlineSetting, OrderParameters, solve_order_parameters
from giantstep.theory.setting import OneStep, Student, Teacher
from giantstep.theory.spiked import (
    SpikeLaw,
    left_overlap,
    right_overlap,
    spike_singular_value,
    threshold,
    threshold_step,
    weight_spike,
)
from giantstep.theory.staircase import StaircasePath, staircase_path
from giantstep.theory.structured.flow_starts import typical_start
from giantstep.theory.structured.flows import SpikedFlow
from giantstep.theory.structured.gradient import (
    SpikeAlignment,
    alignment_exponent,
    half_aligned,
    noise_alignment,
    principal_component_risk,
    principal_cosine,
    spike_alignment,
    spike_alignment_given,
)
from giantstep.theory.structured.isotropic import GradientSize, isotropic_gradient
from giantstep.theory.structured.kernel_risk import (
    eigenlearning_risk,
    half_samples,
    half_strength,
    inflation,
    learned_degree,
    plateau,
    spiked_kernel_risk,
)
from giantstep.theory.structured.spectrum import (
    BulkSector,
    MatrixSpectrum,
    Outlier,
    SpikedMode,
    SpikedSpectrum,
    matrix_spectrum,
    spiked_spectrum,
)
from giantstep.theory.structured.spherical_flow import spherical_path
from giantstep.theory.structured.step import StepCosines, step_cosines, step_limit
from giantstep.theory.training import equivalent_step, feedback
from giantstep.theory.transition import (
    GradientShare,
    gradient_share,
    leading_share,
    share_after_step,
    share_given_overlap,
    share_of_law,
)

__all__ = [
    "LEADING_COEFFICIENT",
    "BulkSector",
    "Concentration",
    "ConditionalRisk",
    "ConjugateKernel",
    "CsqLimits",
    "FeatureClasses",
    "FeatureSpectrum",
    "FiniteEdge",
    "FirstStepLaw",
    "GradientLaw",
    "GradientShare",
    "GradientSize",
    "KernelSpikeLaw",
    "LeadingTerm",
    "MarchenkoPastur",
    "MatrixSpectrum",
    "MeanGradient",
    "Misspecification",
    "NetworkGradient",
    "OneStep",
    "OnlineSetting",
    "OrderParameters",
    "Outlier",
    "Overlap",
    "RegimeSlopes",
    "RidgeRisk",
    "SingularValues",
    "SpikeAlignment",
    "SpikeLaw",
    "SpikedFlow",
    "SpikedMode",
    "SpikedSpectrum",
    "StaircasePath",
    "StepCosines",
    "StepNorms",
    "StepRisks",
    "Student",
    "Teacher",
    "alignment_exponent",
    "asymptotic_exponent",
    "asymptotic_risk",
    "beats_kernels",
    "conditional_classes",
    "conditional_ridge_risk",
    "csq_bound",
    "curvature_outlier",
    "eigenlearning_risk",
    "equivalent_spectrum",
    "equivalent_step",
    "exact_spectrum",
    "family_overlap",
    "feature_change",
    "feature_kernel_spectrum",
    "feedback",
    "finite_edge",
    "frobenius_ratio",
    "gradient_concentration",
    "gradient_law",
    "gradient_norm",
    "gradient_share",
    "half_aligned",
    "half_samples",
    "half_strength",
    "harmonic_energies",
    "hessian_alignment",
    "infinite_width_risk",
    "inflation",
    "initial_kernel_risk",
    "isotropic_gradient",
    "kernel_curve",
    "kernel_floor",
    "kernel_lower_bound",
    "kernel_spike",
    "kernel_threshold_step",
    "label_gradient_share",
    "large_step_floor",
    "largest_overlap",
    "leading_share",
    "leading_term",
    "learned_alignment",
    "learned_degree",
    "left_overlap",
    "linear_ridge_risk",
    "matrix_spectrum",
    "misspecification",
    "network_gradient",
    "neuron_gradient",
    "noise_alignment",
    "plateau",
    "principal_component_risk",
    "principal_cosine",
    "random_feature_risk",
    "regime_slopes",
    "ridge_risk",
    "ridge_window",
    "right_overlap",
    "ruled_out",
    "share_after_step",
    "share_given_overlap",
    "share_of_law",
    "shares_nonlinear_part",
    "singular_vector_noise",
    "solve_order_parameters",
    "sphere_overlap",
    "spherical_path",
    "spike_alignment",
    "spike_alignment_given",
    "spike_singular_value",
    "spiked_kernel_risk",
    "spiked_spectrum",
    "staircase_path",
    "step_cosines",
    "step_limit",
    "step_norms",
    "step_power",
    "tangent_kernel_risk",
    "threshold",
    "threshold_step",
    "typical_feature_change",
    "typical_start",
    "weight_spike",
    "without_linear_part",
]
