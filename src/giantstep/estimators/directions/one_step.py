"""The gradient of a random two-layer network at its start: what one giant step adds to every neuron.

    G = (1/n) sum_i y_i z_i sigma'(W z_i + b)',   (r, neurons);   directions: left singular vectors of G

with rows of W uniform on the sphere and b ~ N(0, 1/4): h_k = E[y He_k] enters the gradient of a neuron w through
E[sigma^(k)(<w, z> + b)] h_k w^(k-1), so that a direction v of h_1 shows in all neurons alike, one of h_2 in those with
<w, v> of one sign or the other, at d^(-1/2) of the size, and so on ([dls22], [bes22]).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import whole_number
from giantstep.estimators.directions.base import Directions
from giantstep.estimators.directions.statistics import MatrixSearch, Orders, Search
from giantstep.estimators.labels import Labels
from giantstep.learners.engines import first_layer_gradient
from giantstep.learners.networks import Network, Scaling
from giantstep.problems import Activation, ArraySample

BIAS = 0.5
"""Standard deviation of the biases: they let an activation see degrees that it does not see without."""


class OneStepDirections(Directions):
    """Leading directions of the first gradient of a random two-layer network, whose output is still 0.

    It sees what a network sees in one giant step: the linear part first, at n of a few d; then what is quadratic, at a
    strength smaller by d. Where both are there the linear one is much the stronger.

    Args:
        n_directions: how many, or "auto".
        activation: sigma, an `Activation` or its text such as "relu".
        neurons: how many random neurons, or "auto" for twice the rank of the inputs, from 50 to 1000.
        permutations, level, shrinkage, gaussianise, random_state, verbose: see `Directions`, which also lists the
            fitted attributes.

    >>> x = np.random.default_rng(0).standard_normal((1000, 10))
    >>> fit = OneStepDirections(random_state=0).fit(x, x[:, 0] * x[:, 1])
    >>> fit.n_directions_, sorted(np.abs(fit.standardised_directions_).sum(axis=0).argsort()[-2:].tolist())
    (2, [0, 1])
    """

    def __init__(
        self,
        n_directions: int | str = "auto",
        *,
        activation: str = "relu",
        neurons: int | str = "auto",
        permutations: int = 99,
        level: float = 0.02,
        shrinkage: float | str = "auto",
        gaussianise: bool = False,
        random_state: Any = None,
        verbose: Any = False,
    ) -> None:
        super().__init__(
            n_directions,
            permutations=permutations,
            level=level,
            shrinkage=shrinkage,
            gaussianise=gaussianise,
            random_state=random_state,
            verbose=verbose,
        )
        self.activation = activation
        self.neurons = neurons

    def _search(self, z: Array, weight: Array, labels: Labels) -> Search:
        (n, r), outputs = z.shape, labels.columns.shape[1]
        network = self._network(r)

        def matrix(order: Orders) -> Array:
            given = labels.columns[order] * (n * weight)[:, None]
            parts = [first_layer_gradient(network, ArraySample(z, column)).gradient.T for column in given.T]
            return np.asarray(np.concatenate(parts, axis=1) / np.sqrt(network.neurons))

        return MatrixSearch(
            lambda orders: np.stack([matrix(order) for order in orders]),
            (r, outputs * network.neurons),
            symmetric=False,
            numbers=r * r,
        )

    def _network(self, r: int) -> Network:
        """Random neurons without a second layer: the output is 0, and the gradient that of the labels alone."""
        auto = isinstance(self.neurons, str) and self.neurons == "auto"
        neurons = min(max(2 * r, 50), 1000) if auto else whole_number("neurons", self.neurons)
        generator = np.random.default_rng(self._seed)
        rows = generator.standard_normal((neurons, r))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        biases = BIAS * generator.standard_normal(neurons)
        return Network(rows, np.zeros(neurons), Activation(self.activation), Scaling.UNIT, biases)
