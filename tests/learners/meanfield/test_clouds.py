"""What is seen of interacting particles: errors of networks, shares between edges, energies."""

import numpy as np
import pytest

from giantstep.learners.meanfield import Cloud, ParticleStart, ParticleTask, particle_clouds
from giantstep.problems import Activation
from giantstep.streams import Streams

TASK = ParticleTask(Activation("tanh"), np.array([1.0, 2.0]), np.array([0.3, 0.6]), 0.1, 0.05)


def test_one_trajectory_is_seen_at_several_times() -> None:
    start = ParticleStart(3, 16, 1.0)
    found = particle_clouds(TASK, start, 0.05, [2, 6], Streams(1))
    again = particle_clouds(TASK, start, 0.05, [6], Streams(1))
    assert list(found) == [2, 6]
    np.testing.assert_array_equal(found[6].weights, again[6].weights)
    assert not np.array_equal(found[2].weights, found[6].weights)
    np.testing.assert_allclose(found[6].outputs, TASK.outputs(found[6].weights), rtol=1e-5, atol=1e-6)


def test_errors_are_those_of_copies_and_shares_those_of_all_particles() -> None:
    weights = np.array([[-1.0, 1.0], [0.5, 0.5]])
    cloud = Cloud(TASK, weights, TASK.outputs(weights))
    limit = np.zeros(2)
    assert cloud.squared_errors(limit)[0] == pytest.approx(0.0)
    assert cloud.squared_errors(limit)[1] == pytest.approx(np.mean(np.tanh([0.5, 1.0]) ** 2))
    errors = cloud.squared_errors(limit)
    # Two draws, 0 and e: the mean e/2 has the relative variance (e^2/2)/2/(e/2)^2 = 1, of which half is added.
    assert cloud.log_error(limit) == pytest.approx(np.log(errors.mean()) + 0.5)
    np.testing.assert_allclose(cloud.shares(np.array([-2.0, 0.0, 0.7, 2.0])), [0.25, 0.5, 0.25])
    assert cloud.variance == pytest.approx(np.var(np.tanh(np.outer(weights.ravel(), TASK.inputs)), axis=0).mean())


def test_the_free_energy_lies_in_its_sandwich() -> None:
    """lambda KL(mu | rest) <= F(mu) - F(rest) <= lambda KL(mu | Gibbs(mu)), for a rest that is its own Gibbs law."""
    late = particle_clouds(TASK, ParticleStart(4, 4096, 1.0), 0.1, [600], Streams(2))[600]
    rest = TASK.outputs(late.weights.reshape(-1))  # as good as at rest
    early = particle_clouds(TASK, ParticleStart(4, 4096, 1.0), 0.1, [5], Streams(3))[5]
    energy, low, high = early.energies(rest)
    assert 0.01 < low < energy < high
    assert abs(late.energies(rest)[0]) < 0.1 * energy
