"""What the claims about Algorithm 1 of [dls22] share: which targets and sizes make sense, the step's alignment, and the
random features that it is compared with."""

from __future__ import annotations

from giantstep.claims import Allowance, AllowanceRule, Computed
from giantstep.claims.refusals import refuse_few_dimensions, refuse_odd
from giantstep.errors import InputError
from giantstep.learners.heads import RIDGES, RidgeHead, fit_head
from giantstep.learners.networks import Network
from giantstep.learners.risk import feature_moments
from giantstep.problems import Activation, Problem, Sample, Target
from giantstep.theory.ridge import exact_spectrum, ridge_risk

RELU = Activation("relu(z)")
MOST_DIRECTIONS = 3
MOST_SAMPLES = 1e8
SHARE_ALLOWANCE = Computed(
    lambda point, share: 0.05 * share * (1 - share) * (100 / point.d) ** 0.5, "0.5 share (1 - share) d^(-1/2)"
) + Allowance(1, power=-1)
"""Of the share of the target's space in a gradient: corrections to the central limit theorem, and overlaps beyond."""
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
    """That of the weights' alignment after a step on so many `samples`, an attribute of the point: the fitted linear
    part takes a share of order delta = d/n, lowers the signal by 1 - delta and adds a share 2 delta^2 of noise."""
    taken = Computed(lambda point, share: 3 * share * point.d / getattr(point, samples), "3 d/n of the prediction")
    return SHARE_ALLOWANCE + taken


def features_error(net: Network, problem: Problem, sample: Sample, threads: int) -> tuple[float, float]:
    """The smallest exact risk of a ridge head on the features of `net` over all penalties, and the smallest that the
    deterministic equivalent predicts for these very features."""
    moments = feature_moments(net, problem)
    path = fit_head(net, sample, RidgeHead(RIDGES), threads=threads)
    spectrum = exact_spectrum(moments.covariance, moments.cross, moments.norm2)
    equivalent = ridge_risk(spectrum, sample.samples, path.per_feature).risk
    return float(moments.risk(path.coefficients).min()), float(equivalent.min())
