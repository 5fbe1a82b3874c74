"""[bes22] a step of size sqrt(N) takes ridge regression below what any kernel of the proportional regime reaches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.bes22._proportional import GrowingStepClaim
from giantstep.claims.bes22._ridge import EXACT, FeaturesClaim
from giantstep.claims.bundle import Bundle
from giantstep.errors import InputError
from giantstep.learners import smoothed_misfit, unseen_part
from giantstep.learners.training import FirstGradient
from giantstep.theory.ridge import (
    asymptotic_risk,
    floor_at,
    imitation,
    kernel_lower_bound,
    large_step_floor,
    ridge_window,
)

GRID = tuple(float(v) for v in np.geomspace(1e-4, 1e2, 31))  # penalties among which the oracle chooses


def learned_part(point: LargeStep) -> float:
    """eta^2/N, of which order is the variance that the step adds to a preactivation, and with it what the features may
    have learned of P_{>1} f*; nothing where they have nothing in common with it."""
    return point.eta**2 / point.neurons if imitation(point.target, point.activation).learns_more else 0.0


@named(
    "bes22/large-step",
    kind="theorem",
    cite="bes22",
    version=2,
    where="slides 'Analysis of large learning rate', lemma on tau* and theorem on R_GD",
    finding=(
        "In the middle of the theorem's window of penalties, N n^(e-1) < lambda < N n^-e, the risk at eta = sqrt(N) "
        "and psi1 = 8 stays well above |P_{>1} f*|^2 (risk_window), for the best penalties lie below the window; a "
        "larger step and more samples cross inside it too (eta = 4 sqrt(N), psi1 = 16: 0.036 for a bound of 0.040). "
        "So the penalty is tuned here, by an oracle that sees the test risk. The slides' tau* has no output scale, "
        "though the second layer is free: with one, sin/sin has tau* = 0 instead of 0.063; the prediction gives both. "
        "Their caution has a sharp reason: a ReLU neuron has no odd component but the linear one, however large the "
        "step, so that on an odd target it never crosses."
    ),
)
class LargeStep(GrowingStepClaim, FeaturesClaim):
    """One step of size sqrt(N) takes the risk below the bound of all kernels; steps of constant size never do.

    With eta = step N^step_exponent the risk of ridge regression on the features falls as the exponent grows from 0 to
    1/2. At 0 features are linear in disguise and the risk stays above |P_{>1} f*|^2; at 1/2, with samples and neurons
    enough and a neuron that can imitate the target (tau* small: erf on erf, tanh on tanh), it falls below. One step
    shows the network one direction, so the risk stays above a floor that shrinks like 1/psi1. The risk is judged
    against the deterministic equivalent with the exact covariance of the features, weights as drawn: beyond Gaussian
    equivalence this is an observation.
    """

    activation: parameters.Activation = parameters.activation("erf")
    target: parameters.Target = parameters.target("erf(x1)", help="what is learned, a function of one direction")
    d: int = parameters.dimension(200)
    samples_per_dim: float = parameters.samples_per_dim(8.0)
    neurons_per_dim: float = parameters.neurons_per_dim(2.0)
    ridge: float | None = parameters.ridge(None, help="ridge penalty; without it the best of a grid for each draw")

    quantities = (
        quantity.equal(
            "risk", EXACT, "judged against the deterministic equivalent for the features drawn, right to order 1/N; no "
            "theorem: 1 % is seen up to eta = sqrt(N), 3 % for steps some times larger",
            help="risk of ridge regression after the step, at the penalty given or the best one",
            symbol=r"\mathcal{R}_{GD}", against="finite",
        ),
        quantity.at_least(
            "lower_bound", Allowance(learned_part, of="prediction"),
            "at finite N the features are nonlinear along the step by a share of eta^2/N",
            help="|P_{>1} f*|^2, above which the risk stays for eta up to N^(1/4), and for any eta if activation and "
            "target have no Hermite component beyond the linear one in common", symbol=r"\|P_{>1}f^*\|^2",
            when=lambda point: point.eta <= point.neurons**0.25 or learned_part(point) == 0,
        ),
        quantity.at_most(
            "crossing", 0, "the theorem allows psi1 to be as large as needed; the claim speaks where there is room",
            help="|P_{>1} f*|^2, below which the risk falls at eta = sqrt(N) if 16 tau* is smaller, with samples and "
            "neurons enough", when=lambda point: point.crosses,
        ),
        quantity.at_least(
            "floor", 0, "it is approached from above, when the second layer has many samples of its own",
            help="what one step cannot learn, for it sees one direction with an error of order 1/psi1",
            symbol=r"\sum_k c_k^2 (1 - \rho^{2k})",
        ),
        quantity.equal(
            "unseen", Allowance(0.02, of="prediction") + Allowance(1e-4),
            "a polynomial of degree 15 takes the place of any function; the direction of the step has no bias",
            help="error of the best function of <x, X^T y> plus a linear one, fitted to samples: the floor itself",
            symbol=r"\sum_k c_k^2 (1 - \rho^{2k})", against="finite", limit=Allowance(10, of="prediction", power=-1),
        ),
        quantity.equal(
            "tau_star", Allowance(0.02, of="prediction") + Allowance(1e-5),
            "the neuron is smoothed by samples, the best gain found on a grid of steps of 4 %",
            help="error of the best smoothed neuron, no output scale", symbol=r"\tau^*",
        ),
        quantity.reported("risk_window", help="the risk at lambda = N/sqrt(n), the middle of the theorem's window"),
    )  # fmt: skip
    views = (
        view.Curve(
            "step_exponent", "0:0.5:6", ("risk",), by="samples_per_dim", by_values=(4, 8, 16),
            bounds=("lower_bound", "floor"), title="erf learns erf: the risk crosses the kernel bound",
        ),
        view.Curve(
            "step_exponent", "0:0.5:6", ("risk",), by="activation", by_values=("tanh", "centered(relu)"),
            at={"target": "tanh(x1)"}, bounds=("lower_bound", "floor"), title="tanh learns tanh; ReLU does not",
        ),
        view.Curve(
            "samples_per_dim", [4, 16], ("risk", "unseen"), bounds=("floor",), title="a target with a mean, noise",
            at={"activation": "gelu", "target": "relu(x1) + 1/2", "neurons_per_dim": 1.5, "noise": 1.2},
        ),
    )  # fmt: skip
    presets = {
        "slide": {"activation": "erf", "target": "erf(x1)", "step_exponent": 0.5},
        "tanh": {"activation": "tanh", "target": "tanh(x1)"},
        "no-crossing": {"activation": "centered(relu)", "target": "tanh(x1)"},
        "window": {"ridge": 10},
        "best-step": {"step": 3},
    }
    default_seeds = 12
    line_places = 13

    def check(self) -> None:
        super().check()
        if self.target.single_index is None:
            raise InputError(f"the target {self.target} is not a function of one direction; write one such as erf(x1)")

    @property
    def crosses(self) -> bool:
        """Whether the claim says that the bound is undercut: the theorem speaks, for an oracle's penalty, of psi1 large
        enough without saying how large; without noise eight samples and two neurons per dimension are."""
        spoken = self.step_exponent == 0.5 and self.ridge is None and 1 <= self.step <= 8
        enough = self.samples_per_dim >= 8 and self.neurons_per_dim >= 2 and self.noise == 0
        return spoken and enough and imitation(self.target, self.activation).beats_kernels

    def predict(self) -> Prediction:
        setting, neuron = self.setting(self.eta), imitation(self.target, self.activation)
        bound = kernel_lower_bound(setting.teacher)
        floor = float(large_step_floor(neuron.link, setting.psi1, self.noise))
        low, high = ridge_window(self.samples, self.neurons, 0.1)
        gaussian = float(np.min(asymptotic_risk(setting, GRID if self.ridge is None else self.ridge).trained))
        silent = "16 tau* is not below the bound: nothing is promised"
        promise = "16 tau* is below the bound: the theorem promises a crossing" if neuron.beats_kernels else silent
        return Prediction(
            {"lower_bound": bound, "crossing": bound, "floor": floor, "unseen": floor, "tau_star": neuron.tau.value},
            regime="n, N, d to infinity in proportion, eta = Theta(sqrt(N)), bounded activation, psi1 large enough",
            notes=(
                str(neuron),
                promise,
                f"the theorem's penalties go from {low:.3g} to {high:.3g} (e = 0.1)",
                f"Gaussian equivalence, which fails for large steps, would give the risk {gaussian:.4g}",
                *filter(None, [neuron.tau.warning]),
            ),
        )

    def one_neuron(self, first: FirstGradient, run: Run) -> tuple[dict[str, float], dict[str, float]]:
        """What one direction leaves unseen and one neuron misses, from samples; and theory for the direction drawn."""
        assert self.target.single_index is not None
        link, towards = self.target.single_index[0], float(first.direction @ self.linear_direction())
        measured = {
            "unseen": unseen_part(link, towards, run.streams.child("one direction")),
            "tau_star": smoothed_misfit(link, self.activation, run.streams.child("one neuron")),
        }
        return measured, {"unseen": float(floor_at(link, towards**2))}

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        bundle, first, named = Bundle(points), points[0].first_gradient(run), points[0]
        middle = ridge_window(named.samples, named.neurons, 0.5)[0]
        shared, foreseen = named.one_neuron(first, run)
        for eta, group in bundle.by("eta"):
            penalties = [middle, *GRID, *sorted({p.ridge for p in group if p.ridge is not None})]
            risks, equivalents = named.measured_and_exact_risks(first.after(eta), penalties, run)
            for point in group:
                # The oracle takes the best penalty of the grid, in the simulation and in theory each its own.
                among = GRID if point.ridge is None else (point.ridge,)
                chosen = [penalties.index(ridge) for ridge in among]
                risk, equivalent = float(risks[chosen].min()), float(equivalents[chosen].min())
                values = dict.fromkeys(("risk", "lower_bound", "crossing", "floor"), risk)
                measured = {**values, **shared, "risk_window": float(risks[0])}
                bundle.put(point, Measurement(measured, finite={"risk": equivalent, **foreseen}))
        return bundle.measurements()

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        one_network = n * width * (2 * d + width) + 400 * width**2 + 30 * min(n, width) ** 3 + 25 * width**3
        return Cost(4 * n * d * width + one_network, 8 * (4 * d * width + 8 * width**2) + 4e7, one_network)
