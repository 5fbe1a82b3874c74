"""Open the lab: listen, print the address, open a browser, and end cleanly when asked to."""

from __future__ import annotations

import secrets
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from giantstep.checks import whole_number
from giantstep.errors import InputError

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def open_lab(
    claim: str = "", *, host: str = "", port: int = 0, browser: bool = True, store: Path | None = None
) -> None:
    """Serve the lab until it is interrupted.

    Args:
        claim: the claim whose page is opened; the front page if empty.
        host: the address to listen at; loopback if empty. Another one asks for a token, which the printed link holds.
        port: a free one if 0.
        browser: whether a browser is opened.
        store: the file with studies; the user's own if None.
    """
    whole_number("port", port, least=0, most=65535)
    uvicorn = _uvicorn()
    from giantstep.lab.web import LabSettings, create_app

    address = host or LOOPBACK[0]
    token = "" if address in LOOPBACK else secrets.token_urlsafe(24)
    listening = listening_at(address, port)
    link = _link(address, listening.getsockname()[1], claim, token)
    app = create_app(LabSettings(store=store, host=address, token=token))
    config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=2, lifespan="on")
    server = _announcing(uvicorn, config, link, browser)
    try:
        with suppress(KeyboardInterrupt):  # the way to end it
            server.run(sockets=[listening])
    finally:
        listening.close()
    if not server.started:
        raise InputError("the lab could not start")


def _uvicorn() -> Any:
    try:
        import fastapi  # noqa: F401
        import uvicorn
    except ImportError:
        raise InputError("the lab needs FastAPI and uvicorn: pip install 'giantstep[lab]'") from None
    return uvicorn


def listening_at(host: str, port: int) -> socket.socket:
    """A socket at this address, or the sentence that says why there is none."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # TCP by name: only on such a socket asyncio sends an answer at once, without 40 ms for the reader's receipt.
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
    except (OSError, UnicodeError) as error:  # a name may be no name at all: too long, or with a dot too many
        why = getattr(error, "strerror", None) or error
        raise InputError(f"the lab cannot listen at {host}, port {port}: {why}") from None
    return found


def _link(host: str, port: int, claim: str, token: str) -> str:
    if host in ("0.0.0.0", "::"):
        host = socket.gethostname()
    shown = f"[{host}]" if ":" in host else host
    path = f"/claims/{claim}" if claim else "/"
    return f"http://{shown}:{port}{path}" + (f"?token={token}" if token else "")


def _announcing(uvicorn: Any, config: Any, link: str, browser: bool) -> Any:
    """A server that prints its address when it is ready and not before, and ends its streams before it closes."""

    class Announcing(uvicorn.Server):  # type: ignore[misc]
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            if self.started:
                print(link, flush=True)
                if browser:
                    import webbrowser

                    webbrowser.open(link)

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            """A terminal that is closed ends the lab as Ctrl-C does; one that is ignored (`nohup`) stays so."""
            with super().capture_signals(), _hung_up(self.handle_exit):
                yield

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            config.app.state.laboratory.leave()
            await super().shutdown(sockets=sockets)

    return Announcing(config)


@contextmanager
def _hung_up(heard: Any) -> Iterator[None]:
    """Where there is SIGHUP and it is not ignored, have it `heard` within this context."""
    number = int(getattr(signal, "SIGHUP", 0))
    is_main = threading.current_thread() is threading.main_thread()
    if not number or not is_main or (before := signal.getsignal(number)) is signal.SIG_IGN:
        yield
        return
    signal.signal(number, heard)
    try:
        yield
    finally:
        signal.signal(number, before)
