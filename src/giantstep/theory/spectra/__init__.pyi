from .conjugate import ConjugateKernel as ConjugateKernel
from .feature_values import FeatureSingularValues as FeatureSingularValues
from .kernel_defect import KernelDefect as KernelDefect
from .kernel_outliers import kernel_spike as kernel_spike
from .kernel_outliers import kernel_threshold_step as kernel_threshold_step
from .kernel_outliers import spike_direction as spike_direction
from .label_matrices import SpectralLaw as SpectralLaw
from .label_matrices import best_transform as best_transform
from .label_matrices import spectral_law as spectral_law
from .label_matrices import spectral_threshold as spectral_threshold
from .label_slices import InverseRegressionLaw as InverseRegressionLaw
from .label_slices import inverse_regression as inverse_regression
from .label_slices import linear_overlap as linear_overlap
from .marchenko_pastur import MarchenkoPastur as MarchenkoPastur
from .marchenko_pastur import SingularValues as SingularValues
from .marchenko_pastur import finite_edge as finite_edge
<<<<<<< HEAD
from .message_matrices import MessageLaw as MessageLaw
from .message_matrices import message_law as message_law
=======
from .power_spikes import PolynomialSpikes as PolynomialSpikes
from .power_spikes import polynomial_spikes as polynomial_spikes
from .power_spikes import signal_in_bulk as signal_in_bulk
>>>>>>> 193d48b (Polynomial spikes: after a step of size n^alpha the left vectors of the features span powers of X beta)
from .weights import left_overlap as left_overlap
from .weights import right_overlap as right_overlap
from .weights import spike_singular_value as spike_singular_value
from .weights import threshold as threshold
from .weights import threshold_step as threshold_step
from .weights import weight_spike as weight_spike
