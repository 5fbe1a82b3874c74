"""The compute-optimal front as it is measured: SGD at several numbers of features, and the best of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.learners.engines.online import EigenSGD, draw_features, feature_modes
from giantstep.streams import Streams
from giantstep.theory.dynamics.scaling import compute_front

PLACES = 9  # sizes, from d/16 to d
AROUND = 3  # places on either side of the best one, through which a parabola is laid
REACH = 4.0  # sizes that are run at a compute: up to this factor from the best one
DECADE = 10.0
PICTURED = 24  # moments of a curve in the picture
MOST_DRAWS, RUNS = 16, 4  # draws of the features at one size, and runs of SGD on each

front = lru_cache(maxsize=4096)(compute_front)


def sizes_up_to(d: int) -> list[int]:
    """The numbers of features: nine, a factor sqrt(2) apart, the largest of them d."""
    return sorted({max(2, round(d * 2 ** (-k / 2))) for k in range(PLACES)})


@dataclass(frozen=True, eq=False)
class SizedRuns:
    """The risk of SGD after some numbers of steps, by the number of features; a mean over draws."""

    times: Mapping[int, Array]
    risks: Mapping[int, Array]

    def best(self, compute: float, batch: int, wanted: Sequence[int]) -> tuple[float, float]:
        """The least risk at a compute among the `wanted` sizes, and its size, by a parabola in logarithms."""
        sizes = [d for d in wanted if self.times[d][-1] >= round(compute / (d * batch)) >= 1]
        logs = np.log([self.risks[d][np.searchsorted(self.times[d], round(compute / (d * batch)))] for d in sizes])
        x, low = np.log(sizes), int(np.argmin(logs))
        near = slice(max(0, low - AROUND), low + AROUND + 1)
        bend, tilt, level = np.polyfit(x[near] - x[low], logs[near], 2)
        place = np.clip(-tilt / (2 * bend), x[near][0] - x[low], x[near][-1] - x[low]) if bend > 0 else 0.0
        return float(np.exp(level + tilt * place + bend * place**2)), float(np.exp(x[low] + place))


def run_sizes(
    asked: Mapping[int, Sequence[float]],
    v: int,
    exponents: tuple[float, float],
    step: float,
    batch: int,
    draws: int,
    streams: Streams,
) -> SizedRuns:
    """SGD at each of the sizes, at the steps that the computes `asked` for there come to, and on the way.

    Args:
        asked: the computes at which each size is looked at.
        v: the dimension of the inputs.
        exponents: a and b.
        step: g.
        batch: B.
        draws: of the features at the largest size; smaller ones vary more, and have in proportion more of them.
        streams: where everything is drawn from.
    """
    times, risks, largest = {}, {}, max(asked)
    for d, computes in asked.items():
        ends = [max(1, round(f / (d * batch))) for f in computes]
        way = np.round(np.geomspace(1, max(ends), PICTURED)).astype(int)
        times[d] = np.unique(np.append(ends, way))
        own = streams.child(f"d = {d}")
        many = min(MOST_DRAWS, round(draws * largest / d))
        drawn = [draw_features(v, d, *exponents, own.child(f"draw {k}")) for k in range(many)]
        modes = feature_modes(drawn).repeated(RUNS)
        sgd = EigenSGD(modes, step, batch, own)
        found = learners.run(sgd, -modes.best, times=times[d], watch={"risk": modes.risk})
        risks[d] = found["risk"].mean(axis=1)
    return SizedRuns(times, risks)
