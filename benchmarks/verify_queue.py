"""`giantstep verify` of several claims as one queue, against the sum of its times for each claim alone.

    python benchmarks/verify_queue.py [claims]

Each line is a fresh process on two free cores, with all it takes: imports, theory, simulations, verdicts. A few claims
that are quick, unless names or patterns ('bes22/*') are given. Aim: 0.6 or less.
"""

from __future__ import annotations

import subprocess
import sys
import time

from giantstep.claims import matching_claims
from giantstep.studies import Study

QUICK = (
    "deep-linear/sequential",
    "dklps23/per-neuron",
    "dls22/gradient-concentration",
    "lazy/least-squares",
    "lazy/neurons",
    "structured/misaligned-step",
)
AIM = 0.6


def seconds(names: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "giantstep", "verify", *names, "--quiet"], stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main(patterns: tuple[str, ...]) -> None:
    names = [cls.info.name for cls in matching_claims(patterns)]
    alone = []
    for name in names:
        alone.append(seconds([name]))
        print(f"{name:<34}{alone[-1]:8.1f} s   {len(Study.of_views(name).tasks())} simulations", flush=True)
    together = seconds(names)
    ratio = together / sum(alone)
    print(f"{'their sum':<34}{sum(alone):8.1f} s")
    print(f"{'one queue':<34}{together:8.1f} s   ratio {ratio:.2f}   aim {AIM} or less", end="   ")
    print("met" if ratio <= AIM else "MISSED")


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or QUICK)
