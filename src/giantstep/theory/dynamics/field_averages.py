"""Gaussian averages of the error e = f* - sum_i c_i sigma(h_i) over the fields (h, x) ~ N(0, [[Q, M], [M^T, I]]).

    drift_ib = E[e sigma'(h_i) lambda_b],  lambda = (h, x);    squares_ij = E[e^2 sigma'(h_i) sigma'(h_j)]
    slopes_ij = E[sigma'(h_i) sigma'(h_j)];    risk = E[e^2]

For g(z) = erf(z/sqrt 2) and a Gaussian vector of covariance C the averages are [saad95, I2, I3 and I4]

    E[g(1) g(2)]             = (2/pi) asin(C12 / sqrt((1 + C11)(1 + C22)))
    E[g'(1) lambda_2 g(3)]   = (2/pi) (C23 (1 + C11) - C12 C13) / ((1 + C11) sqrt((1 + C11)(1 + C33) - C13^2))
    E[g'(1) g'(2) g(3) g(4)] = (4/pi^2) asin(L0 / sqrt(L1 L2)) / sqrt(L4),   L4 = (1 + C11)(1 + C22) - C12^2,
        L0 = L4 C34 - C23 C24 (1 + C11) - C13 C14 (1 + C22) + C12 C13 C24 + C12 C14 C23,
        L1 = L4 (1 + C33) - C23^2 (1 + C11) - C13^2 (1 + C22) + 2 C12 C13 C23,  L2 the same with 4 for 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.gaussian.quadrature import gauss_hermite, panel_rule, product_rule, sobol_points
from giantstep.problems import Activation, Target, single_index_parts

MAX_FIELDS = 5
"""Most fields (neurons and directions) that a rule of points can average over."""
POINTS = 66_000
"""Of a rule, about; where functions have kinks in several fields, half of that: these rules gain little from more."""


@dataclass(frozen=True, eq=False)
class Averages:
    """See the top of the file."""

    drift: Array
    squares: Array
    slopes: Array
    risk: float


def erf_averages(
    activation: Activation, target: Target, output: Array, *, squares: bool = True
) -> Callable[[Array, Array], Averages] | None:
    """The closed averages if sigma is A erf(b z) and the target a sum of these, else None.

    Without `squares`, which cost most and are not needed for a flow, these are zero.
    """
    student, parts = activation.terms, single_index_parts(target)
    if student is None or len(student) != 1 or student[0].family != "erf" or parts is None:
        return None
    teacher = [(term, direction) for link, direction in parts for term in (link.terms or ())]
    if any(link.terms is None for link, _ in parts) or any(term.family != "erf" for term, _ in teacher):
        return None
    size, scale = student[0].coefficient, np.sqrt(2.0) * student[0].scale
    directions = np.array([np.sqrt(2.0) * term.scale * b for term, b in teacher])
    weights = np.concatenate([-size * output, [term.coefficient for term, _ in teacher]])
    p, r = len(output), target.directions

    def averages(m: Array, q: Array) -> Averages:
        fields = np.block([[q, m], [m.T, np.eye(r)]])  # of lambda = (h, x)
        units = np.block([[scale * np.eye(p), np.zeros((p, r))], [np.zeros((len(directions), p)), directions]])
        with_fields = units @ fields  # covariances of the arguments of g with lambda
        c = with_fields @ units.T
        one = 1.0 + np.diag(c)
        risk = (2 / np.pi) * np.arcsin(np.clip(c / np.sqrt(np.outer(one, one)), -1, 1))
        root = np.sqrt(np.outer(one[:p], one) - c[:p] ** 2)
        third = (
            with_fields.T[None] / root[:, None]
            - np.einsum("ib,iu->ibu", with_fields[:p], c[:p] / root) / (one[:p, None, None])
        )
        slope = size * scale
        drift = slope * (2 / np.pi) * third @ weights
        determinant = np.outer(one[:p], one[:p]) - c[:p, :p] ** 2
        mean_slopes = slope**2 * (2 / np.pi) / np.sqrt(determinant)
        if not squares:
            return Averages(drift, np.zeros((p, p)), mean_slopes, float(weights @ risk @ weights))
        mean_squares = slope**2 * ((_fourth(c, one, p, determinant) @ weights) @ weights)
        return Averages(drift, mean_squares, mean_slopes, float(weights @ risk @ weights))

    return averages


def _fourth(c: Array, one: Array, p: int, l4: Array) -> Array:
    """E[g'(i) g'(j) g(u) g(w)] for i, j < p and all u, w."""
    c12, c11, c22 = c[:p, :p], one[:p, None], one[None, :p]
    i, j = c[:p, None, :], c[None, :p, :]  # covariances of 1 and of 2 with u
    l1 = l4[..., None] * one - j**2 * c11[..., None] - i**2 * c22[..., None] + 2 * c12[..., None] * i * j
    pair = c12[..., None, None]
    l0 = l4[..., None, None] * c - (
        c11[..., None, None] * j[..., :, None] * j[..., None, :]
        + c22[..., None, None] * i[..., :, None] * i[..., None, :]
        - pair * (i[..., :, None] * j[..., None, :] + j[..., :, None] * i[..., None, :])
    )
    ratio = np.clip(l0 / np.sqrt(l1[..., :, None] * l1[..., None, :]), -1, 1)
    return np.asarray((4 / np.pi**2) * np.arcsin(ratio) / np.sqrt(l4)[..., None, None])


def rule_averages(
    activation: Activation, target: Target, output: Array, *, points: int = POINTS, even: bool = False
) -> Callable[[Array, Array], Averages]:
    """The averages by a fixed rule of so many points, spread evenly if so asked, also for smooth functions."""
    fields = rule_fields(activation, target, len(output), points=points, even=even)

    def averages(m: Array, q: Array) -> Averages:
        h, x, weights = fields(m, q)
        values, slopes = activation.value_and_derivative(h)
        error = np.asarray(target(x.T)) - np.einsum("i,im->m", output, values)
        pulled = slopes * error
        return Averages(
            np.einsum("m,im,jm->ij", weights, pulled, np.vstack([h, x])),
            np.einsum("m,im,jm->ij", weights, pulled, pulled),
            np.einsum("m,im,jm->ij", weights, slopes, slopes),
            float(np.einsum("m,m,m->", weights, error, error)),
        )

    return averages


def rule_fields(
    activation: Activation, target: Target, p: int, *, points: int = POINTS, even: bool = False
) -> Callable[[Array, Array], tuple[Array, Array, Array]]:
    """Fields h (p, points) and x (r, points) for given M and Q, and the points' weights."""
    r, smooth_target = target.directions, target.is_smooth and not even
    nodes, weights = _rule(p, r, activation.kinks, smooth_target, points)
    # The first axis of the rule is the field whose kinks it knows: h for one kinked neuron, else it is one of x.
    by_field = p == 1 and bool(activation.kinks) and smooth_target

    def fields(m: Array, q: Array) -> tuple[Array, Array, Array]:
        if by_field:
            length = float(np.sqrt(q[0, 0]))
            rest = _mixed(_root(np.eye(r) - m.T @ m / q[0, 0]), nodes[1:])
            return length * nodes[:1], m.T / length * nodes[:1] + rest, weights
        return _mixed(m, nodes[:r]) + _mixed(_root(q - m @ m.T), nodes[r:]), nodes[:r], weights

    return fields


