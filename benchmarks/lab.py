"""The lab, a running server: theory by claim, first simulated point, weight of the page, first picture, playground.

For each claim two columns are compared at points that nobody has computed before: `predict()` in this process, and the
same numbers over the wire (aim: a ratio of 1.5 or less where theory takes a millisecond or more; below that the wire
itself is what is measured). The third is what a dragged slider waits for, the panels of the first view with it: 50 ms
at the 95th percentile where theory is closed form, that is where `predict()` takes less than 5 ms. As on the page, a
draft of the lines comes first where the whole picture takes longer than that ("draft" in the last column).

    python benchmarks/lab.py [WORDS]    # only claims whose name has these words
"""

from __future__ import annotations

import gzip
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from giantstep.claims import Claim, claim_class, claim_names
from giantstep.errors import InputError
from giantstep.lab.jobs.controls import controls
from giantstep.studies import predicted

POINTS = 8
CLOSED_FORM = 5.0  # milliseconds of predict()
PATIENT_SECONDS = 0.04  # a picture that takes longer is drawn in two parts
SLOW = 400.0  # of these, one point is enough
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@dataclass(frozen=True)
class Lab:
    """A server at a port of this machine, and the one connection to it, kept open as a browser keeps it."""

    port: int

    @cached_property
    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)

    def post(self, path: str, data: Any) -> Any:
        """The answer to a request, as data; an `InputError` if it is refused."""
        told = json.loads(self.body("POST", path, data))
        if "sentence" in told and "reason" in told:
            raise InputError(told["sentence"])
        return told

    def body(self, method: str, path: str, data: Any = None, **headers: str) -> bytes:
        """The body of an answer as it was sent."""
        sent = None if data is None else json.dumps(data)
        try:
            self.connection.request(method, path, sent, {"Content-Type": "application/json", **headers})
            return self.connection.getresponse().read()
        except (http.client.RemoteDisconnected, ConnectionError):  # closed while nobody asked anything
            self.connection.close()
            self.connection.request(method, path, sent, {"Content-Type": "application/json", **headers})
            return self.connection.getresponse().read()

    def first_event(self, path: str, data: Any, wanted: str) -> None:
        """Listen to a stream until an event of this name, then leave."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.request("POST", path, json.dumps(data), {"Content-Type": "application/json"})
        for line in connection.getresponse():
            if line.strip() in (f"event: {wanted}".encode(), b"event: end"):
                break
        connection.close()


@contextmanager
def running() -> Iterator[Lab]:
    """`giantstep lab` in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        line = [sys.executable, "-m", "giantstep", "lab", "--no-browser", "--store", f"{folder}/studies.sqlite"]
        process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            yield Lab(int(process.stdout.readline().strip().rstrip("/").rpartition(":")[2]))
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def milliseconds(call: Callable[..., object], *given: Any) -> float:
    """Wall time of one call."""
    start = perf_counter()
    call(*given)
    return 1e3 * (perf_counter() - start)


def fresh_points(cls: type[Claim]) -> list[dict[str, Any]]:
    """Points along a slider of a claim, each allowed and none of them its default: those of a hand that drags."""
    for control in controls(cls):
        if control["kind"] != "number" or not control["slider"]:
            continue
        low, high = control["slider"]["from"], control["slider"]["to"]
        places = [low + (high - low) * part for part in (np.arange(3 * POINTS) + 0.37) / (3 * POINTS)]
        found = [{control["name"]: float(f"{place:.6g}")} for place in places]
        allowed = [values for values in found if _is_allowed(cls, values)]
        if len(allowed) == len(found):
            return allowed
    return [{}]


def _is_allowed(cls: type[Claim], values: dict[str, Any]) -> bool:
    try:
        cls(**values)
    except InputError:
        return False
    return True


def _beside(values: dict[str, Any]) -> dict[str, Any]:
    """A point that this process has not even checked before: some claims compute much of their theory for that."""
    return {name: value * (1 - 1e-4) for name, value in values.items()}


def _predict(cls: type[Claim], values: dict[str, Any]) -> object:
    return predicted(cls(**values))


