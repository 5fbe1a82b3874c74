"""Who may ask, and what an answer may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from giantstep.lab.refusals import without_paths
from tests.lab.client import Client, running


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_other_sites_are_refused(lab: Client, headers: dict[str, str]) -> None:
    found = lab.get("/api/jobs", **headers)
    assert (found.status, found.data["reason"]) == (403, "forbidden")


def test_only_json_is_taken_and_not_too_much_of_it(lab: Client) -> None:
    assert lab.post("/api/check", {"text": "x1"}, Content_Type="text/plain").status == 400
    assert lab.post("/api/check", {"text": "x" * 300_000}).status == 413
    assert lab.post("/api/check", b"{not json").status == 400


def test_every_answer_has_a_strict_policy(lab: Client) -> None:
    for path in ("/", "/claims/bes22/weight-spike", "/api/jobs", "/nowhere"):
        headers = lab.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["..%2findex.html", "..%2f..%2frefusals.py", "%2e%2e", "index.html", "no.js"])
def test_files_outside_the_page_are_not_served(lab: Client, name: str) -> None:
    assert lab.get(f"/assets/{name}").status == 404


def test_away_from_loopback_the_link_needs_its_token(tmp_path: Path) -> None:
    with running(tmp_path, host="0.0.0.0", token="secret") as lab:
        assert lab.get("/api/jobs").status == 403
        assert lab.get("/?token=wrong").status == 403
        entered = lab.get("/claims/bes22/weight-spike?token=secret&step=6")
        assert (entered.status, entered.headers["location"]) == (303, "/claims/bes22/weight-spike?step=6")
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert lab.get("/api/jobs", Cookie=cookie.split(";")[0]).status == 200
        assert lab.get("/api/jobs", Cookie=cookie.split(";")[0], Host="evil.example").status == 403
        assert lab.get("//evil.example?token=secret").headers["location"] == "/evil.example"
        with running(tmp_path / "other", host="0.0.0.0", token="another") as second:  # a browser has one jar for both
            both = f"{cookie.split(';')[0]}; {second.get('/?token=another').headers['set-cookie'].split(';')[0]}"
            assert [one.get("/api/jobs", Cookie=both).status for one in (lab, second)] == [200, 200]


def test_sentences_hold_no_path_of_the_machine() -> None:
    told = without_paths("there is no study 'a' in /home/me/.local/share/giantstep/studies.sqlite; it has: b")
    assert told == "there is no study 'a' in studies.sqlite; it has: b"
    assert without_paths("n/d = 2 and bes22/weight-spike") == "n/d = 2 and bes22/weight-spike"
