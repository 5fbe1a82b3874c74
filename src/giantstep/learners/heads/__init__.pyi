from .fitting import LEAVE_ONE_OUT as LEAVE_ONE_OUT
from .fitting import RIDGES as RIDGES
from .fitting import fit_head as fit_head
from .gradient_head import GradientHead as GradientHead
from .head_path import HeadPath as HeadPath
from .ridge_head import RidgeHead as RidgeHead
from .ridge_head import fit_ridge as fit_ridge
