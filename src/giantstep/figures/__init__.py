"""One look for every picture: curves, spectra, heat maps, trajectories, staircases, and panels of them.

A picture is a frozen description made of numbers and words; `draw` turns it into a `Drawing` that saves as
SVG, PDF or PNG. The room knows data, not claims. matplotlib (`giantstep[plot]`) is imported only when
something is drawn.
"""

from giantstep.figures.analysis import staircase_picture
from giantstep.figures.data import (
    CurvePicture,
    HeatMapPicture,
    PanelPicture,
    Picture,
    SpectrumPicture,
    StaircasePicture,
    TrajectoryPicture,
)
from giantstep.figures.draw import Drawing, check_destination, draw
from giantstep.figures.series import Series

__all__ = [
    "CurvePicture",
    "Drawing",
    "HeatMapPicture",
    "PanelPicture",
    "Picture",
    "Series",
    "SpectrumPicture",
    "StaircasePicture",
    "TrajectoryPicture",
    "check_destination",
    "draw",
    "staircase_picture",
]
