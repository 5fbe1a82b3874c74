"""How fast giantstep starts, against `python -c "import numpy"` in the same run.

Aims: `import giantstep` 1.5 or less, `giantstep --help` 3 or less, `show` and `predict` of a claim 4 or less. Prints
the ratio of the fastest of several starts, which find all files compiled: by the clock, which needs a machine that has
nothing else to do, and by CPU time, which does not.

The second table takes one claim of each folder, by CPU time. Theory that needs a part of SciPy must load it (`scipy.special` alone
takes two `import numpy`, `scipy.optimize` four): what that costs by itself is measured too, and taken off before the
aim is asked. What remains can be the theory itself: `show` tells what is allowed at the claim's own point, which some
claims must compute.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import cache
from tempfile import TemporaryDirectory
from typing import NamedTuple

from giantstep.claims import claim_names

REPEATS, REPEATS_BY_FOLDER = 11, 5
CLAIM = "bes22/weight-spike"
CASES = {
    "import giantstep": (["-c", "import giantstep"], 1.5),
    "giantstep --help": (["-m", "giantstep", "--help"], 3.0),
    "giantstep show CLAIM": (["-m", "giantstep", "show", CLAIM], 4.0),
    "giantstep predict CLAIM": (["-m", "giantstep", "predict", CLAIM], 4.0),
    "  and its --help": (["-m", "giantstep", "predict", CLAIM, "--help"], 4.0),
}
OF_A_CLAIM = 4.0
LOADED = """
import sys
from giantstep.cli.main import status
status(sys.argv[1:])
print(*sorted({".".join(name.split(".")[:2]) for name in sys.modules if name.startswith("scipy.")}), file=sys.stderr)
"""


class Spent(NamedTuple):
    """Seconds of a process: by the clock, and of CPU."""

    clock: float
    cpu: float


class Starts:
    """Fresh processes, all of which find the same files compiled."""

    def __init__(self, compiled: str) -> None:
        self.environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        self.environment["PYTHONPYCACHEPREFIX"] = compiled

    def once(self, arguments: list[str]) -> Spent:
        start = time.perf_counter()
        command = [sys.executable, *arguments]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=self.environment)
        _, status, used = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"{' '.join(command)} fails")
        return Spent(time.perf_counter() - start, used.ru_utime + used.ru_stime)

    def fastest(self, arguments: list[str], repeats: int = REPEATS) -> Spent:
        """The least of several starts: what the machine can do when nobody else is using it."""
        found = [self.once(arguments) for _ in range(repeats)]
        return Spent(min(one.clock for one in found), min(one.cpu for one in found))

    @cache  # noqa: B019  (one object, as long as the program)
    def importing(self, *modules: str) -> Spent:
        """A process that imports `modules` and does nothing else."""
        return self.fastest(["-c", f"import {', '.join(modules)}"])

    def parts_of_scipy(self, line: list[str]) -> list[str]:
        """The packages of SciPy that a command of giantstep loads."""
        command = [sys.executable, "-c", LOADED, *line]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=self.environment)
        return [name for name in done.stderr.split() if not name.startswith("scipy._")]


def by_folder(starts: Starts) -> None:
    """`show` and `predict` of the first claim of each folder, the slowest first."""
    numpy = starts.importing("numpy").cpu
    first = {name.split("/")[0]: name for name in reversed(claim_names())}
    rows = []
    for verb in ("show", "predict"):
        for name in first.values():
            seconds = starts.fastest(["-m", "giantstep", verb, name], REPEATS_BY_FOLDER).cpu
            parts = starts.parts_of_scipy([verb, name])
            scipy = starts.importing("numpy", *parts).cpu - numpy if parts else 0.0
            rows.append(((seconds - scipy) / numpy, seconds / numpy, f"{verb} {name}", parts))
    print(f"\n{'one claim of each folder':<42}   ratio   without SciPy   aim {OF_A_CLAIM:g} or less")
    for own, ratio, line, parts in sorted(rows, reverse=True):
        loads = ", ".join(part.removeprefix("scipy.") for part in parts if part != "scipy.version")
        print(f"{line:<42}{ratio:8.2f}{own:12.2f}{'   ' if own <= OF_A_CLAIM else ' ! '}   {loads}")


def main() -> None:
    with TemporaryDirectory() as compiled:
        starts = Starts(compiled)
        numpy = starts.importing("numpy")
        print(f"{'import numpy':<24}{1e3 * numpy.clock:8.1f} ms, {1e3 * numpy.cpu:.1f} ms of CPU")
        for name, (arguments, aim) in CASES.items():
            found = starts.fastest(arguments)
            by_clock, by_cpu = found.clock / numpy.clock, found.cpu / numpy.cpu
            print(
                f"{name:<24}{1e3 * found.clock:8.1f} ms   ratio {by_clock:.2f}, of CPU {by_cpu:.2f}   aim {aim:g} or less"
            )
        by_folder(starts)


if __name__ == "__main__":
    main()
