"""A heat map of 100 x 100 cells: from the results of a study to a saved picture, against bare matplotlib.

    python benchmarks/heat_map.py

The other side draws the same numbers with one `pcolormesh` and a colour bar, and has no cells to look up. Aim: each
file in under 3 seconds.
"""

from __future__ import annotations

import io
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from _measure import Time, header, interleaved, row
from giantstep.claims import Allowance, Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity
from giantstep.claims import view as views
from giantstep.studies import Results
from giantstep.verdicts import Cell

SIDE, AIM = 100, 3.0


@named("benchmark/plane", kind="example", cite="bes22")
class Plane(Claim):
    """A product is what it is."""

    step: float = parameters.own(0.5, "one side")
    ridge: float = parameters.own(0.5, "the other side")

    quantities = (quantity.equal("product", Allowance(1.0), "none"),)
    engine = "dense"

    def predict(self) -> Prediction:
        return Prediction({"product": self.step * self.ridge}, regime="always", thresholds={"step": 1 - self.ridge})

    def measure(self, run: Run) -> Measurement:
        noise = run.streams.child("noise").generator().standard_normal()
        return Measurement({"product": self.step * self.ridge + 0.01 * noise})

    def cost(self) -> Cost:
        return Cost(1.0, 1.0)


def results() -> Results:
    """A study that has run, made anew: nothing that an earlier picture looked up is known to it."""
    axis = f"0:1:{SIDE}"
    return Results(Plane(), CELLS, {"seed": 0}, (views.HeatMap("step", axis, "ridge", axis, "product"),))


def whole(file: Path) -> None:
    results().figure().save(file)


def bare(kind: str) -> None:
    figure = Figure()
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    figure.colorbar(axes.pcolormesh(PLACES, PLACES, TABLE, rasterized=True))
    figure.savefig(io.BytesIO(), format=kind, dpi=200)


def main(folder: Path) -> None:
    print(header("giantstep", "bare"))
    slowest = Time(0.0, 0.0)
    for kind in ("svg", "png"):
        ours, theirs = partial(whole, folder / f"map.{kind}"), partial(bare, kind)
        times = interleaved(3, giantstep=ours, bare=theirs)
        print(row(f"heat map of {SIDE} x {SIDE} cells as {kind}", times["giantstep"], times["bare"]))
        slowest = max(slowest, times["giantstep"], key=lambda time: time.wall)
    verdict = "met" if slowest.wall < AIM else "MISSED"
    print(f"slowest picture: {slowest.wall:.2f} s, {slowest.cpu:.2f} s of CPU  (aim < {AIM:g} s)  {verdict}")


if __name__ == "__main__":
    PLACES = np.linspace(0, 1, SIDE)
    POINTS = [Plane(step=float(f"{x:.12g}"), ridge=float(f"{y:.12g}")) for x in PLACES for y in PLACES]
    CELLS = tuple(Cell(p, p.predict(), (Measurement({"product": p.step * p.ridge}),) * 4) for p in POINTS)
    TABLE = np.outer(PLACES, PLACES)
    with tempfile.TemporaryDirectory() as place:
        main(Path(place))
