"""[soltanolkotabi22] the two factors of U V^T stay about as unbalanced as they started, under a condition."""

from __future__ import annotations

from math import log

import numpy as np

from giantstep import learners
from giantstep.claims import (
    Allowance,
    Cost,
    Hypothesis,
    Measurement,
    Prediction,
    Printed,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.sensing._sensing import SIDE, RectangularClaim, turning_of_factors
from giantstep.errors import InputError
from giantstep.learners.sensing import SensingDescent, SensingLoss
from giantstep.learners.sensing.operators import DenseOperator, symmetrisation_ratios
from giantstep.theory import sensing
from giantstep.theory.sensing import balance

LOSS, SLIDES = SensingLoss.HALF_MEAN, SensingLoss.SLIDE_SUM
OWN = 0.1  # |B_0| in units of drift/mu up to which the drift of the start itself does not count
DRIFTS = 5e4  # and from which on its growth is a power of alpha
MOST_ENTRIES = 2e7  # of the measurement matrices together


def _share_of_noise(point: Balance, predicted: float) -> float:
    """0.8 dim T/m of the prediction."""
    return 0.8 * point.ratio * abs(predicted)


@named(
    "sensing/balance",
    kind="theorem",
    cite="soltanolkotabi22",
    where="slides 'Symmetrization I', 'Symmetrization II' and 'Proof of |U'U - V'V| <= c |U_0'U_0 - V_0'V_0|'",
    finding=(
        "The lemma |B_t| <= |B_0| + 2 mu (L_0 - L_t) holds, but from small starts it is loose by a factor of about 60 "
        "(40 to 110 for 5 to 20 d r* measurements), and the conclusion |B_t| <= c |B_0| does not follow: the drift "
        "|B_T - B_0| does not know alpha, while |B_0| ~ alpha^2. It is predicted here: factors turn from the singular "
        "vectors of Z to the truth, the longer side more, which is a few thousandths of mu. So the imbalance is "
        "conserved up to mu of some thousand alpha^2 (predicted for each setting), and beyond it grows as mu/alpha^2. "
        "In 'Symmetrization I' the factors are wrong: for B_k = Sym(A_k), (1/2)|A(D)|^2 = (1/8)|B(sym D)|^2 = "
        "(1/32)|B(WW' - ZZ') - B(W~W~' - Z~Z~')|^2, not 1/4 in both lines."
    ),
    version=2,
)
class Balance(RectangularClaim):
    """Gradient descent on U V' conserves U'U - V'V for steps up to some thousand alpha^2; beyond, a weaker lemma holds.

    B_t = U_t'U_t - V_t'V_t is conserved by gradient flow. With steps of size mu it drifts, by at most 2 mu (L_0 - L_t):
    the largest |B_t|/|B_0|, `imbalance_ratio`, is below 1 + 2 mu L_0/|B_0|, which grows as alpha^-2. What the `drift`
    |B_T - B_0|/mu is, follows for a truth of rank 1 from the Z drawn, whatever alpha; so does `excess`, the ratio minus
    1, with the start. The factors of the symmetrisation, `second_line` = 1/8 and `third_line` = 1/32, are measured on
    random matrices.
    """

    d: int = parameters.dimension(100, **SIDE)
    columns: int = parameters.columns(10)
    true_rank: int = parameters.true_rank(1)
    rank: int = parameters.rank(10)
    scale: float = parameters.scale(1e-3)
    step: float = parameters.step(0.1, help="step size, gradient of (1/2)|A(UV') - y|^2", symbol=r"\mu", le=0.4)

    quantities = (
        quantity.at_most(
            "imbalance_ratio", Allowance(1e-9),
            "the lemma holds for every draw; rounding only; from small starts it is loose by a factor of about 60",
            help="largest |B_t|/|B_0| along the trajectory; predicted: the lemma's bound for this draw",
            symbol=r"\max_t |B_t|/|B_0|", against="finite",
        ),
        quantity.slope(
            "imbalance_ratio", "scale", -2.0, 0.1,
            "the drift does not know alpha, and |B_0| is proportional to alpha^2",
            when=lambda point: point.step >= DRIFTS * point.scale**2,
        ),
        quantity.equal(
            "drift", Allowance(0.02, of="prediction") + _share_of_noise,
            "the noise of Z beyond the tangent space is neglected, of order dim T/m",
            help="change of the imbalance over the step, for the Z drawn", symbol=r"|B_T - B_0|/\mu",
            against="finite", limit=Allowance(0.1, of="prediction") + _share_of_noise,
        ),
        quantity.equal(
            "excess", Allowance(0.01) + Allowance(0.05, size="step", power=1) + _share_of_noise,
            "what the drift allows itself, and the drift of directions that are not the signal's",
            help="growth of the imbalance: its largest ratio minus 1", symbol=r"\max_t |B_t|/|B_0| - 1",
            against="finite",
        ),
        quantity.equal(
            "start", Allowance(0.02, of="prediction"),
            "the root mean square of |B_0|/alpha^2 is predicted, its mean is a little smaller",
            help="|B_0|/alpha^2",
        ),
        *quantity.equals(
            {
                "second_line": ("(1/2)|A(D)|^2 / |B(sym D)|^2", ""),
                "third_line": ("(1/2)|A(D)|^2 / |B(WW' - ZZ') - B(W~W~' - Z~Z~')|^2", ""),
            },
            Allowance(1e-9), "an identity; rounding only",
        ),
        quantity.reported("lemma", help="the lemma's bound of the ratio for the mean draw"),
    )  # fmt: skip
    hypotheses = (
        Hypothesis("the truth has rank 1", lambda point: point.true_rank == 1, ("drift", "excess")),
        Hypothesis(
            "the start is small: it drifts less by itself, some mu |B_0|, than the signal makes it drift",
            lambda point: point.scale**2 * point.expected[0] <= OWN * point.expected[1],
            ("drift",),
        ),
    )
    printed = (
        Printed("second_line", "(1/2)|A(D)|^2 = (1/4)|B(sym D)|^2", lambda _: 0.25),
        Printed("third_line", "(1/2)|A(D)|^2 = (1/4)|B(WW' - ZZ') - B(W~W~' - Z~Z~')|^2", lambda _: 0.25),
        Printed("imbalance_ratio", "|B_t| <= c |B_0| with a constant c, whatever alpha", exponent=lambda _: 0.0),
    )
    views = (
        view.Curve(
            "scale", (1e-4, 1e-3, 3e-3, 1e-2, 1e-1), ("imbalance_ratio", "excess"), by="step", by_values=(0.4, 0.1),
            log_x=True, log_y=True, title="small starts",
        ),
        view.Curve(
            "oversampling", (5, 10, 20), ("drift",), log_x=True, log_y=True, seeds=24,
            title="drift against measurements",
        ),
    )  # fmt: skip
    presets = {"conserved": {"scale": 0.1, "step": 0.025}, "grows": {"scale": 1e-4, "step": 0.4}}
    default_seeds = 12
    convention = (
        f"L = (1/2)|A(UV') - y|^2 with A = <A_i, .>/sqrt(m), a loss '{LOSS.label}' (the slides: '{SLIDES.label}'); "
        "entries alpha N(0, 1) at the start; X, Y orthonormal"
    )

    @property
    def iterations(self) -> int:
        """Until the signal has grown and the loss has fallen to little."""
        return int(log(1 + 1 / self.scale) / log(1 + self.step) + 6 / self.step)

    @property
    def mu(self) -> float:
        """The step of the normal form."""
        return LOSS.step(self.step, self.measurements, symmetric=False)

    @property
    def ratio(self) -> float:
        """dim T/m."""
        size = sensing.tangent_dimension(self.d, self.true_rank, symmetric=False, columns=self.columns)
        return size / self.measurements

    @property
    def turning(self) -> float:
        """How much the factors turn between Z and the truth."""
        return turning_of_factors(self.d, self.true_rank, self.measurements, self.mu, self.columns)

    @property
    def expected(self) -> tuple[float, float]:
        """|B_0|/alpha^2, and the mean drift over mu, for a truth of rank 1."""
        start = balance.imbalance_at_start(self.d, self.columns, self.rank)
        return start, balance.mean_drift(self.d, self.columns, self.turning) / self.mu

    def check(self) -> None:
        least = min(self.shape)
        if self.true_rank >= least or self.rank < self.true_rank:
            raise InputError(
                f"true_rank = {self.true_rank} and rank = {self.rank} are not allowed; the true rank must be less "
                f"than both sides of the matrix, {least}, and at most the rank"
            )
        if self.scale > 0.1:
            raise InputError(f"scale = {self.scale} is not allowed; larger starts than 0.1 need smaller steps")
        if self.measurements * self.d * self.columns > MOST_ENTRIES:
            raise InputError(f"d = {self.d} is not allowed: the measurement matrices would have more than 2e7 entries")
        if self.oversampling < 3:
            raise InputError(f"oversampling = {self.oversampling} is not allowed; the step is safe from 3 on")

    def predict(self) -> Prediction:
        slide_step = SLIDES.size(self.mu, self.measurements, symmetric=False)
        start, drift = self.expected
        return Prediction(
            {
                "drift": drift,
                "start": start,
                "second_line": balance.second_line(),
                "third_line": balance.third_line(),
                "lemma": balance.lemma_ratio(self.step, self.true_rank / 2, self.scale**2 * start),
            },
            regime="mu at most 1/curvature; the lemma is for every draw, the drift for small starts and true rank 1",
            notes=(
                f"for the slides' loss ({SLIDES.label} over measurements) this step is {slide_step:.3g}",
                f"the imbalance is conserved while mu << {start / drift:.2g} alpha^2",
            ),
        )

    def measure(self, run: Run) -> Measurement:
        problem, start = self.problem(run.streams), self.start(run.streams)
        seen = learners.run(
            SensingDescent(problem, self.mu),
            start,
            steps=self.iterations,
            watch={
                "imbalance": lambda state: float(np.linalg.norm(state.factors.imbalance())),
                "loss": lambda state: state.train_norm**2 / 2,
            },
        )
        sizes, losses = seen["imbalance"].tolist(), seen["loss"].tolist()
        ratio = max(sizes) / sizes[0]
        assert isinstance(problem.operator, DenseOperator)
        model, truth = self.start(run.streams, 1.0), self.truth(run.streams)
        second, third = symmetrisation_ratios(problem.operator, model, truth)
        change = float(np.linalg.norm(seen.last.factors.imbalance() - start.imbalance()))
        finite = {"imbalance_ratio": balance.lemma_ratio(self.step, losses[0] - min(losses), sizes[0])}
        if self.true_rank == 1:
            spectral = problem.spectral_matrix()
            assert truth.right is not None
            assert start.right is not None
            drift = balance.drift_on_draw(spectral, truth.left, truth.right, self.turning, self.ratio) / self.mu
            end = balance.imbalance_on_draw(spectral, start.left, start.right, self.mu, self.mu * drift)
            finite |= {"drift": abs(drift), "excess": max(0.0, end - 1)}
        return Measurement(
            {
                "imbalance_ratio": ratio,
                "drift": change / self.mu,
                "excess": ratio - 1,
                "start": sizes[0] / self.scale**2,
                "second_line": second,
                "third_line": third,
            },
            finite=finite,
        )

    def cost(self) -> Cost:
        size = float(self.measurements * self.d * self.columns)
        lifted = float(self.measurements * (self.d + self.columns) ** 2)
        return Cost(self.iterations * 25 * size + 50 * lifted + 1e7, 8 * size + 6 * lifted + 2e7)
