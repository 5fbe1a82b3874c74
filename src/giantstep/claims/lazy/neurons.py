"""[soltanolkotabi22] hidden neurons as vectors in the plane: they turn to the teacher, or stay where they are."""

from __future__ import annotations

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import (
    Allowance,
    AllowanceRule,
    Claim,
    Computed,
    Cost,
    Curve,
    Measurement,
    Prediction,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.lazy._teacher import CONVENTION, STOP, refuse_impossible_nets, relative_error, signs, teacher
from giantstep.errors import InputError
from giantstep.learners.descents import (
    Film,
    ScaledNetwork,
    TwoLayerDescent,
    TwoLayerState,
    circle,
    mass_near,
    mean_turn,
    start_network,
)
from giantstep.problems import Activation
from giantstep.theory.dynamics import aligned_share_at_random, kernel_flow, mass_at_random

RELU = Activation("relu")
TEST_POINTS = 1000
NEAR = 15.0  # degrees
LAZY, RICH = 10.0, 0.03
MANY = 400_000  # neurons of a network that is only looked at
FRAMES, MOST_KEPT = 40, 1000  # moments of the picture, and networks from which they are chosen
DECADES = 8.0  # of mass, from the centre of the picture to the heaviest neuron
MOST_STEPS = 6000  # on the circle kernels are so ill-conditioned that lazy training never quite ends


def _is_lazy(point: Neurons) -> bool:
    return point.scale >= LAZY


def _is_judged(point: Neurons) -> bool:
    return _is_lazy(point) or point.scale <= RICH


def _from(small: AllowanceRule, large: AllowanceRule) -> Computed:
    return Computed(
        lambda point, predicted: (small if point.scale <= RICH else large)(point, predicted),
        f"{small} from a small start, {large} from a large one",
    )


@named(
    "lazy/neurons",
    kind="figure",
    cite="soltanolkotabi22",
    where="slide 'Lazy vs. non-lazy training: embed hidden nodes as vectors', figures 'non-Lazy' and 'Lazy'",
    version=3,
)
class Neurons(Claim):
    """From a small start hidden neurons turn to the teacher's; from a large one they stay where they began.

    Inputs lie on the unit circle. A neuron is drawn in the direction of w, at a radius that is the logarithm of its
    mass |v| |w|: at 1 the heaviest neuron, at the centre what is eight decades lighter. From a small start all mass
    ends within 15 degrees of the teacher's neurons of the same sign, and is `rank` in total; from a large start neurons
    turn by next to nothing, and the mass near the teacher is what chance put there. A picture saved as .gif moves.
    """

    samples: int = parameters.samples(30, help="samples on the circle", ge=3, le=2000)
    neurons: int = parameters.neurons(60, help=parameters.PAIRED, symbol="m", ge=2, le=1000)
    rank: int = parameters.rank(1, help="neurons of the teacher, of alternating signs", symbol="k", le=2)
    scale: float = parameters.scale(0.01, ge=1e-3, le=1e4)

    quantities = (
        quantity.equal(
            "aligned_mass",
            _from(Allowance(0.05), Allowance(0.02)),
            "samples do not fix the teacher's directions exactly, and a few neurons stay between them; lazily, the few "
            "degrees that a neuron turns",
            help="share of mass within 15 degrees of the teacher's neurons of the same sign",
            against="finite",
            limit=_from(Allowance(0.05), Allowance(0.03)),
            when=_is_judged,
        ),
        quantity.decreasing("aligned_mass", "scale", "features are learned from small starts only"),
        quantity.equal(
            "total_mass",
            _from(
                Allowance(0.02, of="prediction"),
                Allowance(0.001, of="prediction") + Allowance(0.5, of="prediction", size="scale", power=-2),
            ),
            "a finite sample leaves some path norm free; lazily, what training adds to the start, order alpha^-2",
            help="sum of all masses",
            symbol=r"\sum_l |v_l||w_l|",
            against="finite",
            limit=_from(Allowance(0.02, of="prediction"), Allowance(0.1, of="prediction")),
            when=_is_judged,
        ),
        quantity.equal(
            "log_turn",
            Allowance(0.03) + Allowance(4, size="scale", power=-1),
            "next order in 1/alpha: gates that open and close",
            help="ln of the turn; draws differ by factors, which their own predictions know",
            against="finite",
            when=_is_lazy,
        ),
        quantity.decreasing(
            "turn",
            "scale",
            "the larger the start, the less neurons turn",
            help="mean angle by which neurons turned, in degrees, weighted by their final mass",
        ),
        quantity.equal(
            "chance_mass",
            Allowance(0.005, of="prediction"),
            "a mean over 400,000 random neurons; what is left is chance",
            help="mass of a random network over alpha^2",
        ),
        quantity.equal(
            "chance_share",
            Allowance(0.01, of="prediction"),
            "a mean over 400,000 random neurons; what is left is chance",
            help="share of its mass within 15 degrees of the teacher's neurons of the same sign",
        ),
        quantity.reported("test_error", help="squared error on new samples over the labels' second moment"),
    )
    views = (
        view.Trajectory(
            ("v > 0", "v < 0"), "$w_1$, at log radius", "$w_2$, at log radius", references=("teacher",),
            by="scale", by_values=(0.01, 1, 10),
            title="hidden neurons",
        ),
        view.Curve(
            "scale", (0.01, 0.1, 1, 10, 100), ("aligned_mass", "total_mass", "turn", "test_error"), log_x=True,
            log_y=True,
        ),
    )  # fmt: skip
    presets = {
        "non-lazy": {"scale": 0.01},
        "between": {"scale": 1},
        "lazy": {"scale": 10},
        "two-teachers": {"scale": 0.01, "rank": 2},
    }
    default_seeds = 24
    engine = "dense"
    convention = CONVENTION

    def check(self) -> None:
        refuse_impossible_nets(self.samples, self.neurons, doubled=True)
        if self.samples < 3 * self.rank:
            raise InputError(f"samples = {self.samples} is not allowed; it must be at least {3 * self.rank}")

    def predict(self) -> Prediction:
        near, mass = aligned_share_at_random(self.rank, NEAR), mass_at_random(2, 1.0)
        values = {"chance_mass": mass, "chance_share": near}
        if self.scale <= RICH:
            values |= {"aligned_mass": 1.0, "total_mass": float(self.rank)}
        elif _is_lazy(self):
            values |= {"aligned_mass": near, "total_mass": mass_at_random(2, self.scale)}
        return Prediction(values, "alpha to 0 (all mass at the teacher) or to infinity (nothing turns)")

    def measure(self, run: Run) -> Measurement:
        rng = run.streams.child("data").generator()
        x, fresh = (circle(rng.random(size)) for size in (self.samples, TEST_POINTS))
        y, unseen = (teacher(RELU, z, self.rank) for z in (x, fresh))
        start = start_network(RELU, 2, self.neurons, self.scale, run.streams.child("network"))
        film = Film(MOST_KEPT)

        def is_fitted(state: TwoLayerState) -> bool:
            film.see(state.network)
            return state.residual <= STOP

        found = learners.run(TwoLayerDescent(x, y), start, steps=MOST_STEPS, stop=is_fitted).last
        finite: dict[str, float] = {}
        if self.scale <= RICH:
            finite = {"aligned_mass": 1.0, "total_mass": float(self.rank)}
        elif _is_lazy(self):
            flow = kernel_flow(start.tangent_kernel(x), y, found.residual)
            lazy = start.moved_by(start.jacobian(x).T @ flow.dual)
            finite = {**self.masses_of(start), "log_turn": float(np.log(mean_turn(start, lazy)))}
        many = start_network(RELU, 2, MANY, 1.0, run.streams.child("many"), doubled=False)
        chance = self.masses_of(many)
        return Measurement(
            {
                **self.masses_of(found.network),
                "chance_mass": chance["total_mass"],
                "chance_share": chance["aligned_mass"],
                "turn": mean_turn(start, found.network),
                "log_turn": float(np.log(mean_turn(start, found.network))),
                "test_error": relative_error(found.network(fresh), unseen),
            },
            finite=finite,
            paths=self.paths_of([*film.seen, found.network]),
        )

    def masses_of(self, net: ScaledNetwork) -> dict[str, float]:
        near = mass_near(net, np.eye(2)[: self.rank], signs(self.rank), NEAR)
        total = float(net.masses().sum())
        return {"aligned_mass": near / total, "total_mass": total}

    def paths_of(self, seen: list[ScaledNetwork]) -> dict[str, list[Curve]]:
        """Each neuron's way, at moments between which the neurons together went equally far in the picture."""
        masses = np.array([net.masses() for net in seen])
        radius = np.maximum(0.0, 1 + np.log10(np.maximum(masses, 1e-300) / masses.max()) / DECADES)
        directions = np.array([net.weights / np.linalg.norm(net.weights, axis=1)[:, None] for net in seen])
        places = radius[:, :, None] * directions
        length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=(1, 2)))])
        moments = np.unique(np.searchsorted(length, np.linspace(0, length[-1], FRAMES) * (1 - 1e-12)))
        up = seen[-1].second_layer > 0
        teachers = np.eye(2)[: self.rank]
        return {
            "v > 0": [_way(places[moments, unit]) for unit in np.flatnonzero(up)],
            "v < 0": [_way(places[moments, unit]) for unit in np.flatnonzero(~up)],
            "teacher": [_way(np.stack([0 * e, 1.15 * e])) for e in teachers],
        }

    def cost(self) -> Cost:
        n, m = self.samples, self.neurons
        return Cost(
            MOST_STEPS * (n * m * 80.0 + n * n * m / 10 + 1e5),
            8.0 * (20 * n * m + (TEST_POINTS + 4 * MOST_KEPT) * m) + 5.5e7,
        )


def _way(places: Array) -> Curve:
    return Curve(places[:, 0], places[:, 1], "w_1")
