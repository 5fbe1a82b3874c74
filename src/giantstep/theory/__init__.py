"""What mathematics predicts: bulk laws, spikes, Gaussian equivalence, risks and rates.

Pure functions of a few numbers. Each says in its docstring which equation it is, where it comes from and in which
regime it holds; a result used outside its regime carries a `warning`. This room never sees a simulation.
"""

from giantstep.theory.asymptotic_risk import OneStepRisk, asymptotic_risk
from giantstep.theory.conjugate_kernel import ConjugateKernel
from giantstep.theory.gradient import GradientLaw, MeanGradient, gradient_law
from giantstep.theory.kernel_baselines import (
    infinite_width_risk,
    initial_kernel_risk,
    kernel_lower_bound,
    linear_ridge_risk,
    tangent_kernel_risk,
)
from giantstep.theory.kernel_spike import KernelSpike, curvature_outlier, kernel_spike, kernel_threshold_step
from giantstep.theory.large_step import (
    Misspecification,
    beats_kernels,
    large_step_bound,
    large_step_floor,
    misspecification,
    ridge_window,
    shares_nonlinear_part,
)
from giantstep.theory.marchenko_pastur import FiniteEdge, MarchenkoPastur, SingularValues, finite_edge
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
from giantstep.theory.setting import OneStep, Student, Teacher
from giantstep.theory.spiked import (
    WeightSpike,
    left_overlap,
    right_overlap,
    spike_singular_value,
    threshold,
    threshold_step,
    weight_spike,
)
from giantstep.theory.training import equivalent_step, feedback
from giantstep.theory.transition import GradientShare, gradient_share, leading_share, share_of_law

__all__ = [
    "ConjugateKernel",
    "FeatureSpectrum",
    "FiniteEdge",
    "GradientLaw",
    "GradientShare",
    "KernelSpike",
    "MarchenkoPastur",
    "MeanGradient",
    "Misspecification",
    "OneStep",
    "OneStepRisk",
    "RegimeSlopes",
    "RidgeRisk",
    "SingularValues",
    "StepNorms",
    "Student",
    "Teacher",
    "WeightSpike",
    "asymptotic_risk",
    "beats_kernels",
    "curvature_outlier",
    "equivalent_spectrum",
    "equivalent_step",
    "exact_spectrum",
    "feature_change",
    "feedback",
    "finite_edge",
    "frobenius_ratio",
    "gradient_law",
    "gradient_norm",
    "gradient_share",
    "infinite_width_risk",
    "initial_kernel_risk",
    "kernel_lower_bound",
    "kernel_spike",
    "kernel_threshold_step",
    "large_step_bound",
    "large_step_floor",
    "leading_share",
    "left_overlap",
    "linear_ridge_risk",
    "misspecification",
    "neuron_gradient",
    "regime_slopes",
    "ridge_risk",
    "ridge_window",
    "right_overlap",
    "share_of_law",
    "shares_nonlinear_part",
    "spike_singular_value",
    "step_norms",
    "tangent_kernel_risk",
    "threshold",
    "threshold_step",
    "typical_feature_change",
    "weight_spike",
]
