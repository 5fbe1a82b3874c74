"""What must not hurt the lab: crowds, garbage, tabs that vanish, processes that die, Ctrl-C."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_endings import hear_all
from tests.lab.client import PATIENCE, Client, eventually

SPIKE = "/api/claims/bes22/weight-spike"
GARBAGE = [
    "",
    " ",
    "NaN",
    "inf",
    "-1e999",
    "<script>alert(1)</script>",
    "x" * 1999,
    "import os",
    "\x00",
    "1:2:3",
    "٣",
    None,
    [],
    {},
]


def is_quiet(lab: Client) -> bool:
    return lab.laboratory.jobs().running == 0 and not lab.laboratory.running


def test_a_hundred_requests_at_once_are_all_answered(lab: Client) -> None:
    asked: list[tuple[str, Any]] = [(f"{SPIKE}/predict", {"parameters": {"step": k / 10, "d": 64}}) for k in range(60)]
    asked += [("/api/check", {"text": f"x{k} + He2(x1)"}) for k in range(25)]
    asked += [(f"{SPIKE}/predict", {"parameters": {"step": "no"}}) for _ in range(15)]
    with ThreadPoolExecutor(100) as crowd:
        found = list(crowd.map(lambda one: lab.post(*one), asked))
    assert [one.status for one in found] == [200] * 85 + [400] * 15
    assert is_quiet(lab)


def test_garbage_in_every_field_gets_a_sentence(lab: Client) -> None:
    for control in lab.get(SPIKE).data["controls"]:
        for garbage in GARBAGE:
            found = lab.post(f"{SPIKE}/predict", {"parameters": {control["name"]: garbage}})
            assert found.status == 400, (control["name"], garbage, found.data)
            assert found.data["reason"] == "input"
            assert "Traceback" not in found.data["sentence"]
    for field in ("preset", "view", "scope", "seeds", "seed"):
        for garbage in GARBAGE:
            found = lab.post(f"{SPIKE}/simulate", {"seeds": 1, "parameters": {"d": 0}, field: garbage})
            assert found.status == 400, (field, garbage)
    assert is_quiet(lab)


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"parameters": {"d": 1e999}}', b"{" * 50_000),
        *(b'{"parameters": %s%s}' % (b"[" * 60_000, b"]" * 60_000), b'{"parameters": {"d": %s}}' % (b"9" * 5000)),
    ],
)
def test_what_is_no_json_is_refused(lab: Client, body: bytes) -> None:
    found = lab.post(f"{SPIKE}/predict", body)
    assert found.status == 400
    assert found.data["sentence"]


def test_a_stream_that_is_half_closed_or_cut_ends_its_job(lab: Client) -> None:
    body = json.dumps({"parameters": {"d": 700}, "seeds": 100, "seed": 11}).encode()
    head = f"POST {SPIKE}/simulate HTTP/1.1\r\nHost: 127.0.0.1:{lab.port}\r\nContent-Type: application/json\r\n"
    for cut in ("half", "reset", "short"):
        with socket.create_connection(("127.0.0.1", lab.port), PATIENCE) as wire:
            length = len(body) + (10 if cut == "short" else 0)
            wire.sendall(f"{head}Content-Length: {length}\r\n\r\n".encode() + body)
            if cut != "short":
                assert b"200 OK" in wire.recv(4096)
                eventually(lambda: bool(lab.laboratory.running))
            if cut == "half":
                wire.shutdown(socket.SHUT_WR)
        eventually(lambda: is_quiet(lab))
    assert lab.get("/api/jobs").data["running"] == 0


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_worker_that_is_killed_costs_a_sentence(lab: Client) -> None:
    with lab.stream(f"{SPIKE}/simulate", {"parameters": {"d": 700}, "seeds": 100, "seed": 12}) as events:
        assert next(events)[0] == "start"
        (worker,) = lab.laboratory.long.processes
        os.kill(worker, signal.SIGKILL)
        heard = list(events)
    assert heard[-1][0] == "error"
    assert "died" in heard[-1][1]["sentence"]
    eventually(lambda: is_quiet(lab))
    with lab.stream(f"{SPIKE}/simulate", {"parameters": {"d": 32}, "seeds": 1}) as events:
        assert list(events)[-1][0] == "end"
    assert worker not in lab.laboratory.long.processes


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are counted by Linux")
@pytest.mark.parametrize(("number", "code"), [("SIGINT", 0), ("SIGHUP", 129)])
def test_ctrl_c_and_a_closed_terminal_end_everything_in_silence(number: str, code: int, tmp_path: Path) -> None:
    line = [sys.executable, "-m", "giantstep", "lab", "--no-browser", "--store", str(tmp_path / "studies.sqlite")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(line, **pipes, start_new_session=True, preexec_fn=hear_all)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        port = int(address.rstrip("/").rpartition(":")[2])
        asked = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        body = json.dumps({"parameters": {"d": 700}, "seeds": 100})
        asked.request("POST", f"{SPIKE}/simulate", body, {"Content-Type": "application/json"})
        assert asked.getresponse().status == 200
        children = _children(process.pid)
        assert children
        os.killpg(process.pid, getattr(signal, number))  # as a terminal does: all processes hear it
        _, told = process.communicate(timeout=PATIENCE)
        asked.close()
    finally:
        process.kill()
    assert (told, process.returncode) == ("", code)
    eventually(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    own = [int(child) for file in tasks for child in file.read_text().split()]
    return [*own, *(one for child in own for one in _children(child))]
