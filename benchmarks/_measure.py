"""What the benchmarks share: interleaved timing, and one small table of ratios with their aims."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Time:
    """Shortest wall time and shortest CPU time (of all threads) of a function over the repetitions."""

    wall: float = float("inf")
    cpu: float = float("inf")


def interleaved(repeats: int, **work: Callable[[], object]) -> dict[str, Time]:
    """Times of several functions, measured in turn so that a busy machine is fair to all of them."""
    best = dict.fromkeys(work, Time())
    for _ in range(repeats):
        for name, function in work.items():
            wall, cpu = time.perf_counter(), time.process_time()
            function()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            best[name] = Time(min(best[name].wall, wall), min(best[name].cpu, cpu))
    return best


def row(what: str, one: Time, other: Time, aim: str = "") -> str:
    """`one` over `other`: by the clock, which has the aim ("<= 1.3"), and by CPU time, which others disturb less."""
    ratio = one.wall / other.wall
    verdict = ""
    if aim:
        sense, bound = aim.split()
        verdict = "met" if (ratio <= float(bound) if sense == "<=" else ratio >= float(bound)) else "MISSED"
    seconds = f"{one.wall:>10.4g} {other.wall:>10.4g}"
    return f"{what:<46} {seconds} {ratio:>9.3g} {one.cpu / other.cpu:>9.3g}  {aim:>7}  {verdict}"


def header(one: str, other: str) -> str:
    """The table's first line."""
    return f"{'':<46} {one:>10} {other:>10} {'ratio':>9} {'by CPU':>9}  {'aim':>7}"
