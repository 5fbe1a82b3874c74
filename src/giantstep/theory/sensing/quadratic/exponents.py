"""How the risk of a wide quadratic network falls with its samples if the truth has a power-law spectrum.

The minimum sees the truth through the noise 2 sqrt(qh)/mh and takes 2 decay/mh from every eigenvalue (see
`state_evolution`). Eigenvalues sqrt(d) k^(-gamma) that are above the larger of both are learned, K of them; the others
make the risk, and so does what is taken from the learned ones, K threshold^2/d: both are of the order K^(1 - 2 gamma),
gamma > 1/2. While few are learned, sigma is small beside 1/4 and mh = 8 n/d^2, so that

    threshold = decay d^2/(4 n),     noise edge = 2 d sqrt((risk + Delta/2)/(2 n)).

*Decay rules*, threshold above the noise edge: K^gamma ~ sqrt(d)/threshold ~ n, risk ~ n^(-(2 - 1/gamma)).
*The edge rules*, decay = c 4 sqrt(Delta n)/d, which puts the threshold at c times the noise edge: K^gamma ~ sqrt(n/d),
risk ~ n^(-(1 - 1/(2 gamma))), which is the best that any decay does.
*Plateaus*: nothing is learned while the threshold is above the largest eigenvalue, n < decay d^2/(4 lambda_1), and
risk = 1; and r neurons never learn more than r eigenvalues, risk >= sum_{k > r} lambda_k^2/d ~ r^(1 - 2 gamma).
(Derived; the phases are those of [dxgtezlk25].)
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

from giantstep.checks import require

DecayRule: TypeAlias = Literal["fixed", "edge"]


def sample_scaling(spectrum_exponent: float, rule: DecayRule) -> float:
    """The exponent of the risk in n, for `rule` "fixed" where decay rules, for "edge" where it follows the noise.

    Args:
        spectrum_exponent: gamma, above 1/2.
        rule: whether the decay is fixed, or stays at the edge of the noise.

    >>> sample_scaling(1.0, "fixed"), sample_scaling(1.0, "edge")
    (-1.0, -0.5)
    """
    require(spectrum_exponent > 0.5, f"the spectrum needs an exponent above 1/2, got {spectrum_exponent!r}")
    best = -(1 - 1 / (2 * spectrum_exponent))
    return 2 * best if rule == "fixed" else best


def edge_decay(d: int, samples: int, noise: float) -> float:
    """The decay whose threshold is the edge of the labels' noise, 4 noise sqrt(n)/d, while the risk is small beside it.

    Args:
        d: the dimension of the inputs.
        samples: n.
        noise: standard deviation of the labels' noise.
    """
    return 4 * noise * math.sqrt(samples) / d


def first_samples(d: int, decay: float, largest: float) -> float:
    """n below which a fixed decay lets nothing be learned: decay d^2/(4 lambda_1).

    Args:
        d: the dimension of the inputs.
        decay: of the squared weights over d.
        largest: lambda_1, the largest eigenvalue of the truth.
    """
    return decay * d**2 / (4 * largest)
