"""The two-layer network f(x) = factor * sum_i a_i sigma(<w_i, x> + b_i)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from giantstep.checks import real_array
from giantstep.errors import InputError
from giantstep.learners.networks.conventions import Scaling, named
from giantstep.problems import Activation


def _frozen(what: str, values: ArrayLike) -> NDArray[np.float64]:
    array = np.array(real_array(what, values), dtype=np.float64)
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Network:
    """f(x) = factor * sum_i a_i sigma(<w_i, x> + b_i). Arrays are copied and read-only: a step makes a new network.

    Args:
        weights: w_i as rows, (N, d).
        second_layer: a, (N,).
        activation: sigma, an `Activation` or its text.
        scaling: the factor, a `Scaling` or its text such as "1/N".
        biases: b, (N,), or None for none.

    >>> Network(np.eye(3), [1, -1, 1], "tanh", "1/N")
    Network(N=3, d=3, sigma='tanh(z)', f = 1/N * sum_i a_i sigma(<w_i, x>))
    """

    weights: NDArray[np.float64]
    second_layer: NDArray[np.float64]
    activation: Activation
    scaling: Scaling
    biases: NDArray[np.float64] | None

    def __init__(
        self,
        weights: ArrayLike,
        second_layer: ArrayLike,
        activation: Activation | str,
        scaling: Scaling | str,
        biases: ArrayLike | None = None,
    ) -> None:
        rows, second = _frozen("the weights", weights), _frozen("the second layer", second_layer)
        shifts = None if biases is None else _frozen("the biases", biases)
        if rows.ndim != 2 or 0 in rows.shape:
            raise InputError(f"weights of shape {rows.shape} are not allowed; they must be (neurons, d)")
        for name, array in (("second layer", second), ("biases", shifts)):
            if array is not None and array.shape != rows.shape[:1]:
                raise InputError(f"a {name} of shape {array.shape} is not allowed; it must be ({rows.shape[0]},)")
        values = {
            "weights": rows,
            "second_layer": second,
            "activation": activation if isinstance(activation, Activation) else Activation(activation),
            "scaling": named("the scaling of the output", Scaling, scaling),
            "biases": shifts,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def neurons(self) -> int:
        """N, the number of neurons."""
        return int(self.weights.shape[0])

    @property
    def d(self) -> int:
        """The dimension of the inputs."""
        return int(self.weights.shape[1])

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """c with f(x) = sum_i c_i sigma(<w_i, x> + b_i): the second layer times the scaling factor."""
        return self.scaling.factor(self.neurons) * self.second_layer

    def features(self, x: NDArray[Any]) -> NDArray[Any]:
        """sigma(X W^T + b), rows of X as rows; not scaled."""
        inputs = real_array("the inputs", x)
        if inputs.shape[-1:] != (self.d,):
            raise InputError(f"inputs of shape {inputs.shape} are not allowed; the network needs (..., {self.d})")
        local = inputs @ self.weights.T
        if self.biases is not None:
            local += self.biases
        return np.asarray(self.activation(local))

    def __call__(self, x: NDArray[Any]) -> NDArray[Any]:
        """f(x) for inputs of any leading shape."""
        return np.asarray(self.features(x) @ self.coefficients)

    def with_weights(self, weights: NDArray[np.float64]) -> Network:
        """The same network with another first layer."""
        return replace(self, weights=weights)

    def moved_by(self, change: NDArray[np.float64]) -> Network:
        """The same network with `change` (N, d) added to its first layer."""
        return self.with_weights(self.weights + change)

    def with_coefficients(self, coefficients: NDArray[np.float64]) -> Network:
        """The same first layer with a fitted head: f(x) = sum_i c_i sigma(<w_i, x> + b_i)."""
        return replace(self, second_layer=np.asarray(coefficients) / self.scaling.factor(self.neurons))

    def __repr__(self) -> str:
        shift = "" if self.biases is None else " + b_i"
        return (
            f"Network(N={self.neurons}, d={self.d}, sigma={self.activation.text!r}, "
            f"f = {self.scaling.value} * sum_i a_i sigma(<w_i, x>{shift}))"
        )
