"""Exponents over the plane of spike and alignment: of drawn starts, of flows, of the samples that descent needs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from giantstep.claims import view
from giantstep.claims.structured.phase_diagram import PhaseDiagram
from giantstep.errors import InputError
from giantstep.streams import Streams
from giantstep.studies import Study
from giantstep.studies.pictures.whole import picture_of
from giantstep.verdicts.stating import Run

pytestmark = pytest.mark.agreement

FAR = {"d": 10**6, "starts": 9}
XOR = {"target": "He2(x1)/sqrt(2)", "activation": "relu"}
PLANE = {"strength_exponent": [0.1, 0.4], "alignment_exponent": [0, 0.25]}
SEARCH = {"d": 16, "starts": 4, "data_sets": 6, "samples_per_dim": 2, "doublings": 7, "steps": 40}


def mean(cell, name: str) -> float:
    return float(np.mean(cell.values_of(name)))


def test_exponents_over_the_plane(seed: int) -> None:
    results = Study(PhaseDiagram(**FAR), **PLANE, seeds=3, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    places = {(c.point.alignment_exponent, c.point.strength_exponent): c for c in results.cells}
    # Beside the spike, from gamma2 = gamma1 to 2 gamma1, a start is worse than along it; the flow feels both.
    assert mean(places[0.25, 0.1], "time_exponent") == pytest.approx(0.5, abs=0.05)
    assert mean(places[0.25, 0.4], "time_exponent") == pytest.approx(0.35, abs=0.05)
    assert mean(places[0.0, 0.4], "time_exponent") == pytest.approx(0.3, abs=0.03)


def test_the_time_of_exponent_two_is_a_logarithm() -> None:
    cell = PhaseDiagram(**FAR, **XOR, alignment_exponent=0.0, strength_exponent=0.4).run(seeds=3).cells[0]
    assert mean(cell, "time_exponent") == pytest.approx(0.3, abs=0.02)
    assert cell.prediction["time_limit"] == pytest.approx(0.3)


def test_descent_needs_fewer_samples_than_suffice() -> None:
    point = PhaseDiagram(**SEARCH, strength_exponent=0.3, alignment_exponent=0)
    found = [point.measure(Run(Streams(seed))) for seed in range(8)]
    growth = [float(m["sample_exponent"]) for m in found]
    error = np.std(growth, ddof=1) / np.sqrt(len(growth))
    assert point.predict()["sample_exponent"] == pytest.approx(2.54, abs=0.01)  # 2.4 for large d
    assert np.mean(growth) + 2 * error < 2.4
    assert all(2 < float(m["half_samples"]) < 128 for m in found)


def test_a_number_that_is_not_bracketed_is_said() -> None:
    point = PhaseDiagram(**SEARCH)
    many = point.replace(samples_per_dim=200, doublings=1)
    assert many.measure(Run(Streams(0))).values["half_samples"] < many.samples_per_dim  # looked for below it
    with pytest.raises(InputError, match=r"still.*raise doublings"):
        point.replace(doublings=1).measure(Run(Streams(0)))
    with pytest.raises(InputError, match="doublings = 3 is not allowed from d"):
        PhaseDiagram(**FAR, doublings=3)


def test_a_stronger_spike_helps_descent() -> None:
    study = Study(PhaseDiagram(d=40, steps=60), strength_exponent=[0.0, 1.0], seeds=12)
    weak, strong = study.run(workers=1).cells
    assert mean(strong, "final_overlap") > mean(weak, "final_overlap") + 0.1


def test_the_map_of_samples_is_theory_and_says_so() -> None:
    """What is measured nowhere in a map is drawn as predicted, with both borders of the regimes."""
    shown = view.HeatMap("strength_exponent", (0.0, 0.5, 1.0), "alignment_exponent", (0.0, 0.5), "sample_exponent")
    study = Study(PhaseDiagram(**FAR), **{axis.name: axis for axis in shown.axes}, seeds=1)
    cells = study.run(workers=1)
    plot = picture_of(replace(cells, views=(shown,)))
    assert plot.title == "power of d in the samples that suffice (theory)"
    np.testing.assert_allclose(plot.values, [[3, 2, 1], [3, 3, 1]])
    x, y = plot.boundary
    np.testing.assert_allclose(x, [0, 0.5, np.nan, 0, 0.5, 1])
    np.testing.assert_allclose(y, [0, 0.5, np.nan, 0, 0.25, 0.5])
    measured = picture_of(replace(cells, views=(replace(shown, quantity="time_exponent"),)))
    assert measured.title == "growth of the median time from d to 100 d"
    assert measured.values[0, 1] == mean(cells.cells[2], "time_exponent")
