from .spans import Basis as Basis
from .spans import Vector as Vector
from .spans import dot as dot
