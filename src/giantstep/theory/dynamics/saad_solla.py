"""The equations of Saad and Solla: one-pass SGD as an ordinary differential equation of its order parameters.

Network f = sum_i c_i sigma(h_i), h_i = <w_i, x>, target f*(x), error e = f* - f, step w_i += s a_i e sigma'(h_i) x with
fresh x ~ N(0, I_d) and label noise of variance Delta. For d to infinity, with tau = s n for n samples and kappa = s d,

    dM_ik/dtau = a_i E[e sigma'(h_i) x_k]                                                    M = W W*^T
    dQ_ij/dtau = a_i E[e sigma'(h_i) h_j] + a_j E[e sigma'(h_j) h_i]                         Q = W W^T
                 + kappa a_i a_j E[(e^2 + Delta) sigma'(h_i) sigma'(h_j)]

[saad95, equations for R and Q], over fields (h, x) ~ N(0, [[Q, M], [M^T, I]]). With kappa = 0 this is gradient flow on
the population risk E[e^2]/2: the limit of small steps, or of many neurons when f carries 1/p (mean field).

The averages are closed for sigma = erf and targets that are sums of erf (`erf_averages`); otherwise they
are taken by a fixed rule in the p + r fields (`field_averages`), whose error is stated in the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory.dynamics.field_averages import POINTS, Averages, erf_averages, rule_averages

AverageFunction: TypeAlias = Callable[[Array, Array], Averages]
Rows: TypeAlias = tuple[tuple[float, ...], ...]

FINER = 4
"""How many more points the rule for the risk has: it is needed at a few times only."""
HUGE = 1e6
"""Order parameters of this size grow without bound."""
RIGHT = 0.01
"""An error of the tensor rule above this, and points spread evenly are tried: neurons have become long and steep."""
TINY = 0.05
"""Averages are compared with their own size, but not below this error e: nearer to the target nothing moves."""


@dataclass(frozen=True)
class OnlineSetting:
    """What the equations need: target and activation, the network's layers, and what makes it noisy.

    Args:
        target: f*, of r directions.
        activation: sigma of every neuron.
        output: c_i, the neurons' weights in f = sum_i c_i sigma(h_i), (p,).
        second_layer: a_i, the factors of the neurons' steps, (p,).
        kappa: s d, step size times dimension; 0 for gradient flow.
        noise: standard deviation of the label noise, sqrt(Delta).
    """

    target: Target
    activation: Activation
    output: tuple[float, ...]
    second_layer: tuple[float, ...]
    kappa: float
    noise: float = 0.0

    @property
    def neurons(self) -> int:
        """p."""
        return len(self.output)

    def averages(self, closed: bool = True, even: bool = False) -> tuple[AverageFunction, AverageFunction | None]:
        """The averages, in closed form where it exists; otherwise by points, and by more points for the risk."""
        output = np.array(self.output)
        exact = erf_averages(self.activation, self.target, output, squares=self.kappa > 0) if closed else None
        if exact is not None:
            return exact, None
        finer = rule_averages(self.activation, self.target, output, points=FINER * POINTS, even=even)
        return rule_averages(self.activation, self.target, output, even=even), finer


@dataclass(frozen=True, eq=False, repr=False)
class OrderParameters:
    """A solution at given times tau = s n.

    Args:
        times: tau, (times,).
        overlaps: M, (times, p, r).
        gram: Q, (times, p, p).
        risk: E[e^2] without label noise, (times,).
        rule_error: largest relative error of the averages along the solution, beside a finer rule; 0 in closed form.
    """

    times: Array
    overlaps: Array
    gram: Array
    risk: Array
    rule_error: float

    @property
    def alignment(self) -> Array:
        """|P_V* w|^2/|w|^2, mean over neurons, (times,)."""
        shares = (self.overlaps**2).sum(axis=2) / np.einsum("tii->ti", self.gram)
        return np.asarray(shares.mean(axis=1))

    def __repr__(self) -> str:
        return f"OrderParameters({len(self.times)} times, last risk {self.risk[-1]:.4g}, rule {self.rule_error:.1e})"


def order_parameters(
    setting: OnlineSetting, overlaps: Array, gram: Array, times: Array, *, closed: bool = True
) -> OrderParameters:
    """The solution of the module's equations, [saad95]; it is remembered, for all seeds of a claim may share a start.

    Args:
        setting: target, activation, layers, kappa and noise.
        overlaps: M at the start, (p, r).
        gram: Q at the start, (p, p).
        times: increasing times tau = s n at which the solution is wanted, (times,); the first may be 0.
        closed: whether closed averages are taken where they exist.
    """
    p, r = overlaps.shape
    if p != setting.neurons or gram.shape != (p, p) or r != setting.target.directions:
        raise InputError(
            f"M has shape {overlaps.shape} and Q {gram.shape}: for {setting.neurons} neurons they must fit"
        )
    start = _rows(overlaps), _rows(gram), tuple(map(float, times))
    found = _solved(setting, *start, closed, False)
    if found.rule_error <= RIGHT or not (setting.activation.is_smooth and setting.target.is_smooth):
        return found
    return min(found, _solved(setting, *start, closed, True), key=lambda one: one.rule_error)


def _rows(matrix: Array) -> Rows:
    return tuple(tuple(map(float, row)) for row in matrix)


@lru_cache(maxsize=64)
def _solved(
    setting: OnlineSetting, m0: Rows, q0: Rows, at: tuple[float, ...], closed: bool, even: bool
) -> OrderParameters:
    overlaps, gram, times = np.array(m0), np.array(q0), np.array(at)
    p, r = overlaps.shape
    average, finer = setting.averages(closed, even)
    a, pairs = np.array(setting.second_layer), np.triu_indices(p)

    def unpack(state: Array) -> tuple[Array, Array]:
        q = np.empty((p, p))
        q[pairs] = state[p * r :]
        q.T[pairs] = state[p * r :]
        return state[: p * r].reshape(p, r), q

    def velocity(_: float, state: Array) -> Array:
        m, q = unpack(state)
        seen = average(m, q)
        towards = a[:, None] * seen.drift
        spread = np.outer(a, a) * (seen.squares + setting.noise**2 * seen.slopes)
        moved = towards[:, :p] + towards[:, :p].T + setting.kappa * spread
        return np.concatenate([towards[:, p:].ravel(), moved[pairs]])

    first = np.concatenate([overlaps.ravel(), gram[pairs]])
    # Averages over kinks by points are not smooth in M and Q: their steps are kept short instead of being refined.
    smooth = setting.activation.is_smooth and setting.target.is_smooth
    rough = finer is not None and (even or not smooth)
    accuracy = {"rtol": 1e-3, "atol": 1e-6, "max_step": times[-1] / 40} if rough else {"rtol": 1e-6, "atol": 1e-9}
    with np.errstate(over="ignore", invalid="ignore"):
        solved = scipy.integrate.solve_ivp(
            velocity, (0.0, float(times[-1])), first, t_eval=times, events=_runaway, **accuracy
        )
    if solved.status != 0 or not np.isfinite(solved.y).all():
        raise InputError("the order parameters grow without bound; take a smaller step")
    states = [unpack(column) for column in solved.y.T]
    precise = [(average if finer is None else finer)(m, q) for m, q in states]
    looked = [] if finer is None else sorted({0, len(states) // 2, len(states) - 1})
    error = max((_distance(average(*states[k]), precise[k]) for k in looked), default=0.0)
    m, q = (np.stack(part) for part in zip(*states, strict=True))
    return OrderParameters(times, m, q, np.array([one.risk for one in precise]), error)


def _runaway(_: float, state: Array) -> float:
    return HUGE - float(np.abs(state).max())


_runaway.terminal = True  # type: ignore[attr-defined]


def _distance(one: Averages, other: Averages) -> float:
    """The largest error of the drift and of the squares, each over its largest entry."""
    drift = np.abs(one.drift - other.drift).max() / max(np.abs(other.drift).max(), np.abs(other.slopes).max() * TINY)
    squares = np.abs(one.squares - other.squares).max() / max(np.abs(other.squares).max(), TINY**2)
    return float(max(drift, squares))
