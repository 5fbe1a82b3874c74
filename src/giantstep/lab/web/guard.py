"""Who may ask: this machine, or whoever has the link's token; never another site, nor a name that only points here.

A page of another site could post to this machine, or have its own name resolve to it (DNS rebinding). So the Host must
be this server's, an Origin that is told must be too, and a browser that says "cross-site" is refused.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from giantstep.lab.refusals import Refusal

MOST_BYTES = 200_000  # of a request
COOKIE = "giantstep_lab"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'{hashes}; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True)
class Door:
    """Where the server listens, and what opens it.

    Args:
        host: the address that was asked for; a loopback one needs no token.
        token: the secret of the link; empty for none.
    """

    host: str = "127.0.0.1"
    token: str = ""

    def knows(self, host: str) -> bool:
        """Whether this is a name of this server: one that only points here, by somebody else's DNS, is not."""
        if host in (*LOOPBACK, self.host):
            return True
        if self.host in LOOPBACK:
            return False
        if host == socket.gethostname():
            return True
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return False
        return True


class Guard:
    """Refuses strangers, refuses what is too long, and puts the headers on every answer that keep a page safe."""

    def __init__(self, app: ASGIApp, door: Door, hashes: Iterable[str] = ()) -> None:
        self._app, self._door = app, door
        policy = POLICY.format(hashes="".join(f" '{one}'" for one in hashes))
        told = {
            "content-security-policy": policy,
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
        }
        self._headers = [(name.encode(), value.encode()) for name, value in told.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                extra = [*self._headers, (b"cache-control", b"no-store")]
                message["headers"] = [*message["headers"], *((n, v) for n, v in extra if n not in given)]
            await send(message)

        headers = _headers(scope)
        try:
            self._check(scope, headers)
        except Refusal as refused:
            await JSONResponse(refused.data(), refused.status)(scope, receive, send_safely)
            return
        if (entered := self._entered(scope, headers)) is not None:
            await entered(scope, receive, send_safely)
            return
        await self._app(scope, _limited(receive), send_safely)

    def _check(self, scope: Scope, headers: dict[str, str]) -> None:
        host = _host_name(headers.get("host", ""))
        if not self._door.knows(host):
            raise Refusal("this is not the address of the lab; use the one that it printed", "forbidden")
        origin = headers.get("origin", "")
        if origin and urlsplit(origin).netloc != headers.get("host", ""):
            raise Refusal("requests from other sites are refused", "forbidden")
        is_page = scope["method"] == "GET" and not scope["path"].startswith("/api/")
        if headers.get("sec-fetch-site", "none") in ("cross-site", "same-site") and not is_page:
            raise Refusal("requests from other sites are refused", "forbidden")
        if scope["method"] == "POST":
            kind = headers.get("content-type", "").split(";")[0].strip().lower()
            if kind != "application/json":
                raise Refusal("send JSON: the content type must be application/json", "input")
            length = headers.get("content-length", "0")
            if not length.isdigit() or int(length) > MOST_BYTES:
                raise Refusal(f"a request may have {MOST_BYTES} bytes at most", "too large")

    def _entered(self, scope: Scope, headers: dict[str, str]) -> RedirectResponse | JSONResponse | None:
        """Without the token nobody comes in; a link that has it becomes a cookie, so that no address holds it."""
        if not self._door.token:
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token", "")
        if given and _same(given, self._door.token) and scope["method"] == "GET":
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            answer = RedirectResponse(_own_path(scope["path"]) + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(_cookie_name(scope), self._door.token, httponly=True, samesite="strict", path="/")
            return answer
        shown = _cookie(headers, _cookie_name(scope)), headers.get("x-giantstep-token", "")
        if any(_same(one, self._door.token) for one in shown):
            return None
        refused = Refusal("this lab needs the link with its token, as it was printed where it was started", "forbidden")
        return JSONResponse(refused.data(), refused.status)


def _own_path(path: str) -> str:
    """A path of this server: two slashes at its beginning would lead a browser elsewhere."""
    return "/" + path.lstrip("/\\")


def _same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _cookie_name(scope: Scope) -> str:
    """A name for each port: browsers keep the cookies of a machine together, and two labs would lose theirs."""
    _, port = scope.get("server") or ("", None)
    return f"{COOKIE}_{port}" if port else COOKIE


def _cookie(headers: dict[str, str], name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def _limited(receive: Receive) -> Receive:
    """The same, unless more comes than was announced: the rest is not read."""
    taken = 0

    async def receive_limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if message["type"] == "http.request" and taken > MOST_BYTES:
            return {"type": "http.request", "body": b"", "more_body": False}
        return message

    return receive_limited
