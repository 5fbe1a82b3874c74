"""`giantstep verify` of several claims as one queue: are all cores at work until the end?

    python benchmarks/verify_queue.py [claims]

Each line is a fresh process on free cores, with all it takes: imports, theory, simulations, verdicts. A few claims that
are quick, unless names or patterns ('bes22/*') are given. Utilisation is the CPU time of a command and of its workers
over its time on all cores: what the queue is for. Aim: 0.9 or more.

The sum of the times for each claim alone is told too, but it is no measure of the queue: a claim alone has a pool of
workers as well, so a queue saves what each command takes to start (about a second and a half, on one core) and the idle
cores at the end of each claim. For claims of a few seconds it takes about 0.6 of that sum, for long ones nearly all.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass

from giantstep.claims import matching_claims
from giantstep.studies import Study, cores

QUICK = (
    "bes22/tau-star",
    "dls22/gradient-concentration",
    "lazy/neurons",
    "meanfield/log-sobolev",
    "sensing/landscape",
    "sensing/large-start",
    "structured/kernel-misaligned",
    "structured/random-biases",
)
AIM = 0.9


@dataclass(frozen=True)
class Verified:
    """What a command took: seconds by the clock, and CPU seconds of it and its workers."""

    seconds: float
    busy: float

    @property
    def utilisation(self) -> float:
        return self.busy / (cores() * self.seconds)


def verified(names: list[str]) -> Verified:
    start = time.perf_counter()
    command = [sys.executable, "-m", "giantstep", "verify", *names, "--quiet"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    return Verified(time.perf_counter() - start, used.ru_utime + used.ru_stime)


def line(words: str, found: Verified, more: str) -> None:
    print(f"{words:<34}{found.seconds:8.1f} s   utilisation {found.utilisation:.2f}   {more}", flush=True)


def main(patterns: tuple[str, ...]) -> None:
    names = [cls.info.name for cls in matching_claims(patterns)]
    alone = []
    for name in names:
        alone.append(verified([name]))
        line(name, alone[-1], f"{len(Study.of_views(name).tasks())} simulations")
    total = Verified(sum(one.seconds for one in alone), sum(one.busy for one in alone))
    line("one after the other", total, "")
    together = verified(names)
    met = "met" if together.utilisation >= AIM else "MISSED"
    line("one queue", together, f"aim {AIM} or more: {met};   {together.seconds / total.seconds:.2f} of the time")


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or QUICK)
