"""[soltanolkotabi22] the proof of balancedness, line by line: two identities, a step's inequality, and their sum."""

from __future__ import annotations

from math import log, sqrt

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
from giantstep.claims.sensing._sensing import SIDE, RectangularClaim
from giantstep.errors import InputError
from giantstep.learners.sensing import SensingDescent, follow_proof
from giantstep.learners.sensing.operators import DenseOperator, lifted_distance, lifted_ratio
from giantstep.theory import sensing
from giantstep.theory.sensing import balance

MOST_ENTRIES = 1e7  # of the measurement matrices together
SAFE = 0.4  # steps up to which a step lowers the loss by half of what the gradient promises
TINY = 1e-2  # starts whose products count for nothing beside the labels
LIFTED = {"d": 24, "scale": 1e-6, "oversampling": 40, "step": 0.4}
ROUNDING = "an identity; rounding only"


@named(
    "sensing/balance-lemma",
    kind="theorem",
    cite="soltanolkotabi22",
    where="slides 'Symmetrization II' and 'Proof of |U'U - V'V| <= c |U_0'U_0 - V_0'V_0|', line by line",
    finding=(
        "All lines of the proof hold at every step; the last one needs a step that lowers the loss by half of mu "
        "|grad|^2 at least. The first steps use up to half of their bound, as said by Z and the start, until both "
        "factors are aligned; all steps together use about a hundredth of the lemma's (from alpha = 0.001). 'As if we "
        "had the loss of W W' alone' is exact, balanced or not: B(W~ W~') = -B(W W'), since Sym(A) has no diagonal "
        "blocks; but the factor is 1/8, not the printed 1/4. What balance is needed for is that W W' itself is near "
        "Z Z', for which the imbalance at the end is the price: |W W' - Z Z'| = |B_T|/sqrt(2) for a truth of rank 1."
    ),
)
class BalanceLemma(RectangularClaim):
    """A step of gradient descent on U V' unbalances U'U - V'V by at most 2 mu times what it lowers the loss by.

    With B_t = U_t'U_t - V_t'V_t: `key_identity` is how far U' grad_U is from (grad_V)' V, `step_identity` how far
    B_{t+1} - B_t is from mu^2 (grad_U' grad_U - grad_V' grad_V), at worst along the way. `step_share` is the largest
    |B_{t+1} - B_t| over 2 mu (L_t - L_{t+1}), `lemma_share` the largest |B_t| - |B_0| over 2 mu (L_0 - L_t), at equal
    t: both are at most 1. The first step's share, `first_share`, follows from Z and the start. `lifted_loss` is the
    loss over |B(W W' - Z Z')|^2, and `lifted_error`, |W W' - Z Z'| at the end, is sqrt(1/2) of the drift for a truth of
    rank 1.
    """

    d: int = parameters.dimension(40, **SIDE)
    columns: int = parameters.columns(16)
    true_rank: int = parameters.true_rank(1)
    rank: int = parameters.rank(8)
    scale: float = parameters.scale(1e-3)
    step: float = parameters.step(0.1, help="step size, gradient of (1/2)|A(UV') - y|^2", symbol=r"\mu", le=1)

    quantities = (
        *quantity.equals(
            {
                "key_identity": ("largest |U' grad_U - (grad_V)' V| over |U||grad_U|", r"U'\nabla_U - \nabla_V' V"),
                "step_identity": (
                    "largest distance of B_{t+1} - B_t from mu^2 (grad_U' grad_U - grad_V' grad_V), over |U|^2 + |V|^2",
                    "",
                ),
            },
            Allowance(1e-12), ROUNDING,
        ),
        quantity.at_least(
            "descent_share", Allowance(0), "at least half, as long as mu is at most one over the curvature",
            help="least fall of the loss in a step: L_t - L_{t+1} over mu |grad|^2 along the way",
            symbol=r"(L_t - L_{t+1})/(\mu|\nabla|^2)",
        ),
        quantity.at_most(
            "step_share", Allowance(0), "the inequality holds for every draw and every step",
            help="largest change of the imbalance in a step: |B_{t+1} - B_t| over 2 mu (L_t - L_{t+1})",
        ),
        quantity.at_most(
            "lemma_share", Allowance(0), "the inequality holds for every draw and every t",
            help="largest growth of the imbalance since the start: |B_t| - |B_0| over 2 mu (L_0 - L_t), at equal t",
        ),
        quantity.equal(
            "first_share",
            Allowance(200, of="prediction", size="scale", power=2) + Allowance(1e-14, size="scale", power=-2),
            "the product of the first factors is neglected beside the labels; the fall of the loss is rounded",
            against="finite",
            help="change of the imbalance in the first step: |B_1 - B_0| over 2 mu (L_0 - L_1), for the draw",
            when=lambda point: point.scale <= TINY,
        ),
        quantity.equal(
            "lifted_loss", Allowance(1e-9), ROUNDING,
            help="(1/2)|A(U V' - X Y')|^2 over |B(W W' - Z Z')|^2, balanced or not",
        ),
        quantity.equal(
            "lifted_error", Allowance(lambda point: 0.02 + point.ratio, of="prediction"),
            "what is left of the error, and terms of order dim T/m in the drift",
            help="distance from Z Z' at the end, over the step: |W W' - Z Z'|/mu; predicted: the drift of the "
            "imbalance over sqrt(2)",
            symbol=r"|WW' - ZZ'|/\mu", against="finite", when=lambda point: point.is_small,
        ),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            f"the step is at most {SAFE:g}, so that it lowers the loss by half of mu |grad|^2",
            lambda point: point.step <= SAFE,
            ("descent_share", "step_share", "lemma_share"),
        ),
    )
    printed = (Printed("lifted_loss", "(1/4)|B(WW') - B(ZZ')|^2 is the loss", lambda _: 0.25),)
    views = (
        view.Curve(
            "step", (0.05, 0.1, 0.2, 0.4), ("step_share", "first_share", "lemma_share", "descent_share"), log_x=True,
            log_y=True, together=True, y_label="share of what an inequality allows",
            title="shares of the proof's inequalities",
        ),
        view.Curve(
            "scale", (1e-4, 1e-2, 0.1), ("step_share", "first_share", "lemma_share"), log_x=True, log_y=True,
            together=True, at={"true_rank": 3}, y_label="share of what an inequality allows",
            title="size of the start, $r_*$ = 3",
        ),
        view.Curve(
            "columns", (6, 12), ("lifted_error",), at=LIFTED, seeds=24, log_y=True,
            title="what balance is needed for: $W W^T$ near $Z Z^T$",
        ),
    )  # fmt: skip
    presets = {"square": {"columns": 40, "d": 40}, "several": {"true_rank": 3}}
    default_seeds = 8
    convention = (
        "L = (1/2)|A(UV') - y|^2 with A = <A_i, .>/sqrt(m); entries alpha N(0, 1) at the start; X, Y orthonormal"
    )

    @property
    def is_small(self) -> bool:
        """Whether the drift is the signal's: a truth of rank 1, and noise that stays small beside it."""
        return self.true_rank == 1 and self.scale <= 1e-6 and self.oversampling >= 30

    @property
    def iterations(self) -> int:
        """Until the signal has grown and the loss has fallen to little."""
        return int(log(1 + 1 / self.scale) / log(1 + self.step) + 20 / self.step)

    def check(self) -> None:
        if self.true_rank >= min(self.shape) or self.rank < self.true_rank:
            raise InputError(
                f"true_rank = {self.true_rank} and rank = {self.rank} are not allowed; the true rank must be less "
                f"than both sides of the matrix, {min(self.shape)}, and at most the rank"
            )
        if self.scale > 0.1:
            raise InputError(f"scale = {self.scale} is not allowed; larger starts than 0.1 need smaller steps")
        if self.measurements * self.d * self.columns > MOST_ENTRIES:
            raise InputError(f"d = {self.d} is not allowed: the measurement matrices would have more than 1e7 entries")
        if self.oversampling < 3:
            raise InputError(f"oversampling = {self.oversampling} is not allowed; the step is safe from 3 on")

    @property
    def ratio(self) -> float:
        """dim T/m."""
        size = sensing.tangent_dimension(self.d, self.true_rank, symmetric=False, columns=self.columns)
        return size / self.measurements

    def predict(self) -> Prediction:
        return Prediction(
            {
                "key_identity": 0.0,
                "step_identity": 0.0,
                "descent_share": 0.5,
                "step_share": 1.0,
                "lemma_share": 1.0,
                "lifted_loss": balance.lifted_line(),
            },
            regime="every draw and every step, mu at most 1/curvature; the first share for small starts",
        )

    def measure(self, run: Run) -> Measurement:
        problem, start, truth = self.problem(run.streams), self.start(run.streams), self.truth(run.streams)
        assert isinstance(problem.operator, DenseOperator)
        assert start.right is not None
        assert truth.right is not None
        lines = follow_proof(SensingDescent(problem, self.step), start, self.iterations)
        spectral = problem.spectral_matrix()
        finite = {"first_share": balance.first_share(spectral, start.left, start.right, self.step)}
        if self.is_small:
            settings = (self.d, self.true_rank, self.measurements, self.step)
            turning = sensing.Refinement.of(*settings, symmetric=False, columns=self.columns).turning()
            drift = balance.drift_on_draw(spectral, truth.left, truth.right, turning, self.ratio)
            finite["lifted_error"] = abs(drift) / sqrt(2) / self.step
        return Measurement(
            {
                **lines.shares(),
                "lifted_loss": lifted_ratio(problem.operator, self.start(run.streams, 1.0), truth),
                "lifted_error": lifted_distance(lines.last, truth) / self.step,
            },
            finite=finite,
        )

    def cost(self) -> Cost:
        size = float(self.measurements * self.d * self.columns)
        lifted = float(self.measurements * (self.d + self.columns) ** 2)
        return Cost(self.iterations * 25 * size + 50 * lifted + 1e7, 8 * size + 6 * lifted + 2e7)
