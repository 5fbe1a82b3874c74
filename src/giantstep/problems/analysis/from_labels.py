"""What labels tell about a target's directions when they may be transformed: in which order, and at which n/d.

Known are the label y = f(x), without noise, and the directions U found so far. Of the others, z ~ N(0, I_q),

    T_k = E[He_k(z) | y, U x],   k = min{ k >= 1 : T_k != 0 },   new directions: the range of E[T_k . T_k].

k = 1: they come free, at any n/d. k = 2: they show once n/d passes alpha_c,

    1/alpha_c = max over M psd, |M|_F = 1, of |E[T_2 M T_2]|_F,   and are the range of this M   ([tddlkp24], [mm19]).

k > 2: they take n ~ d^(k/2) samples. What is found becomes part of U, and so on; the largest k on the way is the
generative leap ([dlb25]), for one direction the generative exponent.

One direction is decided by `generative_exponent`. For several the law of labels is cut into slices, on points that
stand for z and nodes that stand for U x: T_k counts as zero if E |T_k|^2/k! is small in every direction.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.gaussian.hermite import hermite
from giantstep.gaussian.quadrature import gauss_hermite, product_rule
from giantstep.problems.analysis.generative_exponent import Generative
from giantstep.problems.forms.linear_forms import direction_space
from giantstep.problems.labels import LabelLaw, label_law, linear_part_seen, weak_recovery
from giantstep.problems.labels.gaussian_points import MOST_DIRECTIONS, gaussian_points
from giantstep.problems.labels.label_laws import law_of_points
from giantstep.problems.target import Target

ZERO = 2e-3
"""What counts as zero, where 1 is a direction of which the label tells everything."""
ZERO_ON_NETS = 1e-2
"""The same for three and more directions, whose points are sparse."""
FAINT = 0.05
"""Of the largest eigenvalue of M: what is below it has a threshold of its own."""
HIGHEST = 4
"""The highest k that is looked at for several directions."""
TOGETHER = 0.1
"""Thresholds that differ by less, relatively, are one step; more where points are sparse."""
ON_CELLS = 1e-5
"""Relative error of a threshold that the cells of the points leave, however fine slices are."""
ON_NETS = 0.03
"""Relative error of a threshold of three and more directions with all points at one node; it grows as the root of
the number of nodes that share them."""
NODES = {0: 1, 1: 10, 2: 4, 3: 3, 4: 2, 5: 2}
"""For each known direction, by how many are known."""
UNSEEN = 1e-9
"""Of the standard deviation of a target: what moves it by less at all points is rounding."""
LOOKED_AT = 4096
LOG2_POINTS = {1: 16, 2: 17}
LOG2_NET = 17
"""Points of all nodes together."""
SLICES = {1: 256, 2: 128}
FEWER = 64


@dataclass(frozen=True)
class LabelStep:
    """Directions that labels show together.

    Args:
        exponent: k, the lowest degree that shows: 1 is free, 2 has a threshold at n ~ d, more takes n ~ d^(k/2).
        directions: a basis of the new ones, in the variables of the target.
        threshold: alpha_c, if k = 2 and it is known with a bound on its error.
        error: by how much it may be off.
    """

    exponent: int
    directions: tuple[tuple[float, ...], ...]
    threshold: float | None
    error: float


@dataclass(frozen=True)
class FromLabels:
    """How labels show all directions of a target, and how that was decided.

    Args:
        steps: one after another; what is found helps to find the next.
        leap: the generative leap, the largest exponent of them; None if they do not reach all directions.
        reason: in words.
    """

    steps: tuple[LabelStep, ...]
    leap: int | None
    reason: str

    @property
    def paid(self) -> LabelStep | None:
        """The step with the largest threshold, if n ~ d samples are enough for all directions and some must be paid."""
        if self.leap != 2:
            return None
        known = [step for step in self.steps if step.threshold is not None]
        return max(known, key=lambda step: step.threshold or 0.0, default=None)


def from_labels(target: Target, generative: Generative, seen: Sequence[Sequence[Any]] = ()) -> FromLabels:
    """The steps of a target whose generative exponent is known if it has one direction.

    It is written with directions of which its Hermite series shows those in the span of `seen` (rows): the others are
    left out where they are as good as absent, for of them transformed labels would show rounding.
    """
    written = basis = direction_space(target.form, target.directions)
    if not len(basis):
        return FromLabels((), None, "the target is constant")
    if 0 < len(seen) < len(basis):
        span = np.linalg.qr(np.array(seen, dtype=np.float64).T)[0].T
        basis = span if _is_all(target, span) else basis
    if len(basis) > MOST_DIRECTIONS:
        return FromLabels((), None, f"computed for at most {MOST_DIRECTIONS} directions")
    if len(written) == 1:
        return _of_one(target, basis, generative)
    steps: list[LabelStep] = []
    known = np.zeros((0, target.directions))
    while len(known) < len(basis):
        step, new = _next(target, known, _complement(basis, known))
        if step is None:
            return FromLabels(
                tuple(steps), None, f"by slices of the labels: the rest shows nothing up to k = {HIGHEST}"
            )
        steps.append(step)
        known = np.concatenate([known, new])
    leap = max(step.exponent for step in steps)
    return FromLabels(
        tuple(steps), leap, f"by slices of the labels, zero below {ZERO_ON_NETS if len(basis) > 2 else ZERO:g}"
    )


def _is_all(target: Target, span: Array) -> bool:
    """Whether the target is a function of these orthonormal rows, but for what nobody would see."""
    z = np.random.default_rng(0).standard_normal((LOOKED_AT, target.directions))
    whole, part = (np.asarray(target(points), dtype=np.float64) for points in (z, z @ span.T @ span))
    return float(np.max(np.abs(whole - part))) <= UNSEEN * float(np.std(whole))


def _of_one(target: Target, basis: Array, generative: Generative) -> FromLabels:
    k = generative.exponent
    if k is None:
        return FromLabels((), None, generative.reason)
    threshold, error = None, 0.0
    if k == 2 and generative.strengths:
        threshold, error = 1 / (2 * generative.strengths[1]), 1e-9
    elif k == 2:
        found = weak_recovery(label_law(target))
        threshold, error = found.threshold, found.error
    return FromLabels((LabelStep(k, neat(basis), *_told(threshold, error)),), k, generative.reason)


def _told(threshold: float | None, error: float) -> tuple[float | None, float]:
    """A threshold whose error has no bound is not told."""
    return (threshold, error) if np.isfinite(error) else (None, 0.0)


def _next(target: Target, known: Array, rest: Array) -> tuple[LabelStep | None, Array]:
    """The next step, and its directions as orthonormal rows."""
    nodes = _given(target, known, rest)
    law = _joined(nodes)
    for k in range(1, HIGHEST + 1):
        seen = linear_part_seen(law) if k == 1 else _seen(nodes, k)
        values, vectors = np.linalg.eigh(seen)
        zero = ZERO if law.halves is None else ZERO_ON_NETS
        if values[-1] <= zero:
            continue
        threshold, error = None, 0.0
        if k == 2:
            sparse = 1.0 if law.halves is None else (2**LOG2_NET / len(nodes[0].z)) ** 0.5
            found = weak_recovery(law, min(TOGETHER * sparse, 0.5))
            threshold, error = found.threshold, found.error + ON_CELLS * found.threshold
            if law.halves is not None:
                error += ON_NETS * sparse * threshold
            # The first M may hold fewer directions than show; the others have thresholds of their own.
            values, vectors = np.linalg.eigh(found.matrix)
            values = values / values[-1]
        new = vectors[:, values > (zero if k != 2 else FAINT)].T @ rest
        return LabelStep(k, neat(new), *_told(threshold, error)), new
    return None, rest[:0]


@dataclass(frozen=True, eq=False)
class _Node:
    """The law of y and z at one place of the known directions, its share of all, and the points that it was made of."""

    share: float
    law: LabelLaw
    z: Array
    mass: Array
    inside: NDArray[np.intp]

    def tensors(self, k: int) -> tuple[Array, Array]:
        """E[He_k(z) | slice] as (slices, q, q^(k-1)), from both halves of the points where there are halves."""
        half = len(self.z) // 2
        parts = [slice(None)] if self.law.halves is None else [slice(half), slice(half, None)]
        found = [self._tensor(self.z[part], self.mass[part], self.inside[part], k) for part in parts]
        return found[0], found[-1]

    def _tensor(self, z: Array, mass: Array, inside: NDArray[np.intp], k: int) -> Array:
        q, slices = z.shape[1], self.law.slices
        total = np.maximum(np.bincount(inside, weights=mass, minlength=slices), 1e-300)
        found = np.zeros((slices, *[q] * k))
        for index in itertools.combinations_with_replacement(range(q), k):
            product = mass
            for axis in set(index):
                product = product * hermite(index.count(axis), z[:, axis])
            mean = np.bincount(inside, weights=product, minlength=slices) / total
            for order in set(itertools.permutations(index)):
                np.moveaxis(found, 0, -1)[order] = mean
        return found.reshape(slices, q, -1)


def _given(target: Target, known: Array, rest: Array) -> list[_Node]:
    """The laws of y and z at the nodes of the known directions."""
    m, q = len(known), len(rest)
    nodes, weight = product_rule([gauss_hermite(NODES[m])] * m) if m else (np.zeros((1, 0)), np.ones(1))
    total = LOG2_POINTS.get(q, LOG2_NET)
    z, mass = gaussian_points(q, max(total - int(np.log2(len(nodes))), 10 + q))
    found = []
    for node, share in zip(nodes, weight, strict=True):
        values = np.asarray(target(node @ known + z @ rest), dtype=np.float64)
        law = law_of_points(z, mass, values, rest, slices=SLICES.get(q, FEWER))
        found.append(_Node(float(share), law, z, mass, law.slice_of(values)))
    return found


def _joined(nodes: list[_Node]) -> LabelLaw:
    """One law whose label is the pair of the node and y."""
    weight = np.concatenate([node.share * node.law.weight for node in nodes])

    def one_law(parts: list[LabelLaw], halves: tuple[LabelLaw, LabelLaw] | None = None) -> LabelLaw:
        label, mean, second = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("label", "mean", "second")
        )
        return LabelLaw(np.zeros(len(weight) - 1), weight, label, mean, second, parts[0].basis, halves)

    laws = [node.law for node in nodes]
    halves = [law.halves for law in laws if law.halves is not None]
    if not halves:
        return one_law(laws)
    return one_law(laws, (one_law([pair[0] for pair in halves]), one_law([pair[1] for pair in halves])))


def _seen(nodes: list[_Node], k: int) -> Array:
    """E[T_k . T_k]/k!, contracted but for one index of each, (q, q)."""
    total = 0.0
    for node in nodes:
        one, other = node.tensors(k)
        total = total + node.share * np.einsum("h,hia,hja->ij", node.law.weight, one, other) / factorial(k)
    seen = np.asarray(total)
    return np.asarray((seen + seen.T) / 2)


def _complement(basis: Array, known: Array) -> Array:
    """Orthonormal rows that span what of the basis is orthogonal to the known rows."""
    if not len(known):
        return basis
    left = basis - basis @ known.T @ known
    vectors = np.linalg.svd(left, full_matrices=False)[2][: len(basis) - len(known)]
    # Along the axes where that is possible: there symmetries of the points make exact zeros.
    return np.asarray(np.linalg.qr(np.array(neat(vectors)).T)[0].T)


def neat(rows: Array) -> tuple[tuple[float, ...], ...]:
    """Another basis of the space of some `rows`, with as many zeros as elimination makes, each row's largest entry 1.

    >>> neat(np.array([[0.6, 0.8, 0.0], [0.8, -0.6, 0.0]]))
    ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    """
    left, used = np.array(rows, dtype=np.float64), []
    for number in range(len(left)):
        free = np.abs(left[number:]).max(axis=0)
        column = int(np.flatnonzero(free > 0.5 * free.max())[0])
        row = number + int(np.argmax(np.abs(left[number:, column])))
        left[[number, row]] = left[[row, number]]
        left[number] /= left[number, column]
        for other in range(len(left)):
            if other != number:
                left[other] -= left[other, column] * left[number]
        used.append(column)
    left = left[np.argsort(used)]
    left /= np.take_along_axis(left, np.abs(left).argmax(axis=1)[:, None], axis=1)
    return tuple(tuple(float(entry) + 0.0 for entry in row) for row in np.round(left, 6))
