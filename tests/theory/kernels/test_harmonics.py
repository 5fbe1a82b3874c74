"""Parts of polynomials in spherical harmonics, and the floor of all rotation invariant kernels."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.gaussian.sphere import angle_rule, chi_square_rule, gegenbauer, harmonics
from giantstep.problems import Target
from giantstep.theory.kernels import kernel_floor
from giantstep.theory.kernels.harmonics import harmonic_energies

DEGREE_4 = Target("sqrt(0.3)*He2(x1)/sqrt(2) + sqrt(0.7)*He4(x1)/sqrt(24)")


@pytest.mark.parametrize("text", ["He2(x1)", "He4(x1)", "x1 + He3(x1)/2 + He5(x1)/10", "1 + He2(x1) - He4(x1)/3"])
@pytest.mark.parametrize("d", [3, 16, 400])
def test_energies_of_one_direction_by_quadrature(text: str, d: int) -> None:
    """E_l = n_l E_t (E_c[f(sqrt(d) t c) P_l(c)])^2."""
    target = Target(text)
    square, weight = chi_square_rule(d, 24)
    cosine, share = angle_rule(d, 24)
    values = np.asarray(target((np.sqrt(square)[:, None] * cosine)[..., None]))
    energies = harmonic_energies(target, d)
    for degree, polynomial in enumerate(islice(gegenbauer(cosine, d), 7)):
        expected = harmonics(degree, d) * float(weight @ (values @ (share * polynomial)) ** 2)
        assert energies.energy(degree) == pytest.approx(expected, abs=1e-10 * float(target.norm2))


def test_energies_add_up_and_do_not_know_the_coordinates() -> None:
    turned = Target("He2(0.6*x1 + 0.8*x2)*(0.8*x1 - 0.6*x2)/2 + He4(0.6*x1 + 0.8*x2)/9")
    plain = Target("He2(x1)*x2/2 + He4(x1)/9")
    for degree in range(5):
        assert harmonic_energies(turned, 9).energy(degree) == pytest.approx(harmonic_energies(plain, 9).energy(degree))
    total = sum(harmonic_energies(plain, 9).energy(degree) for degree in range(5))
    assert total == pytest.approx(float(plain.norm2))
    for _, products in harmonic_energies(plain, 9).parts.values():
        assert np.linalg.eigvalsh(products).min() > -1e-12


def test_a_harmonic_polynomial_has_one_degree() -> None:
    energies = harmonic_energies(Target("x1*x2*x3 + He2(x1)*x2 - He2(x3)*x2"), 7)
    assert energies.energy(3) == pytest.approx(1 + 2 + 2)
    assert energies.energy(1) == pytest.approx(0.0, abs=1e-12)


def test_the_floor() -> None:
    assert kernel_floor(DEGREE_4, 16, 0) == pytest.approx(1.0)
    floors = [kernel_floor(DEGREE_4, 16, n) for n in (10, 136, 1000, 3876, 5000)]
    assert floors == sorted(floors, reverse=True)
    assert floors[1] == pytest.approx(0.7 * 17 / 24)  # degrees 0 and 2 are filled: 136 = 1 + 135 functions
    assert floors[3:] == pytest.approx([0.0, 0.0], abs=1e-12)
    # For d^2 << n << d^4 it is the energy above degree 2.
    assert kernel_floor(DEGREE_4, 10000, 10**10) == pytest.approx(0.7, abs=0.001)


def test_no_random_space_holds_more() -> None:
    """The least squares error of an invariant space on a mean over rotations: random features at infinite samples."""
    from giantstep.learners.networks import DLS22, initialise
    from giantstep.learners.risk import feature_moments
    from giantstep.problems import Activation, Problem
    from giantstep.streams import Streams

    best = []
    for seed in range(10):
        net = initialise(DLS22, Activation("relu"), 6, 2 * 40, Streams(seed))
        moments = feature_moments(net, Problem(DEGREE_4, 6))
        best.append(1 - float(moments.cross @ np.linalg.pinv(moments.covariance, 1e-9) @ moments.cross))
    assert np.mean(best) > kernel_floor(DEGREE_4, 6, 40)


def test_only_polynomials() -> None:
    with pytest.raises(InputError, match="polynomial"):
        harmonic_energies(Target("tanh(x1)"), 8)
