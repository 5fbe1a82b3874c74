"""Population flow of a network whose neurons carry their own mass, towards a teacher of many orthogonal directions.

    f* = sum_p a_p s(<v_p, x>),   f = sum_i |w_i|^2 s(<w_i, x>/|w_i|),   s = He_k/sqrt(k!)              [rnwl25]

on E (f - f*)^2/2. The flow is followed in weights: a neuron is a row with the P overlaps and as many more coordinates
as there are neurons, which hold all inner products at any d. With u = w/|w|, rho = |w|^2, m = <u, v>, q = <u, u'>:

    dw_i/dt = |w_i| [ 2 (sum_p a_p m^k - sum_j rho_j q^k) u_i
                      + k (I - u_i u_i^T) (sum_p a_p m^(k-1) v_p - sum_j rho_j q^(k-1) u_j) ]

which is minus the gradient in w_i.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import real_array, require
from giantstep.errors import InputError
from giantstep.learners.draws import gaussian_rows, unit_rows
from giantstep.streams import Streams

ACCURACY = 1e-6
"""Of weights in a step, besides a hundred times as much of their size."""


@dataclass(frozen=True, eq=False)
class TeacherFlow:
    """Gradient flow on the population, a dynamics for `run`: starts and states are `TeacherState`.

    Args:
        amplitudes: a_p of the teacher, (P,).
        order: k.
    """

    amplitudes: Array
    order: int

    def states(self, start: TeacherState, times: Sequence[float]) -> Iterator[TeacherState]:
        shape = start.weights.shape
        if shape[1] < len(self.amplitudes):
            raise InputError(f"weights of {shape[1]} coordinates have no {len(self.amplitudes)} overlaps")
        solver = scipy.integrate.RK45(
            lambda _, flat: self.velocity(flat.reshape(shape)).ravel(),
            0.0,
            start.weights.ravel(),
            np.inf,  # where it ends must not change its steps
            rtol=100 * ACCURACY,
            atol=ACCURACY,
        )
        state, inside = start.weights.ravel(), None
        for time in times:
            while solver.t < time:
                if message := solver.step():
                    raise InputError(f"the flow could not be followed beyond t = {solver.t:.3g}: {message}")
                inside = solver.dense_output()
            if inside is not None:
                state = inside(time)
            yield TeacherState(state.reshape(shape), self.amplitudes, self.order)

    def velocity(self, weights: Array) -> Array:
        """dw/dt of the module at these `weights`, (N, P + N)."""
        k, amplitudes = self.order, self.amplitudes
        square = np.einsum("ij,ij->i", weights, weights)
        length = np.sqrt(square)
        unit = weights / length[:, None]
        m, q = unit[:, : len(amplitudes)], unit @ unit.T
        m_less, q_less = m ** (k - 1), q ** (k - 1)
        pull = (m * m_less) @ amplitudes - (q * q_less) @ square
        towards = -(q_less * square) @ unit
        towards[:, : len(amplitudes)] += amplitudes * m_less
        along = np.einsum("ij,ij->i", towards, unit)
        move = k * towards + (2 * pull - k * along)[:, None] * unit
        return np.asarray(length[:, None] * move)


@dataclass(frozen=True, eq=False, repr=False)
class TeacherState:
    """A network and its teacher.

    Args:
        weights: a row a neuron: its components along the v_p and along further axes, (N, P + axes).
        amplitudes: a_p of the teacher, (P,).
        order: k.
    """

    weights: Array
    amplitudes: Array
    order: int

    def __post_init__(self) -> None:
        shapes = np.shape(self.weights), np.shape(self.amplitudes)
        fit = len(shapes[0]) == 2 and len(shapes[1]) == 1 and shapes[0][1] >= shapes[1][0]
        require(fit, f"weights of shape {shapes[0]} have no overlaps with amplitudes of shape {shapes[1]}")

    @property
    def overlaps(self) -> Array:
        """m_ip = <w_i, v_p>/|w_i|, (N, P)."""
        return self._parts()[1][:, : len(self.amplitudes)]

    @property
    def learned(self) -> Array:
        """What of each direction the network has: sum_i rho_i m_ip^k / a_p, (P,)."""
        mass, unit = self._parts()
        return np.asarray(mass @ unit[:, : len(self.amplitudes)] ** self.order / self.amplitudes)

    @property
    def risk(self) -> float:
        """E (f - f*)^2."""
        mass, unit = self._parts()
        own = float(mass @ (unit @ unit.T) ** self.order @ mass)
        return float((self.amplitudes**2 * (1 - 2 * self.learned)).sum()) + own

    def _parts(self) -> tuple[Array, Array]:
        mass = (self.weights**2).sum(axis=1)
        return mass, self.weights / np.sqrt(mass)[:, None]


def teacher_start(amplitudes: Array, order: int, d: int, neurons: int, mass: float, streams: Streams) -> TeacherState:
    """Neurons in random directions of R^d, each with the same mass |w|^2.

    Args:
        amplitudes: a_p of the teacher, (P,).
        order: k.
        d: the dimension of the inputs, P at least.
        neurons: N.
        mass: |w|^2 of each neuron.
        streams: where the directions are drawn from.
    """
    amplitudes = real_array("the amplitudes", amplitudes, axes=1)
    rows = unit_rows(gaussian_rows(d, len(amplitudes), neurons, streams))
    return TeacherState(np.sqrt(mass) * rows, amplitudes, order)
