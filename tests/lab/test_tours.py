"""Tours as data: every station is a state of the page, and its statement is true."""

from __future__ import annotations

import pytest

from giantstep.claims import claim
from giantstep.lab.jobs.directions import stairs_of
from giantstep.lab.jobs.playground_settings import settings_of
from giantstep.lab.jobs.tabs import tab_at
from giantstep.lab.storybook import Station, tours
from giantstep.problems import Activation, Target
from giantstep.studies import predicted
from tests.lab.client import Client

STATIONS = {
    f"{tour.name}-{number}": station for tour in tours().values() for number, station in enumerate(tour.stations, 1)
}
OF_CLAIMS = {name: station for name, station in STATIONS.items() if station.claim}
JUDGED = {name: station for name, station in OF_CLAIMS.items() if station.expect.verdict}


def test_there_are_five_tours_of_five_to_eight_stations() -> None:
    assert len(tours()) == 5
    assert all(5 <= len(tour.stations) <= 8 for tour in tours().values())
    assert all(station.statement.endswith(".") and station.look and station.text for station in STATIONS.values())
    assert all(station.expect != type(station.expect)() for station in STATIONS.values()), "a statement nobody checks"


@pytest.mark.parametrize("station", OF_CLAIMS.values(), ids=OF_CLAIMS)
def test_theory_says_what_a_station_states(station: Station) -> None:
    point = claim(station.claim, **station.parameters)
    tab_at(point, station.view)
    found = predicted(point)
    for name, (low, high) in station.expect.predicted.items():
        assert low <= found[name] <= high, f"{name} = {found[name]}"
    for note in station.expect.notes:
        assert note in found.notes


@pytest.mark.parametrize("station", JUDGED.values(), ids=JUDGED)
def test_the_judge_says_what_a_station_states(station: Station) -> None:
    expect = station.expect
    point = claim(station.claim, **{**station.parameters, **expect.changes})
    results = point.run(seeds=expect.seeds, workers=1)
    assert results.verdict.status == expect.verdict, results.verdict
    if expect.as_printed:
        assert expect.as_printed in {one.verdict.status for one in results.as_printed()}


def test_stations_of_the_analyser_and_the_playground_load() -> None:
    for station in STATIONS.values():
        if station.analyze is not None:
            found = Target(station.analyze["target"]).analyze(Activation(station.analyze["activation"]))
            assert found.stop == station.expect.stop
        if station.playground is not None:
            settings = settings_of(station.playground)
            levels = stairs_of(settings.target, settings.activation).levels()
            assert tuple(level["risk"] for level in levels) == pytest.approx(station.expect.levels)


def test_tours_are_served(lab: Client) -> None:
    listed = lab.get("/api/tours").data["tours"]
    assert [one["name"] for one in listed] == list(tours())
    told = lab.get("/api/tours/one-giant-step").data
    assert told["stations"][1]["address"] == "/claims/bes22/weight-spike?step=2.5&view=0&scope=point&seeds=8"
    assert "expect" not in told["stations"][0]
    assert lab.get("/api/tours/none").status == 404
