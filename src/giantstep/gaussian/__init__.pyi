from . import hermite as hermite
from . import kernels as kernels
from . import quadrature as quadrature
from . import sphere as sphere
from .activation_moments import Moments as Moments
from .activation_moments import moments as moments
from .functions import ScalarFunction as ScalarFunction
from .functions import Term as Term