@lru_cache(maxsize=32)
def _rule(p: int, r: int, kinks: tuple[float, ...], smooth_target: bool, points: int) -> tuple[Array, Array]:
    """Points (p + r, m) and weights (m,) for independent standard normal variables.

    Smooth functions: a tensor Gauss-Hermite rule. One neuron with kinks and a smooth target: panels for h, with an
    edge at its kink, times Gauss-Hermite rules. Kinks in more fields: Sobol points, mirrored, with errors of
    some 1e-3. These serve smooth functions too where long neurons make them steep: sigma(5 z) is hardly smooth.
    """
    fields = p + r
    if fields > MAX_FIELDS:
        raise InputError(
            f"{p} neurons and {r} directions are {fields} fields; without a closed form (erf on sums of erf) "
            f"at most {MAX_FIELDS} can be averaged over"
        )
    if smooth_target and not kinks:
        return _tensor([gauss_hermite(min(64, int(points ** (1 / fields))))] * fields)
    if smooth_target and p == 1:
        # Only kinks at 0 stay where they are when |w| changes; near others the panels are as fine as elsewhere.
        first = panel_rule(tuple(k for k in kinks if k == 0.0), order=8, panels=12, reach=8.5)
        return _tensor([first, *[gauss_hermite(int(np.clip((points / 400) ** (1 / r), 6, 32)))] * r])
    half = sobol_points(int(np.log2(points)) - 2, fields).T
    return np.ascontiguousarray(np.hstack([half, -half])), np.full(2 * half.shape[1], 0.5 / half.shape[1])


def _tensor(axes: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    nodes, weights = product_rule(axes)
    kept = weights > 1e-13  # corners of the grid carry nothing
    return np.ascontiguousarray(nodes[kept].T), weights[kept]


def _mixed(by: Array, fields: Array) -> Array:
    """The product of a small matrix and long rows, without the threads that a matrix product would start for it."""
    return np.asarray(np.einsum("ik,km->im", by, fields))


def _root(covariance: Array) -> Array:
    """A root of a covariance that may be singular."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))
