"""Results as plain data: dictionaries for JSON, rows for tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Claim, engine_names
from giantstep.studies.environment import environment
from giantstep.verdicts import Cell, Judgement, mean_and_error
from giantstep.verdicts.stating import Curve, Prediction, Quantity, Value

FINITE = ("predicted_finite", "gap_finite", "gap_error")


def cell_dict(cell: Cell, judged: Mapping[str, Sequence[Judgement]]) -> dict[str, Any]:
    """A point of a study with the means of its quantities, what theory says of each, and how sharply it was judged."""
    names = dict.fromkeys([*cell.prediction.values, *(n for m in cell.measurements for n in m.values)])
    parameters = cell.point.parameters()
    # Of a number that is judged in several ways, the first is told.
    resolutions = {j.quantity.name: _resolution_dict(j) for j in reversed(judged.get(str(parameters), ()))}
    quantities = {}
    for name in names:
        seeds = cell.values_of(name)
        mean, error = mean_and_error(seeds) if seeds else (None, None)
        told = {"predicted": cell.prediction.values.get(name), "measured": mean, "stderr": error}
        if (on_draws := cell.mean_for_draws(name)) is not None:
            told["predicted_finite"] = on_draws
        numbers = {word: value_dict(value) for word, value in told.items()}
        quantities[name] = {**numbers, "resolution": resolutions.get(name)}
    return {"parameters": parameters, "seeds": list(cell.seeds), "quantities": quantities}


def rows(cell: Cell, seed: int, name: str, value: Value, finite: Value | None) -> list[dict[str, Any]]:
    """What one seed showed of one quantity, as rows of a table: one, or one for each place of a curve."""
    head = {**cell.point.parameters(), "seed": seed, "quantity": name}
    places = value.x if isinstance(value, Curve) else np.array([np.nan])
    columns = {"measured": value, "predicted": cell.prediction.values.get(name), "predicted_finite": finite}
    read = {word: _read_at(places, known) for word, known in columns.items()}
    return [
        {**head, "x": float(x), **{word: float(column[i]) for word, column in read.items()}}
        for i, x in enumerate(places)
    ]


def mean_rows(cell: Cell) -> list[dict[str, Any]]:
    """The means of a point's quantities over its seeds, as rows of a table."""
    found: list[dict[str, Any]] = []
    for name in dict.fromkeys(name for m in cell.measurements for name in m.values):
        seeds = cell.values_of(name)
        mean, error = mean_and_error(seeds)
        places = mean.x if isinstance(mean, Curve) else np.array([np.nan])
        theory = {"predicted": cell.prediction.values.get(name), "predicted_finite": cell.mean_for_draws(name)}
        read = {word: _read_at(places, value) for word, value in {"measured": mean, "stderr": error, **theory}.items()}
        head = {**cell.point.parameters(), "seeds": len(seeds), "quantity": name}
        for i, x in enumerate(places):
            found.append({**head, "x": float(x), **{word: float(column[i]) for word, column in read.items()}})
    return found


def _read_at(places: Array, value: Value | None) -> Array:
    """A value at these places: a curve is read between its own, a number stands for itself, nothing is NaN."""
    if value is None:
        return np.full_like(places, np.nan)
    if not isinstance(value, Curve):
        return np.full_like(places, float(value))
    return np.asarray(np.interp(places, value.x, value.y, left=np.nan, right=np.nan))


def value_dict(value: Value | None) -> Any:
    """A number, or the list of a curve's values; what JSON cannot hold (infinite errors of one seed) becomes null."""
    if value is None:
        return None
    if isinstance(value, Curve):
        return [float(v) if np.isfinite(v) else None for v in value.y]
    return float(value) if np.isfinite(value) else None


def _quantity_dict(
    relation: str,
    predicted: Value | None,
    measured: Value | None = None,
    stderr: Value | None = None,
    gap: Value | None = None,
    **more: Any,
) -> dict[str, Any]:
    curve = next((v for v in (measured, predicted) if isinstance(v, Curve)), None)
    return {
        **({"x": [float(v) for v in curve.x], "x_name": curve.x_name} if curve is not None else {}),
        "predicted": value_dict(predicted),
        "measured": value_dict(measured),
        "stderr": value_dict(stderr),
        "relation": relation,
        "gap": value_dict(gap),
        "holds": None,
        "resolution": None,
        **more,
    }


def judgement_dict(j: Judgement) -> dict[str, Any]:
    """What was judged of one quantity, in the words of the record."""
    finite = {name: value_dict(getattr(j, name)) for name in FINITE} if j.predicted_finite is not None else {}
    holds = None if j.status == "undecided" or not j.counts else j.status == "holds"
    allowed = {"allowance": j.allowance, "allowance_rule": j.quantity.allowance.in_words()}
    return _quantity_dict(
        j.quantity.relation,
        j.predicted,
        j.measured,
        j.stderr,
        j.gap,
        **finite,
        **allowed,
        resolution=_resolution_dict(j),
        holds=holds,
    )


def _resolution_dict(j: Judgement) -> dict[str, Any] | None:
    return None if j.resolution is None else j.resolution.to_dict()


def _prediction_dict(quantity: Quantity | None, point: Claim, predicted: Value) -> dict[str, Any]:
    if quantity is None:
        return _quantity_dict("reported", predicted, allowance=0.0, allowance_rule="nothing")
    allowed = value_dict(quantity.granted(point, predicted))
    rule = quantity.allowance.in_words()
    return _quantity_dict(quantity.relation, predicted, allowance=allowed, allowance_rule=rule)


def prediction_dict(point: Claim, prediction: Prediction) -> dict[str, Any]:
    """The record of what theory says at a point: the one of a run, with nothing measured.

    Its `allowance` is what finite size may do to the prediction, for a curve at each place.

    Args:
        point: the claim at this point.
        prediction: what it predicts there.
    """
    first = {q.name: q for q in reversed(point.stated())}  # of a number that is judged in several ways
    told = {name: _prediction_dict(first.get(name), point, value) for name, value in prediction.values.items()}
    return {
        "claim": point.name,
        "parameters": point.parameters(),
        "quantities": told,
        "regime": prediction.regime,
        "notes": list(prediction.notes),
        "provenance": provenance(point, 0, 0.0, 0),
    }


def provenance(claim: Claim, seed: int, seconds: float, workers: int) -> dict[str, Any]:
    """What is needed to trust and repeat a result."""
    return {
        **environment(),
        "claim_version": claim.info.version,
        "seed": seed,
        "engine": engine_names(claim.engine),
        "convention": claim.convention,
        "seconds": round(seconds, 3),
        "workers": workers,
    }
