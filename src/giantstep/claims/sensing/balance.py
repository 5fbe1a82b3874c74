"""[soltanolkotabi22] the two factors of U V^T stay about as unbalanced as they started, under a condition."""

from __future__ import annotations

from math import log

import numpy as np

from giantstep import learners
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.sensing._sensing import SIDE, FactorsClaim
from giantstep.errors import InputError
from giantstep.learners.sensing import DenseOperator, SensingDescent, SensingLoss, symmetrisation_ratios
from giantstep.theory.sensing import imbalance_at_start, lemma_ratio, second_line, third_line

LOSS, SLIDES = SensingLoss.HALF_MEAN, SensingLoss.SLIDE_SUM
CONSERVED = 1000.0  # mu/alpha^2 up to which the imbalance stays
DRIFTS = 5e4  # and from which on its growth is a power of alpha
MOST_ENTRIES = 2e7  # of the measurement matrices together


@named(
    "sensing/balance",
    kind="theorem",
    cite="soltanolkotabi22",
    where="slides 'Symmetrization I', 'Symmetrization II' and 'Proof of |U'U - V'V| <= c |U_0'U_0 - V_0'V_0|'",
    finding=(
        "The lemma |B_t| <= |B_0| + 2 mu (L_0 - L_t) holds, but the conclusion |B_t| <= c |B_0| does not follow: L_0 "
        "does not shrink with alpha while |B_0| ~ alpha^2, and for mu >> alpha^2 the imbalance grows by a factor ~ "
        "mu/alpha^2, which is measured. It needs mu < alpha^2 or so. In 'Symmetrization I' the factors are wrong: for "
        "B_k = Sym(A_k), (1/2)|A(D)|^2 = (1/8)|B(sym D)|^2 = (1/32)|B(WW' - ZZ') - B(W~W~' - Z~Z~')|^2, not 1/4 in "
        "both lines."
    ),
)
class Balance(FactorsClaim):
    """Gradient descent on U V' conserves U'U - V'V only for steps well below alpha^2; in general a weaker lemma holds.

    B_t = U_t'U_t - V_t'V_t is conserved by gradient flow. With steps of size mu it drifts, by at most 2 mu (L_0 - L_t):
    the largest |B_t|/|B_0|, `imbalance_ratio`, is below 1 + 2 mu L_0/|B_0|, which grows as alpha^-2. `excess` is the
    ratio minus 1. The factors of the symmetrisation, `second_line` = 1/8 and `third_line` = 1/32, are measured on
    random matrices.
    """

    d: int = parameters.dimension(30, **SIDE)
    columns: int = parameters.own(20, "rows of V", symbol="d_2", ge=2, le=4096)
    true_rank: int = parameters.true_rank(2)
    rank: int = parameters.rank(10)
    scale: float = parameters.scale(1e-3)
    step: float = parameters.step(0.1, help="step size, gradient of (1/2)|A(UV') - y|^2", symbol=r"\mu", le=0.4)

    quantities = (
        quantity.at_most(
            "imbalance_ratio",
            Allowance(1e-9),
            "the lemma holds for every draw; rounding only",
            help="largest |B_t|/|B_0| along the trajectory; predicted: the lemma's bound for this draw",
            symbol=r"\max_t |B_t|/|B_0|",
            against="finite",
        ),
        quantity.slope(
            "imbalance_ratio",
            "scale",
            -2.0,
            0.1,
            "the drift does not know alpha, and |B_0| is proportional to alpha^2",
            when=lambda point: point.step >= DRIFTS * point.scale**2,
        ),
        quantity.equal(
            "excess",
            Allowance(0.05),
            "of order mu/alpha^2 with a small factor",
            help="growth of the imbalance: its largest ratio minus 1",
            when=lambda point: point.step <= CONSERVED * point.scale**2,
        ),
        quantity.equal(
            "start",
            Allowance(0.02, of="prediction"),
            "the root mean square of |B_0|/alpha^2 is predicted, its mean is a little smaller",
            help="|B_0|/alpha^2",
        ),
        *quantity.equals(
            {
                "second_line": ("(1/2)|A(D)|^2 / |B(sym D)|^2", ""),
                "third_line": ("(1/2)|A(D)|^2 / |B(WW' - ZZ') - B(W~W~' - Z~Z~')|^2", ""),
            },
            Allowance(1e-9),
            "an identity; rounding only",
        ),
        quantity.reported("lemma", help="the lemma's bound of the ratio for the mean draw"),
    )
    views = (
        view.Curve(
            "scale", (1e-4, 1e-3, 1e-2, 1e-1), ("imbalance_ratio",), by="step", by_values=(0.4, 0.1, 0.025),
            log_x=True, log_y=True, title="growth of the imbalance, and the lemma's bound (lines)",
        ),
    )  # fmt: skip
    presets = {"conserved": {"scale": 0.1, "step": 0.025}, "grows": {"scale": 1e-4, "step": 0.4}}
    default_seeds = 12
    convention = (
        f"L = (1/2)|A(UV') - y|^2 with A = <A_i, .>/sqrt(m), a loss '{LOSS.label}' (the slides: '{SLIDES.label}'); "
        "entries alpha N(0, 1) at the start; X, Y orthonormal"
    )

    @property
    def shape(self) -> tuple[int, int]:
        return self.d, self.columns

    @property
    def is_symmetric(self) -> bool:
        return False

    @property
    def iterations(self) -> int:
        """Until the signal has grown and the loss has fallen to little."""
        return int(log(1 + 1 / self.scale) / log(1 + self.step) + 6 / self.step)

    @property
    def mu(self) -> float:
        """The step of the normal form."""
        return LOSS.step(self.step, self.measurements, symmetric=False)

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
            raise InputError(
                f"d = {self.d} and columns = {self.columns} are not allowed with m = {self.measurements}: the "
                "measurement matrices would have more than 2e7 entries"
            )
        if self.oversampling < 3:
            raise InputError(f"oversampling = {self.oversampling} is not allowed; the step is safe from 3 on")

    def predict(self) -> Prediction:
        slide_step = SLIDES.size(self.mu, self.measurements, symmetric=False)
        start = imbalance_at_start(self.d, self.columns, self.rank)
        return Prediction(
            {
                "excess": 0.0,
                "start": start,
                "second_line": second_line(),
                "third_line": third_line(),
                "lemma": lemma_ratio(self.step, self.true_rank / 2, self.scale**2 * start),
            },
            regime="mu at most 1/curvature; the lemma is for every draw, conservation for mu << alpha^2",
            notes=(f"for the slides' loss ({SLIDES.label} over measurements) this step is {slide_step:.3g}",),
        )

    def measure(self, run: Run) -> Measurement:
        problem = self.problem(run.streams)
        seen = learners.run(
            SensingDescent(problem, self.mu),
            self.start(run.streams),
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
        return Measurement(
            {
                "imbalance_ratio": ratio,
                "excess": ratio - 1,
                "start": sizes[0] / self.scale**2,
                "second_line": second,
                "third_line": third,
            },
            finite={"imbalance_ratio": lemma_ratio(self.step, losses[0] - min(losses), sizes[0])},
        )

    def cost(self) -> Cost:
        size = float(self.measurements * self.d * self.columns)
        lifted = float(self.measurements * (self.d + self.columns) ** 2)
        return Cost(self.iterations * 25 * size + 50 * lifted + 1e7, 8 * size + 16 * lifted + 2e7)
