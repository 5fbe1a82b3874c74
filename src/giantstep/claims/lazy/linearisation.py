"""[soltanolkotabi22] whether a trained network is its own linearisation: the scale of the start decides."""

from __future__ import annotations

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import Allowance, Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.lazy._teacher import CONVENTION, STOP, refuse_impossible_nets, relative_error, teacher
from giantstep.errors import InputError
from giantstep.learners.descents import Departure, TwoLayerDescent, TwoLayerState, start_network
from giantstep.problems import Activation
from giantstep.theory.dynamics import kernel_flow, rich_displacement, rich_movement

TEST_POINTS = 2000
SCALES = (0.01, 0.1, 1, 3, 10, 30, 100)
MOST_STEPS = 20_000
LAZY, RICH = 10.0, 0.1  # scales from which on, and up to which, a limit is judged
RELU, TANH = Activation("relu"), Activation("tanh")
LOOKS = 10  # steps between two looks at the linearisation
RICH_SHARE = 0.01  # of the tangent kernel's test error
STOPPED = Allowance(0.003, of="prediction")  # before the end, at a residual of STOP


def _is_lazy(point: Linearisation) -> bool:
    return point.alpha >= LAZY


def _is_rich(point: Linearisation) -> bool:
    return point.alpha <= RICH and point.activation == RELU


def _is_smooth_and_lazy(point: Linearisation) -> bool:
    return point.activation == TANH and point.alpha >= 5


def _crosses_over(point: Linearisation) -> bool:
    return point.activation == RELU and point.scale_exponent == 0


def _next_order(_: Linearisation, predicted: float) -> float:
    """3 times its square."""
    return 3 * predicted**2


def _order(point: Linearisation) -> float:
    return -4.0 if point.doubled else -2.0


