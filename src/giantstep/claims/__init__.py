"""Claims: the papers' theorems, conjectures, examples and figures, each made executable in one file.

All that the file of a claim needs is here. `claim` is the decorator that names a new claim; a claim that exists is made
by `make_claim`, which is `giantstep.claim`.
"""

from giantstep.claims import parameters
from giantstep.claims.axes import axis_values
from giantstep.claims.base import Claim, ClaimInfo, claim
from giantstep.claims.cells import Cell, Judgement
from giantstep.claims.fields import ActivationField, KernelField, TargetField, parameter
from giantstep.claims.judge import Verdict, judge
from giantstep.claims.paths import Path
from giantstep.claims.quantities import (
    Quantity,
    absolute,
    at_least,
    at_most,
    decreasing,
    equal,
    increasing,
    relative,
    reported,
    slope,
)
from giantstep.claims.registry import claim_class, claim_names, claim_point, make_claim, matching_claims
from giantstep.claims.values import Array, Cost, Curve, Density, Measurement, Prediction, Run, Value
from giantstep.claims.views import CurveView, HeatMapView, SpectrumView, TimeView, TrajectoryView, View
from giantstep.sources import Source

__all__ = [
    "ActivationField", "Array", "Cell", "Claim", "ClaimInfo", "Cost", "Curve", "CurveView", "Density", "HeatMapView",
    "Judgement", "KernelField", "Measurement", "Path", "Prediction", "Quantity", "Run", "Source", "SpectrumView",
    "TargetField", "TimeView", "TrajectoryView", "Value", "Verdict", "View", "absolute", "at_least", "at_most",
    "axis_values", "claim", "claim_class", "claim_names", "claim_point", "decreasing", "equal", "increasing", "judge",
    "make_claim", "matching_claims", "parameter", "parameters", "relative", "reported", "slope",
]  # fmt: skip
