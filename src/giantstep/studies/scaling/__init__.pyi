from .along_sizes import SizeScaling as SizeScaling
from .along_sizes import scaling_picture as scaling_picture
from .along_sizes import scalings as scalings
