"""Gradients of kernel fits: what is fitted well is found, however steep a fit to permuted labels is."""

from __future__ import annotations

import numpy as np

from giantstep.estimators import GradientOuterProduct


def test_a_weaker_direction_is_found_beside_a_stronger_one_at_a_small_penalty() -> None:
    """With the penalty that suits these labels a fit to permuted ones is rough: its gradients are larger, not fewer."""
    draw = np.random.default_rng(0)
    x = draw.standard_normal((300, 6))
    fit = GradientOuterProduct(random_state=0).fit(x, x[:, 0] + x[:, 0] * x[:, 1] + 0.1 * draw.standard_normal(300))
    assert fit.n_directions_ == 2
    assert np.abs(fit.directions_[:, :2]).max(axis=1).min() > 0.95
    assert fit.strengths_[0] > fit.edges_[0]


def test_strengths_are_shares_of_what_is_left() -> None:
    draw = np.random.default_rng(1)
    x = draw.standard_normal((200, 4))
    fit = GradientOuterProduct(2, permutations=0, random_state=0).fit(x, x[:, 0] ** 2 + 0.5 * x[:, 1])
    np.testing.assert_allclose(fit.strengths_, fit.spectrum_[:2], rtol=1e-6)
    assert np.all((fit.spectrum_ > 0) & (fit.spectrum_ <= 1 + 1e-12))
    assert fit.spectrum_[-1] == 1.0, "the last direction is all that is left"
