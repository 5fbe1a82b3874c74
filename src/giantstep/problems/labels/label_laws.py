"""The joint law of a label and the directions that it depends on, in fine slices of the label.

With y = f(z) + noise e, z ~ N(0, I_p) in the directions of f, and the labels cut into slices of given probabilities,

    p_h = P(y in slice h),    E[z | slice h],    E[z z^T | slice h].

Every estimator that reads labels through a transform T(y) needs these numbers and no others. Slices are fine in the
tails: their borders are the quantiles Phi(t) of y at equidistant t. A transform that is constant on the slices has
exactly the law that the sums over slices give, so they are no approximation for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import scipy
from numpy.typing import NDArray

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import real_number, require, whole_number
from giantstep.gaussian.quadrature import normal_density, uniform_rule
from giantstep.problems.forms.linear_forms import direction_space
from giantstep.problems.labels.gaussian_points import gaussian_points
from giantstep.problems.target import Target

REACH = 6.0
"""The outermost slices lie beyond the quantiles Phi(-REACH) and Phi(REACH)."""
SLICES = {1: 1024, 2: 512}
"""Slices for one and two directions; half as many with noise, which leaves nothing sharp."""
FEWER = 256
"""Slices for more directions, where points are sparser."""
LOG2_POINTS = {1: 18, 2: 20}
LOG2_NET = 20
FINER = 4
"""So many times finer are the slices of f before noise is added."""
LEAST = 1e-12
"""Slices of smaller probability are left out."""
ROUNDING = 1e-12
"""Of the spread of y: labels closer than this are the same."""


@dataclass(frozen=True, eq=False, repr=False)
class LabelLaw:
    """The law of z given the label, slice by slice; made by `label_law`.

    Args:
        borders: between the slices, (H - 1,), growing: slice h holds borders[h - 1] < y <= borders[h].
        weight: p_h, (H,).
        label: E[y | slice], (H,).
        mean: E[z | slice], (H, p).
        second: E[z z^T | slice], (H, p, p).
        basis: orthonormal rows, (p, r): z = basis @ x in the r variables of the target.
        halves: the same law from two independent sets of points, where points are sparse: products of the one with
            the other have no error on average.
    """

    borders: Array
    weight: Array
    label: Array
    mean: Array
    second: Array
    basis: Array
    halves: tuple[LabelLaw, LabelLaw] | None = None

    @property
    def slices(self) -> int:
        """H."""
        return len(self.weight)

    @property
    def directions(self) -> int:
        """p, the number of directions that y depends on."""
        return len(self.basis)

    def __repr__(self) -> str:
        return f"LabelLaw({self.slices} slices of y, {self.directions} directions)"

    def slice_of(self, labels: ArrayLike) -> NDArray[np.intp]:
        """The number of the slice in which each of the `labels` lies, an array of their shape."""
        return np.searchsorted(self.borders, np.asarray(labels, dtype=np.float64), side="left")

    @cached_property
    def second_along(self) -> Array:
        """E[z^2 | slice], (H,), of a target of one direction."""
        require(self.directions == 1, f"the target has {self.directions} directions; this is for one direction")
        return np.asarray(self.second[:, 0, 0])

    def sliced(self, slices: int) -> LabelLaw:
        """The same law in so many `slices` of equal probability; equal labels are shared out at random."""
        count = whole_number("slices", slices, least=1)
        total = np.concatenate([[0.0], np.cumsum(self.weight)])
        levels = np.linspace(0.0, total[-1], count + 1)

        def between(values: Array) -> Array:
            flat = values.reshape(len(values), -1) * self.weight[:, None]
            sums = np.concatenate([np.zeros((1, flat.shape[1])), np.cumsum(flat, axis=0)])
            at = np.stack([np.interp(levels, total, column) for column in sums.T], axis=1)
            return np.asarray(np.diff(at, axis=0).reshape(count, *values.shape[1:]))

        weight = np.diff(levels)
        label, mean, second = (
            between(v) / weight.reshape(-1, *[1] * (v.ndim - 1)) for v in (self.label, self.mean, self.second)
        )
        borders = np.interp(levels[1:-1], total[1:-1], self.borders) if self.slices > 1 else np.zeros(count - 1)
        return LabelLaw(borders, weight, label, mean, second, self.basis)

    def halved(self) -> LabelLaw:
        """Two neighbouring slices as one: what changes then is how far fine slices may be off."""
        starts = np.arange(0, self.slices, 2)
        weight = np.add.reduceat(self.weight, starts)

        def joined(values: Array) -> Array:
            tall = self.weight.reshape(-1, *[1] * (values.ndim - 1))
            return np.asarray(np.add.reduceat(values * tall, starts) / weight.reshape(tall[starts].shape))

        borders = self.borders[1::2][: len(starts) - 1]
        halves = None if self.halves is None else (self.halves[0].halved(), self.halves[1].halved())
        label, mean, second = joined(self.label), joined(self.mean), joined(self.second)
        return LabelLaw(borders, weight, label, mean, second, self.basis, halves)


@lru_cache(maxsize=64)
def label_law(target: Target, noise: float = 0.0) -> LabelLaw:
    """The law of the labels y = f(z) + noise e of a target in fine slices, e ~ N(0, 1). See the module's formulas.

    Args:
        target: f, of at most six directions.
        noise: standard deviation of the labels' noise.

    >>> law = label_law(Target("abs(x1)"))
    >>> law.directions, round(float(law.weight @ (law.second_along - 1) ** 2), 3)
    (1, 2.0)
    """
    spread = real_number("noise", noise, "a finite standard deviation of 0 or more", least=0.0)
    basis = direction_space(target.form, target.directions)
    require(len(basis) > 0, f"the target {target.text} is constant: its labels tell nothing")
    p = len(basis)
    slices = SLICES.get(p, FEWER) // (2 if spread else 1)
    z, weight = gaussian_points(p, LOG2_POINTS.get(p, LOG2_NET))
    values = np.asarray(target(z @ basis), dtype=np.float64)
    return law_of_points(z, weight, values, basis, slices=slices, noise=spread)


def law_of_points(z: Array, weight: Array, values: Array, basis: Array, *, slices: int, noise: float = 0.0) -> LabelLaw:
    """The law of labels f + noise e, from points that stand for z and the values of f there."""
    borders = _quantiles(values, weight, FINER * slices if noise else slices)
    wanted = borders
    if noise:
        fine = _without_noise(z, weight, values, borders, basis)
        e, chance = uniform_rule(64, reach=REACH)
        drawn = (fine.label[:, None] + noise * e).ravel()
        wanted = _quantiles(drawn, (fine.weight[:, None] * chance).ravel(), slices)

    def law(part: slice) -> LabelLaw:
        found = _without_noise(z[part], weight[part] / weight[part].sum(), values[part], borders, basis)
        return _blurred(found, noise, wanted) if noise else found

    whole = law(slice(None))
    if z.shape[1] <= 2:
        return _kept(whole, whole.weight > LEAST)
    half = len(z) // 2
    halves = law(slice(half)), law(slice(half, None))
    kept = np.minimum(halves[0].weight, halves[1].weight) > LEAST
    return replace(_kept(whole, kept), halves=(_kept(halves[0], kept), _kept(halves[1], kept)))


def _without_noise(z: Array, weight: Array, values: Array, borders: Array, basis: Array) -> LabelLaw:
    """Averages over the points whose value lies in each slice; 0 in slices that hold none."""
    inside, p = np.searchsorted(borders, values, side="left"), z.shape[1]
    total = np.asarray(np.bincount(inside, weights=weight, minlength=len(borders) + 1), dtype=np.float64)
    each = np.where(total > 0, total, 1.0)

    def average(of: Array) -> Array:
        return np.asarray(np.bincount(inside, weights=weight * of, minlength=len(total)) / each)

    second = np.empty((len(total), p, p))
    for i in range(p):
        for j in range(i + 1):
            second[:, i, j] = second[:, j, i] = average(z[:, i] * z[:, j])
    mean = np.stack([average(column) for column in z.T], axis=1)
    return LabelLaw(borders, total, average(values), mean, second, basis)


def _kept(law: LabelLaw, kept: NDArray[np.bool_]) -> LabelLaw:
    """Without the slices that hold nothing."""
    borders = law.borders[kept[:-1]]
    weight = law.weight[kept] / law.weight[kept].sum()
    return LabelLaw(borders[: len(weight) - 1], weight, law.label[kept], law.mean[kept], law.second[kept], law.basis)


def _quantiles(values: Array, weight: Array, slices: int) -> Array:
    """Borders at the quantiles Phi(t), t equidistant; equal values stay in one slice, whatever their rounding."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    levels = scipy.special.ndtr(np.linspace(-REACH, REACH, slices - 1))
    at = np.searchsorted(np.cumsum(weight[order]), levels)
    found = np.unique(ordered[at[at < len(ordered)]])
    tie = ROUNDING * float(np.abs(found).max())
    return np.asarray(found[np.concatenate([[True], np.diff(found) > 4 * tie])] + tie)


def _blurred(fine: LabelLaw, noise: float, borders: Array) -> LabelLaw:
    """The law of y = f + noise e from that of f: P(y <= b | f) = Phi((b - f)/noise), E[e 1{e < g}] = -phi(g)."""
    gap = (borders[:, None] - fine.label) / noise
    nothing, everything = np.zeros((1, fine.slices)), np.ones((1, fine.slices))
    inside = np.diff(np.concatenate([nothing, scipy.special.ndtr(gap), everything]), axis=0) * fine.weight
    around = np.diff(np.concatenate([nothing, -normal_density(gap), nothing]), axis=0) @ fine.weight
    weight, p = inside.sum(axis=1), fine.directions
    inside /= np.where(weight > 0, weight, 1.0)[:, None]
    return LabelLaw(
        borders,
        weight,
        inside @ fine.label + noise * around / np.where(weight > 0, weight, 1.0),
        inside @ fine.mean,
        (inside @ fine.second.reshape(-1, p * p)).reshape(-1, p, p),
        fine.basis,
    )
