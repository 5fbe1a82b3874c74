from . import subspaces as subspaces
from .analysis import Analysis as Analysis
from .as_text import direction_text as direction_text
from .conditional import Spread as Spread
from .landscape import Landscape as Landscape
from .visibility import has_coefficient as has_coefficient
from .visibility import sight as sight
