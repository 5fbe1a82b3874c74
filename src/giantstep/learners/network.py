"""The two-layer network f(x) = factor * sum_i a_i sigma(<w_i, x> + b_i)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from giantstep.errors import InputError
from giantstep.learners.conventions import Scaling

if TYPE_CHECKING:
    from giantstep.problems.activation import Activation


def _frozen(values: object) -> NDArray[np.float64]:
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """Rows of `weights` are neurons. Arrays are copied and read-only: a step makes a new network."""

    weights: NDArray[np.float64]
    second_layer: NDArray[np.float64]
    activation: Activation
    scaling: Scaling
    biases: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        weights, second = _frozen(self.weights), _frozen(self.second_layer)
        biases = None if self.biases is None else _frozen(self.biases)
        if weights.ndim != 2 or 0 in weights.shape:
            raise InputError(f"the weights have shape {weights.shape}: they must be (neurons, d).")
        for name, values in (("second layer", second), ("biases", biases)):
            if values is not None and values.shape != weights.shape[:1]:
                raise InputError(f"the {name} has shape {values.shape}: it must be ({weights.shape[0]},).")
        for field, value in (("weights", weights), ("second_layer", second), ("biases", biases)):
            object.__setattr__(self, field, value)

    @property
    def width(self) -> int:
        """N, the number of neurons."""
        return int(self.weights.shape[0])

    @property
    def d(self) -> int:
        """The dimension of the inputs."""
        return int(self.weights.shape[1])

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """c with f(x) = sum_i c_i sigma(<w_i, x> + b_i): the second layer times the scaling factor."""
        return self.scaling.factor(self.width) * self.second_layer

    def features(self, x: NDArray[Any]) -> NDArray[Any]:
        """sigma(X W^T + b), rows of X as rows; not scaled."""
        local = np.asarray(x) @ self.weights.T
        if self.biases is not None:
            local += self.biases
        return np.asarray(self.activation(local))

    def __call__(self, x: NDArray[Any]) -> NDArray[Any]:
        """f(x) for inputs of any leading shape."""
        return np.asarray(self.features(x) @ self.coefficients)

    def with_weights(self, weights: NDArray[np.float64]) -> Network:
        """The same network with another first layer."""
        return replace(self, weights=weights)

    def with_coefficients(self, coefficients: NDArray[np.float64]) -> Network:
        """The same first layer with a fitted head: f(x) = sum_i c_i sigma(<w_i, x> + b_i)."""
        return replace(self, second_layer=np.asarray(coefficients) / self.scaling.factor(self.width))

    def __repr__(self) -> str:
        shift = "" if self.biases is None else " + b_i"
        return (
            f"Network(N={self.width}, d={self.d}, sigma={self.activation.text!r}, "
            f"f = {self.scaling.value} * sum_i a_i sigma(<w_i, x>{shift}))"
        )
