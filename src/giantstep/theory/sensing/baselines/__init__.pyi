from .convex import isometry_bound as isometry_bound
from .convex import nuclear_norm_threshold as nuclear_norm_threshold
from .convex import spectral_error as spectral_error
from .linearised import tangent_interpolant as tangent_interpolant
from .linearised import tangent_residual as tangent_residual
