"""[bes22] the steps of the proof of Gaussian equivalence: exchanges, a central limit theorem, heads of even entries."""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.bes22._proportional import GrowingStepClaim
from giantstep.claims.bes22._ridge import RidgeClaim, not_gaussian
from giantstep.errors import InputError
from giantstep.learners.heads import Exchange, exchange, least_objective
from giantstep.learners.networks import Network
from giantstep.learners.risk import feature_moments
from giantstep.problems import whole
from giantstep.theory import Student, Teacher
from giantstep.theory.ridge import (
    equivalent_spectrum,
    gap_of_long_neurons,
    largest_entry,
    largest_neuron_length,
    largest_neuron_overlap,
    ridge_objective,
    second_moment_gap,
)

DRAWS = 8  # of the Gaussian features, over which the mean exchange is squared and averaged, and of signs of heads


def grown(point: ProofSketch) -> float:
    """3 theta1^2/N: the step adds theta1^2 a_i a_j/N, and what is largest is not what it adds most to."""
    return 3 * float(point.setting(point.eta).theta1) ** 2 / point.neurons


def longer(point: ProofSketch) -> float:
    """2 theta1^2 sqrt(d)/N, what the step adds to lengths, beside their scatter: longer neurons are those that grew."""
    return float(2 * point.setting(point.eta).theta1 ** 2 * point.d**0.5 / point.neurons)


