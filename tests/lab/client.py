"""A lab that runs, and whoever asks it: a real server in a thread, and requests over a real socket."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from giantstep.lab import LabSettings, create_app

PATIENCE = 120.0  # seconds, for a machine that has much else to do


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Client:
    """Asks a server at a port of this machine."""

    port: int
    app: Any = None

    @property
    def laboratory(self) -> Any:
        return self.app.state.laboratory

    def ask(self, method: str, path: str, data: Any = None, **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            found = self._send(connection, method, path, data, headers)
            told = {name.lower(): value for name, value in found.getheaders()}
            return Answer(found.status, told, found.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, data: Any, **headers: str) -> Answer:
        return self.ask("POST", path, data, **headers)

    @contextmanager
    def stream(self, path: str, data: Any) -> Iterator[Iterator[tuple[str, Any]]]:
        """The events of a stream; leaving it closes the connection, as a closed tab does."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            found = self._send(connection, "POST" if data is not None else "GET", path, data, {})
            assert found.status == 200, found.read()
            yield _events(found)
        finally:
            connection.close()

    def _send(
        self, connection: http.client.HTTPConnection, method: str, path: str, data: Any, headers: dict[str, str]
    ) -> http.client.HTTPResponse:
        body = None if data is None else data if isinstance(data, bytes) else json.dumps(data)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {"Content-Type": "application/json", **given})
        return connection.getresponse()


def _events(lines: Any) -> Iterator[tuple[str, Any]]:
    name = ""
    for line in lines:
        text = line.decode().rstrip("\n")
        if text.startswith("event: "):
            name = text.removeprefix("event: ")
        elif text.startswith("data: "):
            yield name, json.loads(text.removeprefix("data: "))


@contextmanager
def running(folder: Path, **settings: Any) -> Iterator[Client]:
    """A lab with its store in this folder, until the end of the block."""
    app = create_app(LabSettings(store=folder / "studies.sqlite", simulations=1, **settings))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the lab did not start"
        thread.join(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Client(port, app)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


def eventually(holds: Callable[[], bool]) -> None:
    """Wait for what processes do on their own; how long that takes does not matter."""
    ends, rest = time.monotonic() + PATIENCE, threading.Event()
    while not holds():
        assert time.monotonic() < ends
        rest.wait(0.02)
