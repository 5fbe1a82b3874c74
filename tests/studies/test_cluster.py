"""A study on a dask scheduler: the same bits as here, and nothing lost when a worker is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from giantstep.claims import claim
from giantstep.errors import InputError
from giantstep.studies import InProcess, Study, cluster_executor
from giantstep.studies.cluster import _queue
from tests.claims.toy import NoisyLevel
from tests.studies.test_killing import Mortal
from tests.studies.test_study import assert_bit_identical

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # dask warns of what is none of our business
]


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a scheduler with two worker processes, as a user's own cluster would have."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True) as cluster:
        yield cluster.scheduler_address


def test_a_cluster_gives_the_same_bits(scheduler: str) -> None:
    study = Study(claim("bes22/weight-spike", d=64), step=[2, 6], seeds=3)
    here = study.run(executor=InProcess(1))
    with cluster_executor(scheduler) as executor:
        there = study.run(executor=executor)
    for one, other in zip(here.cells, there.cells, strict=True):
        assert_bit_identical(one.measurements, other.measurements)


def test_a_killed_worker_of_a_cluster_loses_nothing(scheduler: str, tmp_path: Path) -> None:
    killed: list[int] = []

    def assassin() -> None:
        while not killed:
            for file in tmp_path.iterdir():
                killed.append(int(file.name))
                os.kill(killed[0], signal.SIGKILL)
                return
            time.sleep(0.01)

    thread = threading.Thread(target=assassin)
    thread.start()
    study = Study(Mortal(folder=str(tmp_path)), size=list(range(1, 13)), seeds=2)
    with cluster_executor(scheduler) as executor:
        results = study.run(executor=executor)
    thread.join()
    assert not results.failures
    undisturbed = Study(NoisyLevel(), size=list(range(1, 13)), seeds=2).run()
    for one, other in zip(results.cells, undisturbed.cells, strict=True):
        assert_bit_identical(one.measurements, other.measurements)


def test_what_is_no_cluster_gets_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="'nowhere' is no cluster"), cluster_executor("nowhere"):
        pass
    with pytest.raises(InputError, match="cannot be read; write name=value"), cluster_executor("slurm", 1, ["queue"]):
        pass
    with pytest.raises(InputError, match="jobs = 0 is not allowed"), cluster_executor("slurm", 0):
        pass
    monkeypatch.setattr("giantstep.studies.cluster.CONNECT_SECONDS", 1)
    with (
        pytest.raises(InputError, match=r"no dask scheduler at 'tcp://127\.0\.0\.1:9'"),
        cluster_executor("tcp://127.0.0.1:9"),
    ):
        pass


@pytest.mark.parametrize(
    ("option", "host"), [("queue=short", "127.0.0.1"), ("host=10.0.0.1", "10.0.0.1"), ("interface=ib0", None)]
)
def test_a_scheduler_of_jobs_listens_on_loopback_unless_told_otherwise(
    option: str, host: str | None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import dask_jobqueue

    made: dict[str, Any] = {}

    class Jobs(AbstractContextManager["Jobs"]):
        def __init__(self, **settings: Any) -> None:
            made.update(settings)

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(dask_jobqueue, "SLURMCluster", Jobs)
    monkeypatch.setattr("giantstep.studies.cluster._submit", lambda *_: None)
    with _queue("slurm", 1, [option]):
        assert made["scheduler_options"].get("host") == host
        assert made["scheduler_options"]["dashboard_address"] == "127.0.0.1:0"
    assert ("listens at 127.0.0.1 alone" in caplog.text) == (option == "queue=short")


def test_a_machine_without_the_queueing_system_says_so_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And does not wait an hour for jobs that nobody has taken."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        pytest.raises(InputError, match="slurm takes no jobs: this machine has no command 'sbatch'"),
        _queue("slurm", 2, []),
    ):
        pass


def test_jobs_that_are_refused_are_told_with_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    refusing = tmp_path / "sbatch"
    refusing.write_text("#!/bin/sh\necho 'sbatch: error: invalid partition' >&2\nexit 1\n")
    refusing.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        pytest.raises(InputError, match=r"slurm takes no jobs: .*invalid partition"),
        _queue("slurm", 2, ["queue=none"]),
    ):
        pass


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("scheduler_options=x", "cannot be given as text"),
        ("security=1", "cannot be given as text"),
        ("interface=none0", "jobs cannot be made for slurm: .*not a valid network interface"),
        ("cores=x", "jobs cannot be made for slurm"),
    ],
)
def test_job_options_that_cannot_be_used_get_one_sentence(option: str, told: str) -> None:
    with pytest.raises(InputError, match=told), _queue("slurm", 1, [option]):
        pass


def test_lines_for_the_job_are_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("giantstep.studies.cluster._submit", lambda *_: None)
    options = [
        "job_script_prologue=module load python",
        "job_script_prologue=date",
        "job_extra_directives=--account=me",
    ]
    with _queue("slurm", 1, options) as cluster:
        assert "#SBATCH --account=me\nmodule load python\ndate\n" in cluster.job_script()
