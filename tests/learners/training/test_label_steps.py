"""A step on the labels alone, and rows made equally long."""

import numpy as np

from giantstep.learners.networks import Initialisation, initialise
from giantstep.learners.training import label_step
from giantstep.problems import Problem, whole
from giantstep.streams import Streams


def test_every_neuron_moves_by_the_mean_of_y_slope_x() -> None:
    net = initialise(Initialisation("sphere", "ones/N"), "tanh", 20, 7, Streams(0))
    sample = Problem("sin(x1)", 20, 0.5).sample(90, Streams(1))
    x, y = whole(sample)
    pull = (y[:, None] * (1 - np.tanh(x @ net.weights.T) ** 2)).T @ x / 90
    assert np.allclose(label_step(net, sample).after(1.5).weights, net.weights + 1.5 * pull)


def test_rows_are_made_equally_long_beyond_the_common_direction() -> None:
    net = initialise(Initialisation("sphere", "ones/N"), "tanh", 20, 30, Streams(0))
    seen = label_step(net, Problem("sin(x1)", 20).sample(90, Streams(1)))
    before, after, v = seen.after(2).weights, seen.equally_long(2).weights, seen.direction
    assert np.allclose(before @ v, after @ v)
    lengths = np.linalg.norm(after - np.outer(after @ v, v), axis=1)
    assert np.allclose(lengths, lengths[0])
    beyond = before - np.outer(before @ v, v)
    assert np.isclose((lengths**2).mean(), (beyond**2).sum(axis=1).mean())
