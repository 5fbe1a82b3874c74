"""What the claims about Algorithm 1 of [dls22] share: which targets and sizes make sense, the step's alignment, and the
random features that it is compared with."""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, AllowanceRule, Computed
from giantstep.claims.refusals import refuse_few_dimensions, refuse_odd
from giantstep.errors import InputError
from giantstep.learners.heads import RIDGES, RidgeHead, fit_head
from giantstep.learners.networks import Network
from giantstep.learners.risk import FeatureMoments
from giantstep.problems import Activation, Sample, Target
from giantstep.theory.ridge import exact_spectrum, ridge_risk
from giantstep.theory.visibility import label_gradient_law, share_given_overlap

RELU = Activation("relu(z)")
MOST_DIRECTIONS = 3
MOST_SAMPLES = 1e8
SHARE_ALLOWANCE = Computed(
    lambda point, share: 0.15 * share * (1 - share) / point.d**0.5, "0.15 share (1 - share) d^(-1/2)"
) + Allowance(0.5, power=-1)
"""Of the share of the target's space in a gradient: corrections to the central limit theorem, and overlaps beyond, as
measured at d = 16 to 64, n/d^2 = 0.5 to 8, with four targets."""
CONVENTION = "f = sum of neurons, loss (1/2n) sum (f - y)^2, eta_1 such that the mean of |w_j|^2 is 1, b_j ~ N(0, 1)"


def refuse_other_targets(target: Target) -> None:
    """Refuse a target whose gradients are not known in closed form."""
    if not target.is_polynomial or target.directions > MOST_DIRECTIONS:
        raise InputError(
            f"the target {target} is not allowed; it must be a polynomial of at most {MOST_DIRECTIONS} directions"
        )


def check_polynomial(target: Target, d: int, neurons: int, samples: int) -> None:
    """Refuse what Algorithm 1, or the theory of its first step, has no answer for."""
    refuse_odd("neurons", neurons)
    refuse_other_targets(target)
    if not target.degree or target.degree < 2:
        raise InputError(
            f"the target {target} is not allowed; without a part of degree 2 or more nothing is left to learn"
        )
    refuse_few_dimensions(target, d, spare=4)
    if not 2 * d <= samples <= MOST_SAMPLES:
        raise InputError(
            f"n = {samples} samples are not allowed; pre-processing needs 2 d = {2 * d} or more, and at most "
            f"{MOST_SAMPLES:g} can be run"
        )


def alignment_allowance(samples: str) -> AllowanceRule:
    """That of the weights' alignment after a step on so many `samples`, an attribute of the point: means over samples
    of outer products fluctuate, which changes the noise by a share of order d/n."""
    taken = Computed(lambda point, share: share * point.d / getattr(point, samples), "d/n of the prediction")
    return SHARE_ALLOWANCE + taken


def alignment_given(target: Target, start: Array, samples: int, *, preprocess: bool = True) -> float:
    """What theory says of the mean alignment of neurons that start from these weights, (N, d)."""
    d, overlaps = start.shape[1], start[:, : target.directions]
    law = label_gradient_law(target, d, samples, preprocess=preprocess)
    return float(share_given_overlap(law, overlaps, d, samples).mean())


def features_error(net: Network, moments: FeatureMoments, sample: Sample, threads: int) -> float:
    """The smallest exact risk of a ridge head on the features of `net` over all penalties, fitted to the sample."""
    path = fit_head(net, sample, RidgeHead(RIDGES), threads=threads)
    return float(moments.risk(path.coefficients).min())


def equivalent_error(moments: FeatureMoments, samples: int, noise: float = 0.0) -> float:
    """The smallest risk over all penalties that the deterministic equivalent has for features of this exact covariance,
    with label noise of this size; nothing is fitted."""
    spectrum = exact_spectrum(moments.covariance, moments.cross, moments.norm2)
    return float(ridge_risk(spectrum, samples, np.array(RIDGES), noise).risk.min())
