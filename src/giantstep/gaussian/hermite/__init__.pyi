from .line_integrals import line_moments as line_moments
from .polynomials import hermite as hermite
from .polynomials import hermite_coefficients as hermite_coefficients
from .polynomials import hermite_table as hermite_table
from .polynomials import power_to_hermite as power_to_hermite
from .series import expand as expand
from .series import hermite_series as hermite_series
