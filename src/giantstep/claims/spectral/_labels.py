"""What the claims on labels share: the law of the labels, transforms of them, and where the direction lies."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Claim, parameters
from giantstep.claims.refusals import refuse_constant, refuse_few_dimensions
from giantstep.errors import InputError
from giantstep.problems import Activation, DrawnSample, Problem, Target
from giantstep.problems.labels import LabelLaw, label_law
from giantstep.streams import Streams
from giantstep.theory.spectra.labels import SpectralLaw, best_transform, spectral_law, spectral_threshold

RARE = 1e-3
"""Labels beyond the quantiles RARE and 1 - RARE are rare."""

ROWS = 1024
"""Inputs and noise of so many samples are drawn together."""


class LabelClaim(Claim):
    """Labels y = f*(x) + noise e of one direction, at n = samples_per_dim d."""

    target: parameters.Target = parameters.target("x1**2")
    noise: float = parameters.noise(0.3)
    samples_per_dim: float = parameters.samples_per_dim(2.0, symbol=r"\alpha = n/d", path=True, ge=0.05, le=200)
    d: int = parameters.dimension(1000, le=5000)

    @property
    def samples(self) -> int:
        return max(2, round(self.samples_per_dim * self.d))

    @property
    def law(self) -> LabelLaw:
        return label_law(self.target, self.noise)

    def check(self) -> None:
        refuse_constant(self.target)
        refuse_few_dimensions(self.target, self.d)
        if self.target.single_index is None:
            raise InputError(
                f"the target {self.target} depends on several directions; {self.name} is about one: "
                "see spectral/multi-index"
            )

    def rows(self, most: int, streams: Streams) -> DrawnSample:
        """At least `most` labelled inputs, in whole blocks: their first n rows are the same whatever `most` is."""
        problem = Problem(self.target, d=self.d, noise=self.noise)
        return problem.sample(-(-most // ROWS) * ROWS, streams.child("sample"), ROWS)

    def along(self, vector: Array) -> float:
        """Squared overlap of a unit vector with the target's direction."""
        direction = self.law.basis[0]
        return float((vector[: len(direction)] @ direction) ** 2)


@lru_cache(maxsize=256)
def read_transform(text: str) -> Activation:
    """A function of y that is written as text."""
    if not re.search(r"\by\b", text) or re.search(r"\bz\b", text):
        raise InputError(
            f"transform = {text!r} is not allowed; it must be best, phd, or a function of y such as 'tanh(y)'"
        )
    return Activation(re.sub(r"\by\b", "z", text))


def transformed(text: str, target: Target, noise: float, labels: Array) -> Array:
    """T(y): the best transform is constant on the slices of the labels' law; phd is y - E y with the better sign."""
    law = label_law(target, noise)
    if text == "best":
        return best_transform(law.second_along)[law.slice_of(labels)]
    if text == "phd":
        curved = float(law.weight @ (law.label * (law.second_along - 1)))
        mean = float(law.weight @ law.label)
        return (labels - mean) * (-1.0 if curved < 0 else 1.0)
    return np.asarray(read_transform(text)(labels), dtype=np.float64)


def grows_where_rare(transform: Array, law: LabelLaw) -> bool:
    """Whether T goes on growing upwards among labels that hardly occur, as an unbounded one does."""
    below = np.cumsum(law.weight)
    common = (below > RARE) & (below < 1 - RARE)
    if not common.any():
        return False
    usual = transform[common]
    return bool(transform.max() - usual.max() > 0.25 * (usual.max() - np.median(usual)) + 1e-9)


@lru_cache(maxsize=256)
def on_slices(text: str, target: Target, noise: float) -> Array:
    """T on each slice of the labels' law."""
    values = transformed(text, target, noise, label_law(target, noise).label)
    values.setflags(write=False)
    return values


@lru_cache(maxsize=256)
def threshold_of(text: str, target: Target, noise: float) -> float:
    """The n/d from which on the direction shows through this transform."""
    law = label_law(target, noise)
    return spectral_threshold(on_slices(text, target, noise), law.weight, law.second_along)


@lru_cache(maxsize=1024)
def limit_of(text: str, target: Target, noise: float, samples_per_dim: float) -> SpectralLaw:
    """Edge, top eigenvalue and overlap with this transform."""
    law = label_law(target, noise)
    return spectral_law(on_slices(text, target, noise), law.weight, law.second_along, samples_per_dim)


@lru_cache(maxsize=256)
def slice_strength(target: Target, noise: float, slices: int) -> float:
    """s2 = sum_h p_h E[z | slice h]^2 with so many equal slices."""
    sliced = label_law(target, noise).sliced(slices)
    return float(sliced.weight @ sliced.mean[:, 0] ** 2)
