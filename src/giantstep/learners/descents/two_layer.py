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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.trajectory import whole_times
from giantstep.problems import Activation
from giantstep.streams import Streams

REFRESH = 20  # steps between two looks at the curvature
SAFETY = 0.5
POWER_STEPS = 8


@dataclass(frozen=True, eq=False)
class ScaledNetwork:
    """The network above, with both layers as its parameters.

    It differs from `networks.Network` in two things: c may be any number, for alpha is what is studied, where a
    `Network` knows the papers' fixed scalings; and it has the derivatives by all parameters.

    Args:
        activation: s.
        weights: w, (m, d).
        second_layer: v, (m,).
        factor: c = alpha^2/m.
    """

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
    """A random start.

    Args:
        activation: s.
        d: the dimension of the inputs.
        neurons: m.
        scale: alpha.
        streams: where both layers are drawn from.
        doubled: neurons come in pairs (w, v), (w, -v), so that f = 0 exactly.
    """
    rng, drawn = streams.generator(), neurons // 2 if doubled else neurons
    weights = rng.standard_normal((drawn, d)) / d**0.5
    second = rng.standard_normal(drawn)
    if doubled:
        weights, second = np.vstack([weights, weights]), np.concatenate([second, -second])
    return ScaledNetwork(activation, weights, second, scale**2 / neurons)


@dataclass(frozen=True, eq=False)
class TwoLayerState:
    """Where gradient descent has come.

    Args:
        network: both layers.
        residual: |f - y|/|y|.
        time: the sum of all step sizes so far.
    """

    network: ScaledNetwork
    residual: float
    time: float

    def __repr__(self) -> str:
        return f"TwoLayerState({self.network}, residual {self.residual:.2g}, time {self.time:.4g})"


@dataclass(frozen=True, eq=False, repr=False)
class TwoLayerDescent:
    """Gradient descent on L with steps that follow its curvature, a dynamics for `run`: starts are `ScaledNetwork`,
    states are `TwoLayerState`, times are numbers of steps.

    Args:
        x: the inputs, (n, d).
        y: the labels, (n,).
    """

    x: Array
    y: Array

    def states(self, start: ScaledNetwork, times: Sequence[float]) -> Iterator[TwoLayerState]:
        x, y, c = self.x, self.y, start.factor
        w, v, size = start.weights, start.second_layer, float(np.linalg.norm(y))
        step_at = _StableStep(start, x, y / size)
        eta, elapsed, done = 0.0, 0.0, 0
        value, slope = start.activation.value_and_derivative(x @ w.T)
        residual = c * (value @ v) - y
        for time in whole_times(times):
            while done < time:
                if done % REFRESH == 0:
                    eta = step_at(w, v, value, slope, residual)
                weighted = slope * residual[:, None]
                w = w - (eta * c) * (v[:, None] * (weighted.T @ x))
                v = v - (eta * c) * (value.T @ residual)
                elapsed, done = elapsed + eta, done + 1
                value, slope = start.activation.value_and_derivative(x @ w.T)
                residual = c * (value @ v) - y
            error = float(np.linalg.norm(residual)) / size
            if not np.isfinite(error):
                raise InputError(f"gradient descent diverges: after {done} steps its network gives no number any more")
            yield TwoLayerState(ScaledNetwork(start.activation, w, v, c), error, elapsed)

    def __repr__(self) -> str:
        n, d = self.x.shape
        return f"TwoLayerDescent(n={n}, d={d})"


class _StableStep:
    """eta = 0.5/(lmax(K) + the residual's curvature); remembers where the power method ended."""

    def __init__(self, start: ScaledNetwork, x: Array, guess: Array) -> None:
        self.factor, self.x, self.vector = start.factor, x, guess
        self.gram = x @ x.T
        # The second derivative counts only where there is one: kinks have measure zero.
        self.bend = None if start.activation.kinks else start.activation.derivative_activation

    def __call__(self, w: Array, v: Array, value: Array, slope: Array, residual: Array) -> float:
        c, x = self.factor, self.x
        kernel = c**2 * (value @ value.T + self.gram * ((slope * v**2) @ slope.T))
        top, self.vector = _top_eigenvalue(kernel, self.vector)
        curvature = c * float(np.linalg.norm(x.T @ (slope * residual[:, None]), axis=0).max())
        if self.bend is not None:
            bent = self.bend.derivative(x @ w.T) * residual[:, None]
            squares = np.einsum("il,il->l", bent, self.gram**2 @ bent)  # squared Frobenius norms of X^T (r s'') X
            curvature += c * float((np.abs(v) * np.sqrt(np.maximum(squares, 0.0))).max())
        return SAFETY / (top + curvature)


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
