"""Both layers of a two-layer network trained by gradient descent from a start of any scale, rich or lazy.

    f(x) = (alpha^2/m) sum_l v_l s(<w_l, x>),    w_l ~ N(0, I/d), v_l ~ N(0, 1) at the start,    L = (1/2) |f - y|^2.

For s = relu this is sum_l v'_l s(<w'_l, x>) with (w', v') = (alpha/sqrt(m)) (w, v): alpha is the scale of the start;
alpha = 1 is the mean-field scaling, alpha = m^(1/4) the neural-tangent scaling. For other s alpha^2 is the scale of the
output [cob19]. With S_l = s'(X w_l), c = alpha^2/m and residual r = f - y, the Jacobian has the rows

    df/dv_l = c s(X w_l),      df/dw_l = c v_l S_l X,

the tangent kernel is K = c^2 [Phi Phi^T + (X X^T) o (S diag(v^2) S^T)], and the Hessian of L is J^T J plus, for each
neuron, the residual's curvature c [[v_l X^T (r s''_l) X, X^T (r S_l)], [., 0]]. At small alpha the second part is the
larger one, so the step is eta = 0.5/(lmax(K) + max_l of its norm), renewed as training goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from giantstep.arrays import Array
from giantstep.problems import Activation
from giantstep.streams import Streams

REFRESH = 20  # steps between two looks at the curvature
SAFETY = 0.5
POWER_STEPS = 8


@dataclass(frozen=True, eq=False)
class ScaledNetwork:
    """The network above: weights (m, d), second layer (m,), c = alpha^2/m."""

    activation: Activation
    weights: Array
    second_layer: Array
    factor: float

    def __call__(self, x: Array) -> Array:
        return np.asarray(self.factor * (self.activation(x @ self.weights.T) @ self.second_layer))

    def jacobian(self, x: Array) -> Array:
        """(n, m d + m): derivatives after all weights, neuron by neuron, then after the second layer."""
        value, slope = self.activation.value_and_derivative(x @ self.weights.T)
        by_weights = (slope * self.second_layer)[:, :, None] * x[:, None, :]
        return np.asarray(self.factor * np.hstack([by_weights.reshape(len(x), -1), value]))

    def tangent_kernel(self, x: Array, other: Array | None = None) -> Array:
        """K between the rows of x and those of another sample, without the Jacobian."""
        value, slope = self.activation.value_and_derivative(x @ self.weights.T)
        if other is None:
            other, value2, slope2 = x, value, slope
        else:
            value2, slope2 = self.activation.value_and_derivative(other @ self.weights.T)
        gates = (slope * self.second_layer**2) @ slope2.T
        return np.asarray(self.factor**2 * (value @ value2.T + (x @ other.T) * gates))

    def parameters(self) -> Array:
        """theta, in the order of the Jacobian's columns."""
        return np.concatenate([self.weights.ravel(), self.second_layer])

    def moved_by(self, change: Array) -> ScaledNetwork:
        """The network at theta + change."""
        m, d = self.weights.shape
        weights = self.weights + change[: m * d].reshape(m, d)
        return replace(self, weights=weights, second_layer=self.second_layer + change[m * d :])

    def masses(self) -> Array:
        """What each neuron weighs in the output: |v'_l| |w'_l| = c |v_l| |w_l|."""
        return np.asarray(self.factor * np.abs(self.second_layer) * np.linalg.norm(self.weights, axis=1))

    def __repr__(self) -> str:
        m, d = self.weights.shape
        return f"ScaledNetwork({self.activation}, d={d}, m={m}, alpha={(self.factor * m) ** 0.5:.4g})"


def start_network(
    activation: Activation, d: int, neurons: int, scale: float, streams: Streams, *, doubled: bool = True
) -> ScaledNetwork:
    """A random start of scale alpha. Doubled: neurons come in pairs (w, v), (w, -v), so that f = 0 exactly."""
    rng, drawn = streams.generator(), neurons // 2 if doubled else neurons
    weights = rng.standard_normal((drawn, d)) / d**0.5
    second = rng.standard_normal(drawn)
    if doubled:
        weights, second = np.vstack([weights, weights]), np.concatenate([second, -second])
    return ScaledNetwork(activation, weights, second, scale**2 / neurons)


@dataclass(frozen=True, eq=False)
class Descent:
    """Where gradient descent ended: the network, |f - y|/|y|, the sum of all step sizes, and the steps taken."""

    network: ScaledNetwork
    residual: float
    time: float
    iterations: int

    def __repr__(self) -> str:
        return f"Descent({self.iterations} steps, residual {self.residual:.2g}, time {self.time:.4g})"


def descend(
    start: ScaledNetwork,
    x: Array,
    y: Array,
    *,
    stop: float = 1e-3,
    most: int = 20_000,
    watch: Callable[[ScaledNetwork], Any] | None = None,
) -> Descent:
    """Gradient descent on L until |f - y| <= stop |y|, or `most` steps; `watch` sees every network on the way."""
    w, v, c = start.weights.copy(), start.second_layer.copy(), start.factor
    # The second derivative counts only where there is one: kinks have measure zero.
    bend = None if start.activation.kinks else start.activation.derivative_activation
    gram = x @ x.T
    size = float(np.linalg.norm(y))
    vector = y / size
    eta = time = 0.0
    for iteration in range(most + 1):
        value, slope = start.activation.value_and_derivative(x @ w.T)
        residual = c * (value @ v) - y
        share = float(np.linalg.norm(residual)) / size
        if share <= stop or iteration == most:
            break
        if watch is not None:
            watch(replace(start, weights=w.copy(), second_layer=v.copy()))
        if iteration % REFRESH == 0:
            kernel = c**2 * (value @ value.T + gram * ((slope * v**2) @ slope.T))
            top, vector = _top_eigenvalue(kernel, vector)
            curvature = c * float(np.linalg.norm(x.T @ (slope * residual[:, None]), axis=0).max())
            if bend is not None:
                bent = bend.derivative(x @ w.T) * residual[:, None]
                squares = np.einsum("il,il->l", bent, gram**2 @ bent)  # squared Frobenius norms of X^T (r s'') X
                curvature += c * float((np.abs(v) * np.sqrt(np.maximum(squares, 0.0))).max())
            eta = SAFETY / (top + curvature)
        weighted = slope * residual[:, None]
        w -= (eta * c) * (v[:, None] * (weighted.T @ x))
        v -= (eta * c) * (value.T @ residual)
        time += eta
    end = replace(start, weights=w, second_layer=v)
    if watch is not None:
        watch(end)
    return Descent(end, share, time, iteration)


def _top_eigenvalue(matrix: Array, guess: Array) -> tuple[float, Array]:
    """The largest eigenvalue by the power method, begun where the last one ended; a few percent are enough."""
    vector = guess
    for _ in range(POWER_STEPS):
        image = matrix @ vector
        size = float(np.linalg.norm(image))
        if size == 0:
            return 0.0, guess
        vector = image / size
    return size, vector
