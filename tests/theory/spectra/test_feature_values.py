"""The law of the features' singular values is that of the kernel's eigenvalues but zero, in other coordinates."""

import numpy as np
import pytest

from giantstep.theory.spectra import ConjugateKernel, FeatureSingularValues


@pytest.mark.parametrize(
    ("kernel", "rank"),
    [
        (ConjugateKernel(0.6, 0.03, 2.0, 1.25), 125),  # fewer neurons than samples
        (ConjugateKernel(0.6, 0.03, 1.25, 2.0), 125),  # all of them
        (ConjugateKernel(1.0, 0.0, 2.0, 1.25), 100),  # a linear activation has rank d
    ],
)
def test_the_density_integrates_to_the_distribution_function(kernel: ConjugateKernel, rank: int) -> None:
    law = FeatureSingularValues(kernel)
    s = np.linspace(*law.edges, 4001)
    mass = np.concatenate([[0.0], np.cumsum(np.diff(s) * (law.density(s)[1:] + law.density(s)[:-1]) / 2)])
    assert mass == pytest.approx(law.cdf(s), abs=2e-3)
    assert law.cdf(law.edges[1] + 1e-9) == pytest.approx(1.0)
    assert law.rank(round(kernel.psi1 * 100)) == rank
