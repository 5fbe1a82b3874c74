"""What is to be learned: targets and activations written as text, inputs, label noise, and samples in blocks."""

from giantstep.problems.activation import Activation
from giantstep.problems.analysis import Analysis
from giantstep.problems.inner_product import InnerProductKernel
from giantstep.problems.inputs import Inputs, Isotropic
from giantstep.problems.parity import ParityInputs, parity_target
from giantstep.problems.problem import ArraySample, DrawnSample, Problem, Sample
from giantstep.problems.spiked import Spiked
from giantstep.problems.target import Target
from giantstep.problems.zoo import ZOO, Specimen

__all__ = [
    "ZOO",
    "Activation",
    "Analysis",
    "ArraySample",
    "DrawnSample",
    "InnerProductKernel",
    "Inputs",
    "Isotropic",
    "ParityInputs",
    "Problem",
    "Sample",
    "Specimen",
    "Spiked",
    "Target",
    "parity_target",
]
