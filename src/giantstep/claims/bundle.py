"""Bundles: the points that one simulation serves, dealt into nested groups, with results put back in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

from giantstep.claims.base import Claim
from giantstep.verdicts.stating import Measurement

Point = TypeVar("Point", bound=Claim)


class Bundle(Generic[Point]):
    """The `points` that one simulation serves.

    Work through it group by group; `measurements` come in the order of the points.

    bundle = Bundle(points)
    for step, group in bundle.by("step"):
        net = ...                               # one network per step size
        risks = ...([p.ridge for p in group])   # one factorisation per network
        for point, risk in zip(group, risks): bundle.put(point, Measurement(...))
    return bundle.measurements()
    """

    def __init__(self, points: Sequence[Point]) -> None:
        self.points = list(points)
        self._found: dict[int, Measurement] = {}

    def by(self, parameter: str, within: Sequence[Point] | None = None) -> Iterator[tuple[Any, list[Point]]]:
        """Groups of points with equal values of a parameter, in the order of first appearance."""
        groups: dict[Any, list[Point]] = {}
        for point in self.points if within is None else within:
            groups.setdefault(getattr(point, parameter), []).append(point)
        yield from groups.items()

    def put(self, point: Point, measurement: Measurement) -> None:
        """Note what was measured at one of the points."""
        self._found[id(point)] = measurement

    def measurements(self) -> list[Measurement]:
        """All measurements in the order of the points; every point must have one."""
        return [self._found[id(point)] for point in self.points]
