"""[dls22] correlational learners need n >= d^(p/2): a large family of nearly orthogonal polynomials."""

from __future__ import annotations

import math

from giantstep.claims import (
    Allowance,
    Claim,
    Cost,
    Measurement,
    Prediction,
    Printed,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.errors import InputError
from giantstep.learners import pairwise_overlaps
from giantstep.learners.training import largest_entry, sampled_correlation, samples_to_learn, told_apart
from giantstep.theory.visibility import CsqLimits, csq_bound, family_overlap, largest_overlap, ruled_out

MAX_DIMENSION = 10**15
HUGE = (10**30, 10**33)
LEARNER_VECTORS = 40
LARGEST, MOST = 128, 10**6  # dimension up to which a learner is run, and its samples


@named(
    "dls22/csq-bound",
    kind="theorem",
    cite="dls22",
    version=4,
    where="lecture notes 'Lower bound (necessity of span(H))': lemma on |F|, 'How to find such F?', choice of eps",
    finding=(
        "E[f_u f_v] is <u, v>^p, as the next line of the notes needs, not <u, v>. With c = 1/4, which the union bound "
        "gives, the exponent log n/log d of the bound tends to p/2 only logarithmically: for p = 4 and q = d^3 it is "
        "0.88 at d = 10^4 and 1.42 at 10^9, not 2. One query tells at most 1/(tau^2 - eps^p) functions apart, half of "
        "what the lemma allows, and a sum of 1/tau^2 of them does tell so many apart. Tracing the correlated tensor "
        "down to a vector or a matrix takes n ~ d^2 for p = 3 and 4, thousands of times the bound at d = 128."
    ),
)
class CsqBound(Claim):
    """A learner that only correlates labels with queries needs n >= d^(p/2) samples for He_p of one direction.

    The functions f_u = He_p(<u, x>)/sqrt(p!) of M random unit vectors are nearly orthogonal: E f_u f_v = <u, v>^p
    (`correlation`, for one pair), and the largest |<u, v>| is below sqrt(4 ln M/d), so that |F| = e^(d eps^2/4) of them
    have overlaps below eps. A query of tolerance tau tells few of them apart (`ruled_out`): most answers are 0. The
    bound for q = d^query_exponent queries is `samples_needed`, n ~ 1/tau^2, with the effective power `exponent` of d.
    """

    d: int = parameters.dimension(256, ge=4)
    degree: int = parameters.own(4, "degree of the polynomials", symbol="p", ge=1, le=8)
    query_exponent: float = parameters.own(3.0, "exponent of the number of queries", symbol=r"\log_d q", ge=0, le=100)
    vectors: int = parameters.own(400, "functions in the family that is drawn", symbol="M", ge=2, le=4000)
    overlap: float = parameters.own(0.6, "overlap of the pair that is correlated", symbol=r"u\cdot v", ge=-1, le=1)
    samples: int = parameters.samples(500_000, help="samples for the correlation of the pair", ge=100, le=10**9)
    tolerance: float = parameters.own(0.3, "tolerance of a query", symbol=r"\tau", gt=0, lt=1)

    quantities = (
        quantity.equal(
            "correlation", Allowance(0.005),
            "an identity; 0.005 so that overlaps with a correlation near zero can be decided at all",
            help="mean of f_u f_v over samples", symbol=r"\mathbb{E} f_u f_v",
        ),
        quantity.equal(
            "largest_overlap", Allowance(0.01, of="prediction"),
            "pairs are independent two by two only, a small change in the law of their maximum",
            help="largest |cosine| of two vectors of the family", symbol=r"\max|u\cdot v|",
        ),
        quantity.slope(
            "largest_overlap", "d", -0.5, 0.04,
            "overlaps are bounded by 1, which flattens the power in small dimensions", help="its exponent in d",
        ),
        quantity.at_most(
            "family_bound", Allowance(0), "the union bound is generous: no finite-size allowance is needed",
            help="largest overlap against the union bound sqrt(4 ln M/d)", symbol=r"\sqrt{4\ln M/d}",
        ),
        quantity.at_most(
            "ruled_out", Allowance(0), "an inequality for every family with overlaps below eps",
            help="functions that one query tells apart", symbol=r"|\{u: |\mathbb{E} f_u h| \geq \tau\}|",
            when=lambda point: math.isfinite(point.most_told_apart),
        ),
        quantity.equal(
            "limit_exponent", Allowance(0.016, of="prediction"),
            "the logarithm in the bound still bends it by a share 1/ln d, 1.4 % at d = 10^30",
            help="p/2, the limit of the exponent, against the slope of the bound from d = 10^30 to 10^33",
            symbol=r"p/2",
        ),
        quantity.reported("samples_needed", help="the lower bound on n for q queries", symbol=r"1/\tau^2"),
        quantity.at_least(
            "learner_exponent", Allowance(0), "a lower bound for all correlational learners with q queries",
            help="effective power of d of the n at which a correlational learner has overlap 1/2, and of the bound",
            symbol=r"\log n/\log d", when=lambda point: point.is_learned, is_exponent=True,
        ),
        quantity.reported("exponent", help="its effective power of d", symbol=r"\log n/\log d"),
    )  # fmt: skip
    printed = (Printed("correlation", "E[f_u f_v] = <u, v>", lambda point: point.overlap),)
    views = (
        view.Curve(
            "overlap", (0, 0.3, 0.6, 0.9), ("correlation",), by="degree", by_values=(1, 2, 3, 4), at={"vectors": 50},
            title="correlation of two functions",
        ),
        view.Curve(
            "d", (64, 256, 1024, 4096), ("largest_overlap",), bounds=("family_bound",), log_x=True, log_y=True,
            title="the family",
        ),
        view.Curve(
            "tolerance", (0.1, 0.15, 0.2, 0.3), ("ruled_out",), by="degree", by_values=(3, 4),
            at={"d": 4096}, log_x=True, log_y=True, title="what one query tells",
        ),
        view.Curve(
            "d", (1000, 10**4, 10**6, 10**9), ("exponent",), by="query_exponent", by_values=(0, 3), at={"vectors": 100},
            log_x=True, seeds=12, title="the bound, of which the limit is 2",
        ),
        view.Curve(
            "d", (64, 128), ("learner_exponent",), by="degree", by_values=(3, 4), at={"vectors": LEARNER_VECTORS},
            log_x=True, title="what a learner takes, and the bound",
        ),
    )  # fmt: skip
    presets = {
        "learner": {"degree": 3, "d": 128, "vectors": LEARNER_VECTORS},
        "cubic": {"degree": 3, "d": 1024},
        "quartic": {"degree": 4, "d": 1024},
        "few-queries": {"query_exponent": 1, "d": 1024},
    }
    default_seeds = 16
    engine = "reduced"

    def check(self) -> None:
        if self.d > MAX_DIMENSION:
            raise InputError(f"d = {self.d} is not allowed; it must be at most {MAX_DIMENSION:g}")

    @property
    def most_told_apart(self) -> float:
        return ruled_out(self.tolerance, family_overlap(self.d, self.vectors), self.degree)

    @property
    def is_learned(self) -> bool:
        """Whether a learner is run beside the bound: with the few vectors of its own view."""
        return self.d <= LARGEST and self.degree in (3, 4) and self.vectors == LEARNER_VECTORS

    @property
    def bound(self) -> CsqLimits:
        return csq_bound(self.d, self.degree, self.query_exponent * math.log(self.d))

    def slope_of_bound(self) -> float:
        """The slope of log n in log d, in dimensions so large that logarithms of d hardly matter."""
        few, many = (csq_bound(d, self.degree, self.query_exponent * math.log(d)).samples for d in HUGE)
        return math.log(many / few) / math.log(HUGE[1] / HUGE[0])

    def predict(self) -> Prediction:
        bound = self.bound
        values = {
            "correlation": self.overlap**self.degree,
            "largest_overlap": largest_overlap(self.d, self.vectors),
            "family_bound": family_overlap(self.d, self.vectors),
            "samples_needed": bound.samples,
            "exponent": bound.exponent,
            "limit_exponent": self.degree / 2,
            "learner_exponent": bound.exponent,
        }
        if math.isfinite(self.most_told_apart):
            values["ruled_out"] = self.most_told_apart
        return Prediction(
            values,
            regime="any d; the exponent tends to p/2 as d grows, logarithmically",
            notes=(
                f"overlaps in the family of the bound are below {bound.overlap:.3g}",
                *([bound.warning] if bound.warning else []),
            ),
        )

    def measure(self, run: Run) -> Measurement:
        family = pairwise_overlaps(self.d, self.vectors, run.streams.child("family"))
        largest = largest_entry(family)
        pair = run.streams.child("pair")
        learner = run.streams.child("learner")
        taken = (
            {"learner_exponent": math.log(samples_to_learn(self.degree, self.d, learner, MOST)) / math.log(self.d)}
            if self.is_learned
            else {}
        )
        return Measurement(
            taken
            | {
                "correlation": sampled_correlation(self.overlap, self.degree, self.samples, pair, threads=run.threads),
                "largest_overlap": largest,
                "family_bound": largest,
                "ruled_out": float(told_apart(family, self.degree, self.tolerance)),
                "limit_exponent": self.slope_of_bound(),
            }
        )

    def cost(self) -> Cost:
        size = float(self.vectors)
        return Cost(2 * size**3 + 60 * size**2 + 40.0 * self.samples * (self.degree + 4), 48 * size**2 + 2e7)