@named(
    "lazy/linearisation",
    kind="theorem",
    cite="soltanolkotabi22",
    where="slides 'Overparameterized nonlinear Least Squares' (lemma) and 'Can reach different global optima'",
    finding=(
        "The slide asks for wide and large, and both are needed: at fixed scale (mean field, alpha = 1) weights move "
        "by the same 75 % at any width. Any scale that grows with the width makes wide networks lazy, alpha = m^0.1 as "
        "well as the m^(1/4) of the tangent-kernel limit; movement falls as alpha^-2. Networks doubled so that f = 0 "
        "at the start are lazier by a whole order (tanh: kernel change alpha^-4 instead of alpha^-2): pairs cancel the "
        "second-order term. Lazy training of wide networks along short paths: [os19]."
    ),
    version=2,
)
class Linearisation(Claim):
    """From a large start gradient descent trains a network's linearisation; from a small one it learns features.

    A relu network learns a teacher of `rank` neurons, both layers trained until |f - y| = |y|/1000. As alpha grows,
    movement, kernel and outputs become those of kernel gradient flow with the tangent kernel of the same start, which
    tests badly; as alpha -> 0, all weight goes into the teacher's neurons, |theta_T - theta_0|/|theta_0| ->
    sqrt(rank)/alpha, and the test error vanishes, below a hundredth of the kernel's. `path_error` is the
    network's worst distance from its linearisation. alpha = scale m^scale_exponent; from starts that are not doubled f
    at the start is subtracted.
    """

    activation: parameters.Activation = parameters.activation("relu")
    d: int = parameters.dimension(10, ge=2, le=1000)
    samples: int = parameters.samples(100, ge=4, le=5000)
    neurons: int = parameters.neurons(100, symbol="m", ge=2)
    rank: int = parameters.rank(1, help="neurons of the teacher, of alternating signs", symbol="k", le=100)
    scale: float = parameters.scale(10.0, ge=1e-3, le=1e4)
    scale_exponent: float = parameters.own(0.0, "growth of the scale with the width", symbol="e", ge=0, le=0.5)
    doubled: bool = parameters.own(
        True, "whether neurons come in pairs (w, v), (w, -v), so that f = 0 at the start", words=("pairs", "no pairs")
    )

    quantities = (
        quantity.equal(
            "movement",
            STOPPED + _next_order,
            "gates that open and close correct the limit by a multiple of the movement itself; 0.3 % for the stop",
            help="how far the weights went, over their size at the start",
            symbol=r"|\theta_T - \theta_0|/|\theta_0|",
            against="finite",
            when=_is_lazy,
        ),
        quantity.slope(
            "movement", "scale", -2.0, 0.05, "order movement at the smallest scale",
            when=lambda point: _is_lazy(point) or _is_smooth_and_lazy(point),
        ),
        quantity.slope(
            "movement", "neurons", lambda point: -2 * point.scale_exponent, 0.08,
            "at a finite width alpha = m^(1/4) is not large yet: the exponent is passed through from -0.55",
            when=lambda point: point.activation == RELU and point.scale == 1 and point.scale_exponent in (0, 0.25),
        ),
        quantity.equal(
            "rich_share",
            Allowance(0.01) + Allowance(0.5, size="alpha", power=1),
            "the start itself keeps a share of some alpha/3, and a finite sample leaves some path norm free",
            help="how far the weights went over sqrt(2 rank), the limit for small starts; in relu scaling",
            symbol=r"|\theta'_T - \theta'_0|/\sqrt{2k}", when=_is_rich,
        ),
        quantity.equal(
            "test_error",
            STOPPED + Allowance(15, of="prediction", size="alpha", power=-2),
            "gates that open and close correct the kernel by order alpha^-2; 0.3 % for the stop",
            help="squared error on new samples over the labels' second moment",
            symbol=r"\mathbb{E}(f - y)^2/\mathbb{E}y^2",
            against="finite",
            when=_is_lazy,
        ),
        quantity.increasing("test_error", "scale", "features are learned from small starts only", when=_crosses_over),
        quantity.decreasing("kernel_change", "scale", "the larger the start, the lazier", when=_crosses_over),
        quantity.slope(
            "kernel_change", "scale", _order, 0.15, "the next order of the expansion, relatively alpha^-2",
            help="change of the tangent kernel", symbol="|K_T - K_0|/|K_0|", when=_is_smooth_and_lazy,
        ),
        quantity.slope(
            "linearisation_error", "scale", _order, 0.15, "the next order of the expansion, relatively alpha^-2",
            help="distance of the outputs from those of the linearisation at the same weights, on the sample",
            symbol=r"|f_T - f_{lin}(\theta_T)|/|f_T - f_0|", when=_is_smooth_and_lazy,
        ),
        quantity.slope(
            "path_error", "scale", _order, 0.15, "the next order of the expansion, relatively alpha^-2",
            help="largest distance on the way: the same where it is largest along the whole trajectory",
            symbol=r"\max_t |f_t - f_{lin}(\theta_t)|/|f_T - f_0|", when=_is_smooth_and_lazy,
        ),
        quantity.decreasing("path_error", "scale", "the larger the start, the lazier", when=_crosses_over),
        quantity.at_most(
            "train_error", Allowance(0), "training ends there, or after 20,000 steps",
            help="error on the sample at the end: |f - y|/|y|", symbol="|f_T - y|/|y|",
        ),
        quantity.at_most(
            "rich_error", Allowance(0), "from alpha = 0.1 on it is some thousandth, and less from smaller starts",
            help="test error from a small start; predicted: at most a hundredth of the tangent kernel's, on this draw",
            against="finite", when=_is_rich,
        ),
        quantity.reported(
            "rich_limit", help="movement from a small start: sqrt(rank)/alpha", symbol=r"\sqrt{k}/\alpha",
        ),
    )  # fmt: skip
    views = (
        view.Curve("scale", SCALES, ("movement",), log_x=True, log_y=True, bounds=("rich_limit",)),
        view.Curve(
            "scale", SCALES, ("test_error", "kernel_change", "linearisation_error", "path_error", "train_error"),
            log_x=True, log_y=True,
        ),
        view.Curve(
            "neurons", (100, 400, 1600), ("movement",), by="scale_exponent", by_values=(0, 0.25), log_x=True,
            log_y=True, at={"scale": 1, "samples": 40}, seeds=12, title="width alone is not lazy",
        ),
        view.Curve(
            "scale", (5.5, 10, 17.3), ("kernel_change", "path_error"), by="doubled", by_values=(True, False),
            log_x=True, log_y=True, at={"activation": "tanh", "samples": 30}, seeds=6, title="smooth activation",
        ),
    )  # fmt: skip
    presets = {
        "rich": {"scale": 0.01},
        "lazy": {"scale": 100},
        "mean-field": {"scale": 1, "samples": 40, "neurons": 400},
        "ntk": {"scale": 1, "scale_exponent": 0.25, "samples": 40, "neurons": 400},
        "smooth": {"activation": "tanh", "samples": 30, "scale": 17.3},
        "smooth-plain": {"activation": "tanh", "samples": 30, "scale": 17.3, "doubled": False},
    }
    default_seeds = 16
    engine = "dense"
    convention = CONVENTION

    @property
    def alpha(self) -> float:
        return float(self.scale * self.neurons**self.scale_exponent)

    def check(self) -> None:
        refuse_impossible_nets(self.samples, self.neurons, self.doubled)
        if self.rank > self.d:
            raise InputError(f"rank = {self.rank} is not allowed; it must be at most d = {self.d}")
        if self.activation.jumps or self.activation.degree in (0, 1):
            raise InputError(f"the activation {self.activation} must be continuous and not linear")

    def predict(self) -> Prediction:
        values = {"train_error": STOP}
        if self.activation == RELU:
            values["rich_limit"] = rich_movement(self.rank, self.alpha)
        if _is_rich(self):
            values["rich_share"] = 1.0
        return Prediction(
            values, "alpha to infinity (lazy, on the drawn tangent kernel) or to 0 (rich), trained to the end"
        )

    def measure(self, run: Run) -> Measurement:
        rng = run.streams.child("data").generator()
        x, fresh = rng.standard_normal((self.samples, self.d)), rng.standard_normal((TEST_POINTS, self.d))
        y, unseen = (teacher(self.activation, z, self.rank) for z in (x, fresh))
        start = start_network(
            self.activation, self.d, self.neurons, self.alpha, run.streams.child("network"), doubled=self.doubled
        )
        before, before_fresh = start(x), start(fresh)
        fitted = STOP * _size(y, y + before)  # stated for the labels; training sees them with the first output added
        departure = Departure(start, x, LOOKS)

        def is_fitted(state: TwoLayerState) -> bool:
            departure.see(state.network)
            return state.residual <= fitted

        found = learners.run(TwoLayerDescent(x, y + before), start, steps=MOST_STEPS, stop=is_fitted)
        trained = found.last.network
        moved, kernel, outputs = trained.parameters() - start.parameters(), start.tangent_kernel(x), trained(x) - before
        last, size = departure.of(trained), float(np.linalg.norm(outputs))
        lazy = kernel_flow(kernel, y, _size(outputs - y, y))
        values = {
            "movement": _size(moved, start.parameters()),
            "test_error": relative_error(trained(fresh) - before_fresh, unseen),
            "kernel_change": _size(trained.tangent_kernel(x) - kernel, kernel),
            "linearisation_error": last / size,
            "path_error": max(last, departure.largest) / size,
            "train_error": _size(outputs - y, y),
        }
        kernel_error = relative_error(lazy(start.tangent_kernel(fresh, x)), unseen)
        if _is_rich(self):
            values["rich_error"] = values["test_error"]
            values["rich_share"] = start.factor**0.5 * float(np.linalg.norm(moved)) / rich_displacement(self.rank)
        return Measurement(
            values,
            finite={
                "movement": lazy.movement / float(np.linalg.norm(start.parameters())),
                "test_error": kernel_error,
                "rich_error": RICH_SHARE * kernel_error,
            },
        )

    def cost(self) -> Cost:
        n, m, d = self.samples, self.neurons, self.d
        step = n * m * (6 * d + 60) + 2 * n * n * m / 10 + 3e6
        steps = min(MOST_STEPS, 4000 * max(1, n / (10 * d)) ** 2.3)  # labels crowded in few dimensions take longest
        return Cost(steps * step, 16.0 * (n * m * (d + 8) + 3 * n * n + TEST_POINTS * (m + n)) + 3.5e7)


def _size(array: Array, other: Array) -> float:
    """|array|/|other|."""
    return float(np.linalg.norm(array) / np.linalg.norm(other))
