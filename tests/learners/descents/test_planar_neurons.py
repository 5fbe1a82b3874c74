"""Neurons on the plane: masses, turns, and the film of a training."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.learners.descents import Film, ScaledNetwork, circle, mass_near, mean_turn
from giantstep.problems import Activation


def network(degrees: list[float], second: list[float]) -> ScaledNetwork:
    return ScaledNetwork(Activation("relu"), circle(np.array(degrees) / 360), np.array(second), 1.0)


def test_mass_near_counts_angle_and_sign() -> None:
    one = network([10, -14, 16, 0, 91], [1, 2, 4, -8, -16])
    assert mass_near(one, np.eye(2), np.array([1.0, -1.0]), 15) == pytest.approx(1 + 2 + 16)
    assert mass_near(one, np.eye(2)[:1], np.array([-1.0]), 15) == pytest.approx(8)


def test_turns_go_the_short_way_round() -> None:
    assert mean_turn(network([179, 0], [1, 1]), network([-179, 0], [3, 1])) == pytest.approx(0.75 * 2)


def test_a_film_keeps_few_of_many() -> None:
    film, nets = Film(10), [network([number], [1]) for number in range(100)]
    for net in nets:
        film.see(net)
    assert len(film.seen) <= 10
    assert film.seen == nets[:: nets.index(film.seen[1])][: len(film.seen)], "at even distances, from the first on"
