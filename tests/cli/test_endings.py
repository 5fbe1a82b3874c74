"""A command is ended from outside: nothing is left behind, nothing is lost, and no traceback is shown."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="signals of POSIX, and /proc to see who is left"),
]

SWEEP = ["sweep", "tests.studies.test_killing:Mortal", "--size", "1:40:40", "--seeds", "5", "--workers", "2"]
PATIENCE = 120.0  # seconds, for a machine that is busy with other things; nothing is measured by it


def alive(pid: int) -> bool:
    """Whether the process is there, and no mere corpse that nobody has buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(condition: object, what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, what
        time.sleep(0.01)


def children(pid: int) -> list[int]:
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def hear_all() -> None:
    """Whoever runs the tests in the background may have them started deaf."""
    for name in ("SIGINT", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)


@pytest.mark.parametrize(("number", "code"), [("SIGTERM", 143), ("SIGHUP", 129), ("SIGINT", 130), ("SIGKILL", -9)])
def test_workers_end_with_their_driver(number: str, code: int, tmp_path: Path) -> None:
    seen, place = tmp_path / "seen", tmp_path / "s.sqlite"
    seen.mkdir()
    line = [sys.executable, "-m", "giantstep", *SWEEP, "--folder", str(seen), "--store", str(place), "--name", "mine"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(line, **pipes, preexec_fn=hear_all) as process:
        wait_until(lambda: len(list(seen.iterdir())) == 2 or process.poll() is not None, "two workers at work")
        left = children(process.pid)
        assert len(left) >= 2, process.stderr
        process.send_signal(getattr(signal, number))
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert "Traceback" not in errors
    wait_until(lambda: not any(map(alive, left)), f"workers are left after {number}")
    with sqlite3.connect(place) as store:
        (state,) = store.execute("SELECT state FROM studies").fetchone()
    store.close()
    if number == "SIGKILL":
        assert state == "running"  # nobody could say otherwise
    else:
        assert "of 200 records done; the same command goes on where it was" in errors
        assert state == "interrupted"
        assert not place.with_name("s.sqlite-wal").exists(), "the store was not closed"


PRESSED = """
import os, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)

class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), getattr(signal, sys.argv[2]))

sys.meta_path.insert(0, Pressed())
from giantstep.cli.main import main
main(["run", "bes22/weight-spike", "--d", "32", "--seeds", "2", "--workers", "1"])
"""


@pytest.mark.parametrize("name", ["giantstep.cli.endings", "cyclopts", "numpy", "pydantic", "giantstep.studies.store"])
def test_ctrl_c_during_imports_shows_no_traceback(name: str) -> None:
    done = subprocess.run([sys.executable, "-c", PRESSED, name, "SIGINT"], capture_output=True, text=True)
    # Python ends itself by the signal if it comes before ours are heard; a shell calls both 130.
    assert done.returncode == (-signal.SIGINT if name == "giantstep.cli.endings" else 130)
    assert done.stderr.count("\n") <= 1
    assert "Traceback" not in done.stderr


def test_ctrl_c_is_not_lost_where_python_drops_what_is_raised() -> None:
    """As after an import, in the callback of a weak reference: Python would print it and go on."""
    dropping = """
import giantstep.cli

class Dropped:
    def __del__(self):
        raise KeyboardInterrupt

Dropped()
print("still here")
"""
    done = subprocess.run([sys.executable, "-c", dropping], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_request_to_end_has_its_own_status() -> None:
    done = subprocess.run([sys.executable, "-c", PRESSED, "scipy", "SIGTERM"], capture_output=True, text=True)
    assert done.returncode == 143
    assert done.stderr.startswith("giantstep: interrupted")


def test_a_wish_to_end_keeps_its_status_where_a_dataclass_is_being_made(tmp_path: Path) -> None:
    """After `python -m`, Python remembers a KeyboardInterrupt that passed through `exec`, and ends itself by SIGINT."""
    (tmp_path / "ended.py").write_text("""
import sys
from giantstep.cli.endings import Ending
ending = Ending()
ending.listen()
try:
    exec("import os, signal; os.kill(os.getpid(), signal.SIGTERM)")
except KeyboardInterrupt:
    sys.exit(ending.over(130))
""")
    assert subprocess.run([sys.executable, "-m", "ended"], cwd=tmp_path).returncode == 143


def test_who_asks_twice_is_not_kept_waiting() -> None:
    stubborn = """
import os, signal
from giantstep.cli.endings import Ending
Ending().listen()
try:
    os.kill(os.getpid(), signal.SIGTERM)
except KeyboardInterrupt:
    os.kill(os.getpid(), signal.SIGTERM)
    print("still here")
"""
    done = subprocess.run([sys.executable, "-c", stubborn], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (143, "", "")


def test_what_nohup_ignores_stays_ignored() -> None:
    ignoring = """
import os, signal
signal.signal(signal.SIGHUP, signal.SIG_IGN)
from giantstep.cli.endings import Ending
Ending().listen()
os.kill(os.getpid(), signal.SIGHUP)
print("still here")
"""
    assert subprocess.check_output([sys.executable, "-c", ignoring], text=True) == "still here\n"
