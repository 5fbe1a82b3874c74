from .other_ways import isometry_constant as isometry_constant
from .other_ways import least_nuclear_norm as least_nuclear_norm
from .other_ways import spectral_start as spectral_start
from .other_ways import unfitted_share as unfitted_share