def theory_of(lab: Lab, name: str) -> str:
    """The line of one claim."""
    cls, address = claim_class(name), f"/api/claims/{name}/predict"
    points = fresh_points(cls)
    first = milliseconds(_predict, cls, {})
    lab.post(address, {})
    draft = lab.post(address, {"parameters": points[-1]})["seconds"] > PATIENT_SECONDS
    count = 1 if first > SLOW or len(points) == 1 else POINTS
    here, wire, shown = [], [], []
    for k in range(count):
        mine, theirs, drawn = (points[(3 * k + j) % len(points)] for j in range(3))
        here.append(milliseconds(_predict, cls, _beside(mine)))
        wire.append(milliseconds(lab.post, address, {"parameters": theirs, "panels": False}))
        shown.append(milliseconds(lab.post, address, {"parameters": drawn, "draft": draft}))
    predict, asked, late = float(np.median(here)), float(np.median(wire)), float(np.percentile(shown, 95))
    aims = [f"ratio {'met' if asked / predict <= 1.5 else 'MISSED'}"] if predict >= 1.0 and count > 1 else []
    if predict < CLOSED_FORM:
        aims.append(f"50 ms {'met' if late <= 50 else 'MISSED'}")
    told = (
        f"{name:<36}{predict:>10.2f}{asked:>10.2f}{asked / predict:>8.2f}{float(np.median(shown)):>10.1f}{late:>10.1f}"
    )
    return f"{told}  {', '.join([*aims, *(['draft'] if draft else [])])}"


def loaded(lab: Lab) -> int:
    """Bytes of everything that the page may load, as they are sent to a browser that takes gzip."""
    names = set(re.findall(r"/assets/[\w.-]+", lab.body("GET", "/").decode()))
    todo, weight = sorted(names), len(gzip.compress(lab.body("GET", "/")))
    while todo:
        address = todo.pop()
        sent = lab.body("GET", address, **{"Accept-Encoding": "gzip"})
        weight += len(sent)
        text = gzip.decompress(sent) if sent[:2] == b"\x1f\x8b" else sent
        if address.endswith((".js", ".css")):
            more = {f"/assets/{one}" for one in re.findall(r"[\w-]+-[\w-]{8}\.(?:js|css|woff2)", text.decode())}
            todo += sorted(more - names)
            names |= more
    return weight


def first_picture(lab: Lab) -> float | None:
    """Milliseconds from the address to the first picture of a claim in a browser that has seen nothing yet."""
    place = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    if place is None:
        return None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=place, args=["--no-sandbox", "--disable-gpu"])
        times = []
        for _ in range(3):
            page = browser.new_context().new_page()
            page.goto(f"http://127.0.0.1:{lab.port}/claims/bes22/weight-spike", wait_until="commit")
            page.locator("svg.plot").first.wait_for()
            times.append(float(page.evaluate("performance.now()")))
            page.context.close()
        browser.close()
    return min(times)


def against_aim(what: str, value: float, aim: float, unit: str) -> str:
    """One line with its aim."""
    return f"{what:<58}{value:>10.4g} {unit:<3} < {aim:g} {unit}: {'met' if value < aim else 'MISSED'}"


def whole_page(lab: Lab) -> Iterator[str]:
    """What does not depend on the claim."""
    address, spike = "/api/claims/bes22/weight-spike/simulate", {"parameters": {}, "seeds": 8, "view": 0}
    times = []
    for seed in (1, 2, 3):
        times.append(milliseconds(lab.first_event, address, {**spike, "seed": seed}, "seed"))
    yield against_aim("first simulated point of bes22/weight-spike", min(times), 500, "ms")
    yield against_aim("the page, all of it, as it is sent", loaded(lab) / 1e3, 600, "kB")
    picture = first_picture(lab)
    yield "first picture: no browser here" if picture is None else against_aim("first picture", picture, 1500, "ms")
    network = lab.post("/api/playground", {"settings": {"d": 10_000, "samples": 50_000, "neurons": 64}})
    steps = [milliseconds(lab.post, f"/api/playground/{network['id']}/step", {"steps": 1}) for _ in range(9)]
    yield against_aim("playground, a step of p = 64, d = 10,000, n = 5 d, median", float(np.median(steps)), 150, "ms")


def main() -> None:
    """Print the tables."""
    words = sys.argv[1] if len(sys.argv) > 1 else ""
    with running() as lab:
        print(*whole_page(lab), sep="\n")
        print(f"\nload of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; milliseconds, medians")
        print(f"{'':<36}{'predict()':>10}{'server':>10}{'ratio':>8}{'picture':>10}{'95th':>10}")
        for name in claim_names():
            if words in name:
                print(theory_of(lab, name), flush=True)


if __name__ == "__main__":
    main()
