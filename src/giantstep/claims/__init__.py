"""Claims: the papers' theorems, conjectures, examples and figures, each made executable in one file."""

from giantstep.claims.axes import axis_values
from giantstep.claims.base import ActivationField, Claim, ClaimInfo, KernelField, TargetField, claim, parameter
from giantstep.claims.cells import Cell, Judgement
from giantstep.claims.judge import Verdict, judge
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
from giantstep.claims.registry import claim_class, claim_names, make_claim, matching_claims
from giantstep.claims.values import Cost, Curve, Density, Measurement, Prediction, Run
from giantstep.claims.views import CurveView, HeatMapView, SpectrumView, TimeView, TrajectoryView, View

__all__ = [
    "ActivationField", "Cell", "Claim", "ClaimInfo", "Cost", "Curve", "CurveView", "Density", "HeatMapView",
    "Judgement", "KernelField", "Measurement", "Prediction", "Quantity", "Run", "SpectrumView", "TargetField",
    "TimeView", "TrajectoryView", "Verdict", "View", "absolute", "at_least", "at_most", "axis_values", "claim",
    "claim_class", "claim_names", "decreasing", "equal", "increasing", "judge", "make_claim", "matching_claims",
    "parameter", "relative", "reported", "slope",
]  # fmt: skip
