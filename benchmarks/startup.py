"""How fast giantstep starts, against `python -c "import numpy"` in the same run.

Aims: `import giantstep` 1.5 or less, `giantstep --help` 3 or less, `show` and `predict` of a claim 4 or less. Prints
the ratio of the fastest of several starts, which find all files compiled.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from tempfile import TemporaryDirectory

REPEATS = 11
CASES = {
    "import giantstep": (["-c", "import giantstep"], 1.5),
    "giantstep --help": (["-m", "giantstep", "--help"], 3.0),
    "giantstep show CLAIM": (["-m", "giantstep", "show", "bes22/weight-spike"], 4.0),
    "giantstep predict CLAIM": (["-m", "giantstep", "predict", "bes22/weight-spike"], 4.0),
    "  and its --help": (["-m", "giantstep", "predict", "bes22/weight-spike", "--help"], 4.0),
}


def fastest(arguments: list[str], compiled: str) -> float:
    """Wall time of the fastest start: what the machine can do when nobody else is using it."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = compiled
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    with TemporaryDirectory() as compiled:
        numpy = fastest(["-c", "import numpy"], compiled)
        print(f"{'import numpy':<24}{1e3 * numpy:8.1f} ms")
        for name, (arguments, aim) in CASES.items():
            seconds = fastest(arguments, compiled)
            ratio = seconds / numpy
            print(f"{name:<24}{1e3 * seconds:8.1f} ms   ratio {ratio:.2f}   aim {aim:g} or less")


if __name__ == "__main__":
    main()
