"""How fast giantstep starts, against `python -c "import numpy"` in the same run.

Aims: `import giantstep` 1.5 or less, `giantstep --help` 3 or less. Prints the ratio of the fastest of several starts.
"""

from __future__ import annotations

import subprocess
import sys
import time

REPEATS = 11


def fastest(line: list[str]) -> float:
    """Wall time of the fastest start: what the machine can do when nobody else is using it."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    numpy = fastest([sys.executable, "-c", "import numpy"])
    print(f"import numpy            {1e3 * numpy:7.1f} ms")
    cases = {
        "import giantstep": ([sys.executable, "-c", "import giantstep"], 1.5),
        "giantstep --help": ([sys.executable, "-m", "giantstep", "--help"], 3.0),
    }
    for name, (line, aim) in cases.items():
        seconds = fastest(line)
        ratio = seconds / numpy
        print(f"{name:<22}{1e3 * seconds:8.1f} ms   ratio {ratio:.2f}   aim {aim} or less")


if __name__ == "__main__":
    main()
