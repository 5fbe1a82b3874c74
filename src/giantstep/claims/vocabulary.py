"""What the file of a claim needs from the rooms below, under one roof."""

from giantstep.verdicts.stating import (
    Allowance,
    AllowanceRule,
    Computed,
    Cost,
    Curve,
    Density,
    Measurement,
    Prediction,
    Quantity,
    Run,
    Value,
    largest,
    quantity,
)

__all__ = [
    "Allowance",
    "AllowanceRule",
    "Computed",
    "Cost",
    "Curve",
    "Density",
    "Measurement",
    "Prediction",
    "Quantity",
    "Run",
    "Value",
    "largest",
    "quantity",
]
