"""The average gradient outer product of a kernel fit against differences of the fit itself."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.kernels import fit_kernel, gradient_outer_product


@pytest.mark.parametrize("kernel", ["exp", "(1 + t)**3"])
def test_gradients_are_those_of_the_fit(kernel):
    generator = np.random.default_rng(2)
    x, y, places = (generator.standard_normal(shape) for shape in ((30, 4), 30, (9, 4)))
    fit = fit_kernel(kernel, x, y, [0.1, 1.0])
    moved = [fit.predict(places + h) for h in 1e-5 * np.eye(4)], [fit.predict(places - h) for h in 1e-5 * np.eye(4)]
    for number in (0, 1):
        gradient = (np.array(moved[0])[:, number] - np.array(moved[1])[:, number]) / 2e-5
        assert gradient_outer_product(fit, places, number) == pytest.approx(gradient @ gradient.T / 9, rel=1e-5)


def test_wrong_arguments():
    fit = fit_kernel("exp", np.eye(3), np.ones(3), 1.0)
    with pytest.raises(InputError, match="dimension 2"):
        gradient_outer_product(fit, np.ones((4, 2)))
    with pytest.raises(InputError, match="number"):
        gradient_outer_product(fit, np.ones((4, 3)), 1)
