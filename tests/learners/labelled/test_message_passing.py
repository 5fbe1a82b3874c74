"""The matrix of message passing against the steps that it stands for."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.labelled import message_outliers, message_spectrum


def step(x, gains, g):
    return np.einsum("iab,ib->ia", gains, x @ (x.T @ g) / x.shape[1] - g)


def test_eigenvectors_are_those_of_a_step():
    generator = np.random.default_rng(3)
    x, gains = generator.standard_normal((12, 7)), generator.standard_normal((12, 2, 2))
    found = message_spectrum(x, gains, 24)
    assert (np.diff(found.values.real) <= 0).all()
    whole = np.stack([step(x, gains, g.reshape(12, 2)).ravel() for g in np.eye(24)], axis=1)
    assert np.sort_complex(found.values) == pytest.approx(np.sort_complex(np.linalg.eigvals(whole)))
    # An estimate w = X^T g comes back as itself, times its eigenvalue: g = (value + G)^-1 G X w/d.
    for value, w in zip(found.values[:3], found.estimates[:3], strict=True):
        back = np.linalg.solve(value * np.eye(2) + gains, gains @ (x @ w / 7)[:, :, None])[:, :, 0]
        assert x.T @ back == pytest.approx(w)


def test_the_first_ones_are_those_of_the_whole():
    generator = np.random.default_rng(5)
    x = generator.standard_normal((120, 30))
    gains = (x[:, :1] ** 2 - 1)[:, :, None] * np.diag([1.0, 0.6])
    whole, first = message_spectrum(x, gains, 2), message_outliers(x, gains, 2)
    assert first.values == pytest.approx(whole.values[:2], rel=1e-3)
    assert first.share_along(np.eye(30)[:1]) == pytest.approx(whole.share_along(np.eye(30)[:1]), rel=1e-3)


def test_shares_lie_between_nothing_and_all():
    generator = np.random.default_rng(4)
    found = message_spectrum(generator.standard_normal((9, 5)), generator.standard_normal((9, 1, 1)), 2)
    assert found.share_along(np.eye(5)) == pytest.approx(1)
    assert 0 < found.share_along(np.eye(5)[:2]) < 1


def test_wrong_arguments():
    with pytest.raises(InputError, match="one matrix for each"):
        message_spectrum(np.ones((3, 2)), np.ones((2, 1, 1)))
    with pytest.raises(InputError, match="count"):
        message_spectrum(np.ones((3, 2)), np.ones((3, 1, 1)), 4)
    with pytest.raises(InputError, match="one matrix for each"):
        message_outliers(np.ones((3, 2)), np.ones((2, 1, 1)))
