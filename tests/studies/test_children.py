"""Processes of our own, and what they find in their environment."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection

import pytest

from giantstep.studies.children import die_with, start_child
from giantstep.studies.children.starting import KEPT_MEMORY, ONE_BLAS_THREAD


def _tell_environment(connection: Connection, driver: int) -> None:
    die_with(driver)
    connection.send(dict(os.environ))


def test_a_child_has_one_blas_thread_and_keeps_memory_and_we_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    monkeypatch.delenv("MALLOC_TOP_PAD_", raising=False)
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "123456")
    process, pipe = start_child(_tell_environment)
    theirs = pipe.recv()
    process.join()
    assert {name: theirs[name] for name in ONE_BLAS_THREAD} == ONE_BLAS_THREAD
    assert theirs["MALLOC_TOP_PAD_"] == KEPT_MEMORY["MALLOC_TOP_PAD_"]
    assert theirs["MALLOC_TRIM_THRESHOLD_"] == "123456", "what the user says of memory is kept"
    assert (os.environ["OPENBLAS_NUM_THREADS"], os.environ.get("MALLOC_TOP_PAD_")) == ("7", None)
