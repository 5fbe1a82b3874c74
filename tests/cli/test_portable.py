"""Runs where POSIX is not, and where matplotlib is not: the same commands with those calls and packages taken away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT_POSIX = """
import os, signal, sys
import numpy, scipy, pydantic, cyclopts, rich.console, rich.progress, sqlite3, platformdirs, subprocess, multiprocessing
for module, names in {
    os: ("sysconf", "fork", "forkpty", "killpg", "getuid", "geteuid", "sched_getaffinity", "uname", "getloadavg"),
    signal: ("pthread_sigmask", "SIGKILL", "SIGHUP", "SIGUSR1", "alarm", "setitimer"),
}.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
for absent in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[absent] = None
"""
WITHOUT_MATPLOTLIB = "import sys; sys.modules['matplotlib'] = None\n"
LINE = "from giantstep.cli.main import status\nsys.exit(status(sys.argv[1:]))"


def ran(before: str, *tokens: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-c", before + LINE, *tokens]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["run", "sweep", "verify"])
def test_commands_run_without_posix(verb: str, tmp_path: Path) -> None:
    more = {"run": [], "sweep": ["--level", "1,2", "--store", str(tmp_path / "s.sqlite")], "verify": []}[verb]
    done = ran(WITHOUT_POSIX, verb, "tests.cli.odd:Odd", *more)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "holds" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (["verify", "--help"], 0, "--report"),
        (["verify", "tests.cli.odd:Odd"], 0, "holds"),
        (["run", "tests.cli.odd:Odd"], 0, "holds"),
        (["verify", "tests.cli.odd:Odd", "--report", "REPORT"], 2, "pip install 'giantstep[plot]'"),
    ],
)
def test_commands_run_without_matplotlib(line: list[str], code: int, words: str, tmp_path: Path) -> None:
    done = ran(WITHOUT_MATPLOTLIB, *(str(tmp_path / "report") if word == "REPORT" else word for word in line))
    assert done.returncode == code, done.stderr
    assert words in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
