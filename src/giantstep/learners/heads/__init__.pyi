from .ridge_head import HeadPath as HeadPath
from .ridge_head import RidgeHead as RidgeHead
from .ridge_head import fit_head as fit_head
from .ridge_head import fit_head_on as fit_head_on
from .second_layer import LEAVE_ONE_OUT as LEAVE_ONE_OUT
from .second_layer import PENALTIES as PENALTIES
from .second_layer import GradientHead as GradientHead
from .second_layer import fit_second_layer as fit_second_layer
