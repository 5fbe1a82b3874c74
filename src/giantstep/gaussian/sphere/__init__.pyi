from .overlaps import direction_nodes as direction_nodes
from .overlaps import overlap_nodes as overlap_nodes
from .rotations import angle_rule as angle_rule
from .rotations import chi_square_rule as chi_square_rule
from .rotations import gegenbauer as gegenbauer
from .rotations import harmonics as harmonics
