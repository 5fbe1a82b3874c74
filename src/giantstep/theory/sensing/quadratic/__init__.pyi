from .exponents import edge_decay as edge_decay
from .exponents import first_samples as first_samples
from .exponents import sample_scaling as sample_scaling
from .noisy_spectra import NoisySpectrum as NoisySpectrum
from .noisy_spectra import noisy_spectrum as noisy_spectrum
from .state_evolution import QuadraticLimit as QuadraticLimit
from .state_evolution import quadratic_limit as quadratic_limit