@named(
    "bes22/proof-sketch",
    kind="lemma",
    cite="bes22",
    where="slide 'Gaussian Equivalence Theorem (continued)', proof sketch, steps 1 to 3",
    finding=(
        "All three steps hold with the stated rates, and two of them are reached: the rate N^(-1/2) of the central "
        "limit theorem by a head that weighs the longer half of the neurons, whose second moment is off by "
        "|E[z s s'] - mu1^2| 2/sqrt(pi d); the mean exchange N^(-3/2) by chance alone, for single "
        "ones are of order 1/N and of both signs. Fresh samples are needed: on the step's own the "
        "objective falls below the theory (same_objective). The entries of the trained head are as even as can "
        "be: the largest is that of N Gaussian ones."
    ),
)
class ProofSketch(GrowingStepClaim, RidgeClaim):
    """Exchanging features for Gaussian ones, one sample at a time, moves the objective by less and less.

    Features s(W1 x) and mu1 W1 x + mu2 z give ridge regression objectives that both have the limit (lambda/kappa)(E y^2
    - c'(Omega + kappa)^-1 c). One exchange moves the objective by order 1/N, the mean of all n by N^(-3/2). A head g
    sees E <phi, g>^2 of both differ by N^(-1/2) at most. Neurons are nearly orthogonal, with the overlaps and lengths
    of Gaussian vectors, and the largest entry of the trained head is that of N Gaussian ones: of order sqrt(2 ln N).
    """

    d: int = parameters.dimension(128)
    neurons_per_dim: float = parameters.neurons_per_dim(1.5)
    noise: float = parameters.noise(0.2)
    step: float = parameters.step(2.0, help="step size at exponent 0, in the slide's convention", symbol="c", ge=0)
    step_exponent: float = parameters.step_exponent(0.0, le=0.25)

    quantities = (
        quantity.slope(
            "swap", "d", -1, 0.06, "corrections of relative order 1/d",
            help="change by one exchange: root mean square per neuron, as a power of the size",
            symbol=r"|L_k - L_{k-1}|/N",
        ),
        quantity.slope(
            "mean_swap", "d", -1.5, 0.2, "a drift of the mean, of order 1/N^2, is not seen yet",
            help="mean change by all exchanges, its root mean square over draws, as a power of the size",
            symbol=r"|\mathbb{E}(L_k - L_{k-1})|/N",
        ),
        *quantity.equals(
            {
                "objective": ("least objective of ridge regression on the trained features", "L_0/n"),
                "equivalent_objective": ("objective on Gaussian features: the same on their equivalent", "L_n/n"),
            },
            Allowance(0.02, of="prediction") + Allowance(not_gaussian, of="prediction"),
            "judged against the deterministic equivalent for the weights drawn, right to order 1/N",
            against="finite",
        ),
        quantity.at_most(
            "same_objective", 0, "features that have seen the noise of these labels fit it: the gap is of order 1",
            help="objective on the step's own samples: it falls below the theory of fresh ones",
            symbol=r"L_0/n", against="finite", when=lambda point: point.eta >= 2,
        ),
        quantity.equal(
            "clt_gap", Allowance(0.03, of="prediction"), "overlaps of neurons, which are left out, add order 1/d",
            against="finite", limit=Allowance(0.05, of="prediction") + Allowance(longer, of="prediction"),
            help="distance of the two laws along a head: of E <phi, g>^2 on both features, "
            "g with +-sqrt(2) on the longer half of the neurons",
            symbol=r"|\mathbb{E}\langle\phi, g\rangle^2 - \mathbb{E}\langle\bar\phi, g\rangle^2|",
        ),
        quantity.slope(
            "clt_gap", "d", -0.5, 0.1, "terms of order 1/d, from growing neurons and overlaps, tilt the line",
            help="the same as a power of the size: the rate of the central limit theorem",
            symbol=r"|\mathbb{E}\langle\phi, g\rangle^2 - \mathbb{E}\langle\bar\phi, g\rangle^2|",
        ),
        quantity.equal(
            "largest_entry", Allowance(0.05, of="prediction"), "entries are Gaussian up to order 1/N, not independent",
            help="largest entry of the trained head over the root mean square of all", symbol=r"\|g\|_\infty",
        ),
        *quantity.equals(
            {
                "largest_overlap": ("largest overlap of two neurons after the step", r"\max|\langle w_i, w_j\rangle|"),
                "largest_length": ("largest distance of a squared length from 1", r"\max\,||w_j|^2 - 1|"),
            },
            Allowance(0.03, of="prediction") + Allowance(grown),
            "independent Gaussian vectors before the step, which adds theta1^2 a_i a_j/|a|^2",
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "d", (64, 128, 256), ("swap", "mean_swap"), together=True, log_x=True, log_y=True,
            y_label="change of the objective per neuron",
            title="one exchange, and the mean of all",
        ),
        view.Curve(
            "d", (64, 128, 256), ("clt_gap", "largest_overlap", "largest_length"), together=True, log_x=True,
            log_y=True,
            y_label="distance or largest overlap",
            title="two laws as a head sees them; lengths and overlaps of neurons",
        ),
        view.Curve(
            "step", [1, 2, 4], ("objective", "same_objective"), together=True,
            y_label="least objective",
            title="objective on fresh samples, and on those of the step",
        ),
        view.Curve("d", (64, 128, 256), ("largest_entry",), log_x=True, title="the largest entry of the head"),
        view.Curve(
            "ridge", [0.01, 0.1, 1], ("objective", "equivalent_objective"), together=True, log_x=True, log_y=True,
            at={"activation": "erf", "target": "relu(x1)", "samples_per_dim": 3, "neurons_per_dim": 1},
            y_label="least objective",
            title="objectives: erf learns ReLU",
        ),
    )  # fmt: skip
    presets = {"erf": {"activation": "erf", "target": "erf(x1)"}, "start": {"step": 0}}
    default_seeds = 24

    def check(self) -> None:
        super().check()
        if not self.activation.is_odd:
            raise InputError(f"the activation {self.activation} is not odd, which the theorem supposes; choose tanh")

    @property
    def student(self) -> Student:
        return Student.of(self.activation)

    def objective_for(self, weights: Array) -> float:
        """The objective's deterministic equivalent for these weights."""
        spectrum = equivalent_spectrum(self.student, Teacher.of(self.target), weights, self.linear_direction())
        return ridge_objective(spectrum, self.samples, self.ridge, self.noise)

    def predict(self) -> Prediction:
        return Prediction(
            {
                "clt_gap": gap_of_long_neurons(self.activation, self.student, self.d),
                "largest_entry": largest_entry(self.neurons),
                "largest_overlap": largest_neuron_overlap(self.d, self.neurons),
                "largest_length": largest_neuron_length(self.d, self.neurons),
            },
            regime="n, N, d to infinity in proportion, step size of order 1, odd activation",
            notes=("exchanges are known up to constants: their power of the size is judged",),
        )

    def exchanges(self, net: Network, run: Run) -> list[Exchange]:
        """The features on one sample, exchanged for independent draws of their equivalent."""
        x, y = whole(self.ridge_data(run.streams))
        generator, moments = run.streams.child("equivalent noise").generator(), self.activation.moments
        features, linear = net.features(x), moments.mu1 * (x @ net.weights.T)
        return [
            exchange(features, linear + moments.mu2 * generator.standard_normal(features.shape), y, self.ridge)
            for _ in range(DRAWS)
        ]

    def measure(self, run: Run) -> Measurement:
        first = self.first_gradient(run)
        net, (x, y) = first.after(self.eta), whole(first.sample)
        found, student = self.exchanges(net, run), self.student
        overlaps = net.weights @ net.weights.T
        lengths2 = np.diag(overlaps).copy()
        head2 = np.where(lengths2 > np.median(lengths2), 2.0, 0.0)
        signs = np.sign(run.streams.child("signs").generator().standard_normal((DRAWS, self.neurons)))
        heads, distance = signs * np.sqrt(head2), feature_moments(net, self.problem).covariance
        distance = distance - student.mu1**2 * overlaps - student.mu2_squared * np.eye(self.neurons)
        np.fill_diagonal(overlaps, 0.0)
        entries = found[0].head
        measured = {
            "swap": float(np.sqrt(np.mean([np.mean(f.swaps**2) for f in found]))) / self.neurons,
            "mean_swap": float(np.sqrt(np.mean([np.mean(f.swaps) ** 2 for f in found]))) / self.neurons,
            "objective": found[0].objective,
            "equivalent_objective": float(np.mean([f.other_objective for f in found])),
            "same_objective": least_objective(net.features(x), y, self.ridge)[0],
            "clt_gap": abs(float(np.sum((heads @ distance) * heads))) / DRAWS / self.neurons,
            "largest_entry": float(np.abs(entries).max() / np.sqrt(np.mean(entries**2))),
            "largest_overlap": float(np.abs(overlaps).max()),
            "largest_length": float(np.abs(lengths2 - 1).max()),
        }
        foreseen = dict.fromkeys(
            ("objective", "equivalent_objective", "same_objective"), self.objective_for(net.weights)
        )
        foreseen["clt_gap"] = abs(second_moment_gap(self.activation, student, lengths2, head2))
        return Measurement(measured, foreseen)

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        one = DRAWS * (8 * n * width**2 + 4 * width**3) + 40 * width**3
        return Cost(4 * n * d * width + one, 8 * (10 * n * width + 6 * width**2) + 2e7)
