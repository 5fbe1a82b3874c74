"""Sweeps under a memory limit whose workers, drivers and cluster workers are killed at random, for ten minutes.

    python tests/soak/soak.py [MINUTES]

Linux only. It prints what must be nought, records lost, bits wrong, processes left and tracebacks, and how memory and
open files of a process that runs one study after the other have grown; the status is 1 if it is not as it must be.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.studies.test_killing import Mortal  # noqa: E402

from giantstep.studies import LocalProcesses, Results, Store, Study  # noqa: E402

CLAIM = "tests.studies.test_killing:Mortal"
SIZES, SEEDS, NAME = 40, 5, "soak"
MARK = "GIANTSTEP_SOAK"  # in the environment of everything that is started here, and so of what it starts
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}  # who is started must know the claim
LIMIT = 4 << 30  # bytes of address space of each process
MOST_GROWTH = 20e6  # bytes: what a process may keep of its first studies
WARM_UP = 2  # studies in which a process still loads and opens what it needs once
PATIENCE = 30.0  # seconds until a process that should have ended counts as left


@dataclass
class Found:
    """What was found so far."""

    rounds: int = 0
    kills: int = 0
    lost: int = 0
    wrong: int = 0
    left: int = 0
    tracebacks: int = 0


def marked(value: str) -> set[int]:
    """The processes that carry a mark, without this one and the dead."""
    found = set()
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and f"{MARK}={value}".encode() in (entry / "environ").read_bytes():
                found.add(int(entry.name))
    return found - {os.getpid()}


def workers_of(value: str) -> list[int]:
    """The processes among them that multiprocessing has started to work."""
    found = []
    for pid in sorted(marked(value)):
        with suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


def records(place: Path) -> set[tuple[bytes, int]]:
    """Point and seed of what was measured: a number alone would not show one that is lost while others come."""
    with closing(sqlite3.connect(place)) as db:
        return set(db.execute("SELECT key, seed FROM records WHERE measurement NOT NULL"))


def study(place: Path | None, folder: Path | None = None) -> Study:
    point = Mortal(folder=str(folder) if folder else "")
    kept = {"name": NAME, "store": place} if place else {}
    return Study(point, size=f"1:{SIZES}:{SIZES}", seeds=SEEDS, **kept)  # type: ignore[arg-type]


def sweep(place: Path, folder: Path, mark: str, cluster: str, errors: IO[bytes]) -> subprocess.Popen[bytes]:
    line = [sys.executable, "-m", "giantstep", "sweep", CLAIM, "--size", f"1:{SIZES}:{SIZES}", "--seeds", str(SEEDS)]
    # A task that was killed again and again while it ran alone has failed, as documented: it is tried again.
    line += ["--folder", str(folder), "--store", str(place), "--name", NAME, "--quiet", "--retry-failed"]
    import resource  # which Windows lacks

    line += ["--cluster", cluster] if cluster else ["--workers", "2"]
    return subprocess.Popen(
        line,
        cwd=ROOT,
        env={**ENVIRONMENT, MARK: mark},
        stdout=subprocess.DEVNULL,
        stderr=errors,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
    )


def killed_round(place: Path, folder: Path, chance: random.Random, cluster: str, found: Found) -> None:
    """One driver in a process of its own: some of its workers are killed, and in the end the driver too."""
    before = records(place)
    mark = f"{os.getpid()}-{found.rounds}"
    with tempfile.TemporaryFile() as errors:  # no pipe: whoever is left would keep it open
        driver = sweep(place, folder, mark, cluster, errors)
        for _ in range(chance.randrange(4)):
            time.sleep(chance.uniform(0.1, 3.0))
            if victims := sorted(marked(mark) - {driver.pid}):
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(victims), signal.SIGKILL)
                    found.kills += 1
        time.sleep(chance.uniform(0.1, 3.0))
        driver.send_signal(chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT]))
        driver.wait()
        found.kills += 1
        end = time.monotonic() + PATIENCE
        while (left := marked(mark)) and time.monotonic() < end:
            time.sleep(0.05)
        found.left += len(left)
        errors.seek(0)
        told = errors.read()
    # Python's own, before it comes to our files, are not counted, nor what dask says of workers that are killed.
    found.tracebacks += not cluster and b"Traceback" in told and b"giantstep" in told
    found.lost += len(before - records(place))


def differing(found: Results, right: Results) -> int:
    """Measurements that differ in any bit, or are missing in one of them."""
    wrong = 0
    for a, b in zip(found.cells, right.cells, strict=True):
        wrong += len(a.seeds) != len(b.seeds)
        wrong += sum(
            m.values["level"] != n.values["level"] for m, n in zip(a.measurements, b.measurements, strict=False)
        )
    return wrong


def long_lived_round(folder: Path, right: Results, found: Found) -> tuple[int, int]:
    """A study in this process, one of whose workers is killed; gives its open files and bytes of memory afterwards."""
    for file in folder.iterdir():
        file.unlink()
    over = threading.Event()

    def assassin() -> None:
        while not over.wait(0.05):
            for file in folder.iterdir():
                with suppress(ProcessLookupError):
                    os.kill(int(file.name), signal.SIGKILL)
                    found.kills += 1
                return

    thread = threading.Thread(target=assassin)
    thread.start()
    results = study(None, folder).run(executor=LocalProcesses(2))
    over.set()
    thread.join()
    found.wrong += differing(results, right)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return len(list(Path("/proc/self/fd").iterdir())), pages * os.sysconf("SC_PAGE_SIZE")


def growth(sizes: list[int]) -> float:
    """How much more there is late than early: medians of the last and the first third of the rounds after the warm-up.

    A leak adds something in every round, and so two thirds of all it adds is seen; what one round happens to hold when
    it is looked at is not taken for growth.
    """
    after = sizes[WARM_UP:]
    third = max(1, len(after) // 3)
    return median(after[-third:]) - median(after[:third])


@contextmanager
def dask_cluster() -> Iterator[tuple[str, str]]:
    """The address of a cluster, and the mark of its workers, which are started again when they die."""
    line = [sys.executable, str(Path(__file__).with_name("cluster.py"))]
    to, back = subprocess.PIPE, subprocess.PIPE
    mark = f"{os.getpid()}-cluster"
    with subprocess.Popen(line, stdin=to, stdout=back, text=True, env={**ENVIRONMENT, MARK: mark}) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), mark
        process.communicate()


def main(minutes: float) -> int:
    seed = int(time.time())
    chance, found = random.Random(seed), Found()
    right = study(None).run(workers=1)
    sizes: list[tuple[int, int]] = []
    with tempfile.TemporaryDirectory() as temporary, dask_cluster() as (cluster, of_cluster):
        place, folder = Path(temporary) / "s.sqlite", Path(temporary) / "seen"
        folder.mkdir()
        Store(place).close()
        end = time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            by_cluster = found.rounds % 4 == 3
            if by_cluster and (victims := workers_of(of_cluster)):
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(victims), signal.SIGKILL)
                    found.kills += 1
            killed_round(place, folder, chance, cluster if by_cluster else "", found)
            if len(records(place)) == SIZES * SEEDS:
                with Store(place) as store:
                    found.wrong += len(store.check().damage)
                found.wrong += differing(study(place, folder).results(), right)
                with Store(place) as store:
                    store.forget(NAME)
            sizes.append(long_lived_round(folder, right, found))
            found.rounds += 1
        study(place, folder).run(workers=2, retry_failed=True)
        found.wrong += differing(study(place, folder).results(), right)
        with Store(place) as store:
            found.wrong += len(store.check().damage)
    print(f"seed {seed}: {found.rounds} rounds, {found.kills} kills, each process within {LIMIT >> 30} GB")
    print(f"records lost: {found.lost}\nbits wrong: {found.wrong}\nprocesses left: {found.left}")
    print(f"tracebacks: {found.tracebacks}")
    if len(sizes) < WARM_UP + 3:
        print("growth of one process: not known, for these are too few rounds; give it more minutes")
        return 1
    files, memory = map(growth, map(list, zip(*sizes, strict=True)))
    print(f"growth of one process: {files:g} open files, {memory / 1e6:.1f} MB")
    return int(bool(found.lost or found.wrong or found.left or found.tracebacks) or files > 0 or memory > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0))
