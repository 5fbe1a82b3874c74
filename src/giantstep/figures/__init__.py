"""One look for every picture: curves, spectra, heat maps, trajectories, staircases, and panels of them.

A picture is a frozen description made of numbers and words; `draw` turns it into a `Drawing` that saves as
SVG, PDF or PNG. The room knows data, not claims. matplotlib (`giantstep[plot]`) is imported only when
something is drawn.
"""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
