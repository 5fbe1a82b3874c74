"""The Marchenko-Pastur law against integrals, random matrices and its own identities."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.theory.spectra import MarchenkoPastur, SingularValues, finite_edge

RATIOS = (0.01, 0.3, 0.999, 1.0, 1.5, 2.0, 40.0)
SIDES = ("rows", "columns")


def integrate(law: MarchenkoPastur, function, low: float, high: float, nodes: int = 400) -> float:
    """Integral of function x density, in the angle that makes both edges smooth."""
    angle, weight = np.polynomial.legendre.leggauss(nodes)
    angle, weight = np.pi * (angle + 1) / 2, np.pi * weight / 2
    x = low + (high - low) * np.sin(angle / 2) ** 2
    jacobian = (high - low) * np.sin(angle / 2) * np.cos(angle / 2)
    return float(np.sum(weight * jacobian * law.density(x) * function(x)))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("ratio", RATIOS)
def test_mass_mean_and_cdf(ratio, side):
    law = MarchenkoPastur(ratio, side)
    low, high = law.edges
    assert integrate(law, np.ones_like, low, high) == pytest.approx(1 - law.atom, abs=1e-6)
    mean = ratio if side == "rows" else 1.0
    assert integrate(law, lambda x: x, low, high) == pytest.approx(mean, rel=1e-10)
    assert law.cdf([-1.0, low * 0.999, high, high + 1]) == pytest.approx([0.0, law.atom, 1.0, 1.0], abs=1e-14)
    middle = low + 0.3 * (high - low)
    assert law.cdf(middle) == pytest.approx(law.atom + integrate(law, np.ones_like, low, middle), abs=1e-6)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("ratio", RATIOS)
def test_quantile_inverts_the_cdf(ratio, side):
    law = MarchenkoPastur(ratio, side)
    p = np.linspace(law.atom + 1e-6, 1 - 1e-6, 101)
    assert law.cdf(law.quantile(p)) == pytest.approx(p, abs=1e-12)
    assert law.quantile(1.0) == pytest.approx(law.edges[1])
    if law.atom:
        assert law.quantile(law.atom / 2) == 0.0


def test_both_sides_share_their_nonzero_eigenvalues():
    x = np.linspace(0.2, 5, 40)
    rows, columns = MarchenkoPastur(2.0), MarchenkoPastur(2.0, "columns")
    assert rows.density(x) == pytest.approx(2 * columns.density(x))


@pytest.mark.parametrize("ratio", [0.3, 1.0, 2.0])
def test_singular_values_of_a_random_matrix(ratio):
    d = 400
    weights = np.random.default_rng(5).standard_normal((d, round(ratio * d))) / np.sqrt(d)
    values = np.sort(np.linalg.svd(weights, compute_uv=False))
    law = SingularValues(ratio)
    distance = np.abs(law.cdf(values) - (np.arange(len(values)) + 0.5) / len(values)).max()
    assert distance < 4 / len(values)  # eigenvalues are rigid: each stays within a few spacings
    assert law.cdf(law.quantile(0.37)) == pytest.approx(0.37)
    assert law.density([-0.1, 0.0]) == pytest.approx([0.0, 0.0])


def test_singular_value_density_integrates_to_one():
    for ratio in (0.3, 1.0, 2.0):
        law = SingularValues(ratio)
        s = law.quantile(np.linspace(0, 1, 20001))
        area = np.sum((law.density(s)[1:] + law.density(s)[:-1]) / 2 * np.diff(s))
        assert area == pytest.approx(1.0, abs=1e-4)


def test_tracy_widom_edge_values():
    # psi2 = 2: mean of the largest singular value at three sizes.
    for d, mean in ((250, 2.3960), (500, 2.4027), (1000, 2.4070)):
        edge = finite_edge(d, 2 * d)
        assert edge.mean == pytest.approx(mean, abs=6e-5)
        assert edge.limit == pytest.approx(1 + np.sqrt(2))


def test_tracy_widom_edge_in_simulation():
    d, neurons, seeds = 120, 180, 300
    rng = np.random.default_rng(11)
    top = [np.linalg.norm(rng.standard_normal((d, neurons)) / np.sqrt(d), 2) for _ in range(seeds)]
    edge = finite_edge(d, neurons)
    assert np.mean(top) == pytest.approx(edge.mean, abs=4 * edge.deviation / np.sqrt(seeds) + 0.002)
    assert np.std(top) == pytest.approx(edge.deviation, rel=0.25)


def test_refusals():
    with pytest.raises(InputError, match="ratio must be"):
        MarchenkoPastur(0.0)
    with pytest.raises(InputError, match="side must be"):
        MarchenkoPastur(1.0, "left")
    with pytest.raises(InputError, match="between 0 and 1"):
        MarchenkoPastur(1.0).quantile(1.5)
    with pytest.raises(InputError):
        finite_edge(0, 3)
