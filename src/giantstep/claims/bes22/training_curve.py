"""[bes22] prediction risk and alignment with the teacher against the number of gradient steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import (
    Allowance,
    Cost,
    Curve,
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
from giantstep.claims.bes22._proportional import LITTLE, in_window
from giantstep.claims.bes22._ridge import (
    AFTER_STEPS,
    UNEQUAL,
    RepeatedStepsClaim,
    exact_share,
    not_gaussian,
    unequal_lengths,
)
from giantstep.learners import operator_norm, top_direction
from giantstep.learners.networks import Network
from giantstep.learners.training import rank_one_steps
from giantstep.theory.dynamics import equivalent_step, feedback, step_length
from giantstep.theory.ridge import asymptotic_risk
from giantstep.theory.spectra import left_overlap, weight_spike


def risk_part(point: TrainingCurve) -> float:
    """2 % and 2.5 theta1^2/N, and what unequal lengths of neurons do; for steps that grow with N 2 to 4 %, from exact
    covariances."""
    return exact_share(point) if point.step_exponent > 0 else 0.02 + not_gaussian(point) + unequal_lengths(point)


def alignment_allowance(point: TrainingCurve, predicted: float) -> float:  # noqa: ARG001
    """0.03 at d = 500; in the window of relative width d^(-1/3) around the threshold up to three times that; and as
    much again when theta1^2/N is not small: neurons are then nonlinear along the step, and so is the output."""
    if not point.steps:
        return 0.03
    spike = weight_spike(equivalent_step(point.trained_setting(), point.neurons))
    share = spike.theta1**2 / point.neurons
    return float(in_window(point.d, spike.theta1, spike.threshold) + 0.03 * share / (1 + share))


@named(
    "bes22/training-curve",
    kind="figure",
    cite="bes22",
    version=3,
    where="slides 'Future directions', figures 'Prediction risk vs. time step t' and 'Alignment with teacher f*'",
    finding=(
        "The theory for a fixed number of steps of constant size neglects the network's output: t steps on one batch "
        "are then one step of size t eta. But the output pulls back, by a share q = eta mu1^2/sqrt(N) a step, which is "
        "of order 1 for eta = sqrt(N): on one batch the alignment goes on growing with t instead of staying where the "
        "first step left it. With this feedback the rank-one theory describes large steps too. The observation that "
        "features change most in the early phase has the same reason: what is learned leaves the labels, and steps get "
        "shorter (movement): 8.0, 2.6, ..., 0.9 in the first, second and sixth step of size sqrt(N)."
    ),
)
class TrainingCurve(RepeatedStepsClaim):
    """Step by step the weights turn towards the teacher and the risk falls, most for large steps on fresh batches.

    After each of t = 0, 1, 2, ... gradient steps of size eta = step N^step_exponent, on the same batch or on fresh
    ones, ridge regression on the features is fitted to data of its own. Alignment is the squared overlap of the top
    left singular vector of W_t with the linear direction of f*: it stays at chance until the steps together pass the
    threshold of the spike. The predicted alignment is that of one step with the theta1 and theta2 of t steps, the
    network's output taken into account, and so is the length of each step. The risk is judged against the
    deterministic equivalent for the weights drawn: that of Gaussian features for steps of constant size, of exact
    covariances for growing ones, whose limit is unknown.
    """

    d: int = parameters.dimension(200)
    neurons_per_dim: float = parameters.neurons_per_dim(1.5)
    noise: float = parameters.noise(0.2)
    step: float = parameters.step(1.0, help="step size at exponent 0, in the slide's convention", symbol="c", ge=0)
    step_exponent: float = parameters.step_exponent(0.0)
    steps: int = parameters.steps(6, path=True, ge=0)

    quantities = (
        quantity.equal(
            "risk", Allowance(risk_part, of="prediction"),
            "2 % for the equivalent at finite N; Gaussian equivalence fails by some theta1(t)^2/N, and with the exact "
            "covariance up to 4 % is seen where that is not small",
            help="risk of ridge regression on the features after t steps", symbol=r"\mathcal{R}(t)",
            over="steps", against="finite", limit=AFTER_STEPS + Allowance(not_gaussian, of="prediction") + UNEQUAL,
        ),
        quantity.equal(
            "alignment", alignment_allowance, "order d^(-1/2), more in the critical window of relative width d^(-1/3), "
            "and as much again for large steps, whose output is not linear",
            help="squared overlap of the top left singular vector of W_t with the linear direction of f*",
            symbol=r"\langle u_1(t), \beta_*\rangle^2",
            over="steps", against="finite", when=lambda point: not point.overshoots,
        ),
        quantity.at_most(
            "movement", Allowance(0.03, of="prediction"), "the residual of the gradient adds a few times 1/N; neurons "
            "that saturate make later steps shorter still", over="steps", against="finite",
            help="change of the weights in step t, in operator norm: at most what the output leaves of the labels",
            symbol=r"\|W_t - W_{t-1}\|",
            when=lambda point: point.steps > 0 and not point.overshoots,
        ),
    )  # fmt: skip
    views = (
        view.Time(("risk", "alignment"), by="step_exponent", by_values=(0, 0.5), title="the same batch"),
        view.Time(
            ("risk", "alignment"), by="step_exponent", by_values=(0, 0.5), at={"batch": "fresh"}, title="fresh batches"
        ),
        view.Time(
            ("movement",), by="batch", by_values=("same", "fresh"), at={"step_exponent": 0.5}, title="length of a step"
        ),
        view.Time(
            ("risk", "alignment"), title="ReLU, a target with a mean, more noise",
            at={
                "activation": "centered(relu)", "target": "relu(x1) + 1/4", "samples_per_dim": 3,
                "neurons_per_dim": 0.8, "noise": 0.5, "steps": 4, "d": 300,
            },
        ),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            "steps that do not grow with N add at most a tenth to the squared lengths of neurons",
            lambda point: point.step_exponent > 0 or max(point.added_variance, unequal_lengths(point)) <= LITTLE,
            ("risk",),
        ),
    )
    printed = (
        Printed(
            "alignment", "t steps on one batch are one step of size t eta: the output of the network is neglected.",
            lambda point: point.alignment_without_output(),
        ),
    )  # fmt: skip
    presets = {
        "small": {"step_exponent": 0},
        "large": {"step_exponent": 0.5},
        "fresh": {"step_exponent": 0, "batch": "fresh"},
        "large-fresh": {"step_exponent": 0.5, "batch": "fresh"},
    }
    default_seeds = 40  # around the threshold the alignment scatters by 0.1 from draw to draw

    @property
    def overshoots(self) -> bool:
        """Whether the output swings beyond the labels at each step, where the linear theory ends."""
        return feedback(self.trained_setting(1), self.neurons) >= 2

    def predict(self) -> Prediction:
        settings = [self.trained_setting(t) for t in range(1, self.steps + 1)]
        values, notes = dict[str, Curve](), list[str]()
        if self.step_exponent == 0:
            start = float(asymptotic_risk(self.setting(), self.ridge).initial)
            values["risk"] = _over_time([start, *(float(asymptotic_risk(s, self.ridge).trained) for s in settings)])
        else:
            notes.append("steps that grow with N are outside the theorem: no limit of the risk is known")
        if self.overshoots:
            notes.append("steps are so large that the output overshoots: no alignment is predicted")
        else:
            spikes = [weight_spike(equivalent_step(s, self.neurons)) for s in settings]
            values["alignment"] = _over_time([0.0, *(s.left_alignment for s in spikes)])
            if settings:
                values["movement"] = _over_time([step_length(s, self.neurons) for s in settings], first=1)
        if settings:
            neglected = weight_spike(settings[-1]).left_alignment
            notes.append(f"with the network's output neglected, the last alignment would be {neglected:.4g}")
        regime = "n, N, d to infinity in proportion, a fixed number of steps of order 1"
        return Prediction(values, regime, tuple(notes))

    def alignment_without_output(self) -> Curve:
        """The predicted alignment if the output of the network is neglected, as it is in the theorem."""
        settings = (self.trained_setting(t) for t in range(1, self.steps + 1))
        return _over_time([0.0, *(weight_spike(s).left_alignment for s in settings)])

    def predicted_for(self, net: Network, steps: int, run: Run) -> tuple[Array, Array]:
        """Predicted alignments and lengths of steps for the data and the second layer drawn, of their rank-one part."""
        size, found, before, lengths = float(net.second_layer @ net.second_layer) ** 0.5, [], np.zeros(self.d), []
        for moved in rank_one_steps(net, lambda number: self.batch_of_step(number, run), self.eta, steps):
            length = float(np.linalg.norm(moved))
            lengths.append(size * float(np.linalg.norm(moved - before)))
            before = moved
            towards = float(moved @ self.linear_direction() / length) ** 2 if length > 0 else 0.0
            found.append(towards * float(left_overlap(length * size, self.neurons / self.d)))
        return np.array(found), np.array(lengths[1:])

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        named, direction = points[0], points[0].linear_direction()
        ridges, most = sorted({p.ridge for p in points}), max(p.steps for p in points)
        risks_of = named.measured_and_exact_risks if named.step_exponent > 0 else named.measured_and_equivalent_risks
        alignments, risks, moves, before = [], [], [], named.network(run.streams)
        predicted, lengths = named.predicted_for(before, 0 if named.overshoots else most, run)
        for number, net in enumerate(named.networks(most, run)):
            if number:
                moves.append(operator_norm(net.weights - before.weights))
            before = net
            alignments.append(float((top_direction(net.weights) @ direction) ** 2))
            risks.append(risks_of(net, ridges, run))
            run.progress((number + 1) / (most + 1))
        found = []
        for point in points:
            until = slice(point.steps + 1)
            measured, equivalent = np.array(risks)[until, :, ridges.index(point.ridge)].T
            values = {"risk": _over_time(measured), "alignment": _over_time(alignments[until])}
            foreseen = {} if named.overshoots else {"alignment": _over_time(predicted[until])}
            if point.steps:
                values["movement"] = _over_time(moves[: point.steps], first=1)
                foreseen.update({} if named.overshoots else {"movement": _over_time(lengths[: point.steps], first=1)})
            found.append(Measurement(values, {"risk": _over_time(equivalent), **foreseen}))
        return found

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        fit = n * width * (2 * d + width) + 200 * width**2 + 2 * min(n, width) ** 3
        spectra = 10 * min(d, width) ** 3 + (25 * width**3 if self.step_exponent > 0 else 10 * min(d, width) ** 3)
        one = 1e9 + 4 * n * d * width + fit + spectra
        return Cost(one * (self.steps + 1.0), 8 * (5 * d * width + 6 * width**2) + 2e7, 0.02 * one)


def _over_time(values: Sequence[float] | Array, first: int = 0) -> Curve:
    return Curve(np.arange(first, first + len(values), dtype=np.float64), np.asarray(values), "time step t")
