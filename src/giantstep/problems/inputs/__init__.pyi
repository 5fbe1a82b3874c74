from .correlated import Correlated as Correlated
from .isotropic import Inputs as Inputs
from .isotropic import Isotropic as Isotropic
from .parity import ParityInputs as ParityInputs
from .parity import parity_target as parity_target
from .spiked import Spiked as Spiked
