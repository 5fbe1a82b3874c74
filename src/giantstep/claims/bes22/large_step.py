"""[bes22] a step of size sqrt(N) takes ridge regression below what any kernel of the proportional regime reaches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.claims import Allowance, Measurement, Prediction, Run, named, quantity, view
from giantstep.claims.bes22._large import LargeStepClaim, learned_part
from giantstep.claims.bes22._ridge import EXACT
from giantstep.claims.bundle import Bundle
from giantstep.theory.ridge import asymptotic_risk, kernel_lower_bound
from giantstep.theory.ridge.large import imitation, large_step_floor, ridge_window

ROUNDING = Allowance(1e-12)  # a target that is all linear leaves nothing
GRID = tuple(float(v) for v in np.geomspace(1e-4, 1e2, 31))  # penalties among which the oracle chooses


WIDE = {"neurons_per_dim": 4, "step": 3, "d": 80}
PUBLISHED = {"activation": "erf", "target": "erf(x1)", "neurons_per_dim": 2, "noise": 0.1, "ridge": 0.001}


@named(
    "bes22/large-step",
    kind="theorem",
    cite="bes22",
    version=3,
    where="slides 'Analysis of large learning rate', lemma on tau* and theorem on R_GD",
    finding=(
        "In the middle of the theorem's window of penalties, N n^(e-1) < lambda < N n^-e, the risk at eta = sqrt(N) "
        "and psi1 = 8 stays well above |P_{>1} f*|^2 (risk_window), for the best penalties lie below the window; a "
        "larger step and more samples cross inside it too (window_crossing: eta = 3 sqrt(N), psi1 = 32: 0.017 for a "
        "bound of 0.040, and 0.015 for 0.027; with psi1 = 16 erf is just below, 0.034, and tanh not yet, 0.030). So "
        "the penalty is tuned here, by an oracle that sees the test risk. One step shows one "
        "direction g, with an error of order 1/psi1; a function of <x, g> plus a linear one misses `unseen`, of that "
        "order. But this is no floor: from four neurons per dimension on the risk falls below it (psi = (16, 4): "
        "0.0060 for 0.0084), for neurons weighed with their initial weights give the linear part a slope that depends "
        "on <x, g>; only what is quadratic in the error of g stays unseen. The slides' tau* has no output scale, "
        "though the second layer is free: with one, sin/sin has tau* = 0 instead of 0.063; the prediction gives both. "
        "Their caution has a sharp reason: a ReLU neuron has no odd component but the linear one, however large the "
        "step, so that on an odd target it never crosses. The factor 16 before tau* is the proof's and cannot be "
        "measured: the average of neurons in bes22/tau-star reaches tau* itself, so that the theorem is true with 1 in "
        "its place too, and larger factors promise less; sin on sin, with tau* almost the bound, crosses all the same "
        "(0.046 for 0.064)."
    ),
)
class LargeStep(LargeStepClaim):
    """One step of size sqrt(N) takes the risk below the bound of all kernels; steps of constant size never do.

    With eta = step N^step_exponent the risk of ridge regression on the features falls as the exponent grows from 0 to
    1/2. At 0 features are linear in disguise and the risk stays above |P_{>1} f*|^2; at 1/2, with samples and neurons
    enough and a neuron that can imitate the target (tau* small: erf on erf, tanh on tanh), it falls below, and goes on
    falling like 1/psi1, as the theorem's bound 16 tau* + C (sqrt(tau*/psi1) + 1/psi1) does for small tau*. It stays
    above what no network can make of one direction. The risk is judged against the deterministic equivalent with the
    exact covariance of the features, weights as drawn: beyond Gaussian equivalence this is an observation.
    """

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
        quantity.slope(
            "risk", "samples_per_dim", -1, 0.15, "errors of the direction and of the head are of order 1/psi1; from "
            "psi1 = 8 on the factor 1/(1 - 1/psi1) of ridge regression tilts the line by 0.1, the width by less",
            help="the risk as a power of the samples: C/psi1, where tau* is next to nothing",
            symbol=r"\mathcal{R}_{GD}", when=lambda point: point.shows_rate,
        ),
        quantity.at_least(
            "floor", 0, "it is approached from above, when the second layer has many samples and neurons of its own",
            help="what one step cannot learn, for it sees one direction with an error of order 1/psi1",
            symbol=r"\sum_k c_k^2 (1 - \rho^{2k} - k \rho^{2k-2} (1 - \rho^2))",
        ),
        *quantity.equals(
            {
                "unseen": (
                    "what one direction and a linear part miss: error of the best function of <x, X^T y> plus a "
                    "linear one, fitted to samples",
                    r"\sum_k c_k^2 (1 - \rho^{2k})",
                ),
                "unseen_slopes": (
                    "the floor, fitted to samples: the same if the linear one may depend on <x, X^T y>",
                    r"\sum_k c_k^2 (1 - \rho^{2k} - k \rho^{2k-2} (1 - \rho^2))",
                ),
            },
            Allowance(0.02, of="prediction") + Allowance(1e-4),
            "polynomials of degree 15 take the place of any function; the direction of the step has no bias",
            against="finite", limit=Allowance(20, of="prediction", power=-1) + ROUNDING,
        ),
        quantity.equal(
            "tau_star", Allowance(0.02, of="prediction") + Allowance(1e-5),
            "the neuron is smoothed by samples, the best gain found on a grid of steps of 4 %",
            help="error of the best smoothed neuron, no output scale", symbol=r"\tau^*",
        ),
        quantity.equal(
            "risk_window", EXACT, "as the risk", symbol=r"\mathcal{R}_{GD}", against="finite",
            help="risk at the penalty of the theorem: at lambda = N/sqrt(n), the middle of its window",
        ),
        quantity.at_most(
            "window_crossing", 0, "psi1 may be as large as needed; the claim speaks where there is room",
            help="|P_{>1} f*|^2, below which the risk falls in the middle of the theorem's window of penalties, with a "
            "step, samples and neurons enough", when=lambda point: point.shows_rate and point.samples_per_dim >= 32,
        ),
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
            "samples_per_dim", [4, 16], ("risk", "unseen", "unseen_slopes"), title="a target with a mean, noise",
            at={"activation": "gelu", "target": "relu(x1) + 1/2", "neurons_per_dim": 1.5, "noise": 1.2},
        ),
        view.Curve(
            "samples_per_dim", [8, 16, 32], ("risk", "unseen", "risk_window"), at=WIDE, together=True, log_x=True,
            log_y=True, bounds=("lower_bound", "floor"), y_label="risk",
            title=r"erf, four neurons per dimension, $\eta = 3\sqrt{N}$",
        ),
        view.Curve(
            "samples_per_dim", [8, 16, 32], ("risk", "unseen", "risk_window"), together=True, log_x=True, log_y=True,
            at={**WIDE, "activation": "tanh", "target": "tanh(x1)"}, bounds=("lower_bound", "floor"), y_label="risk",
            title="the same, tanh learns tanh",
        ),
        view.Curve(
            "head_samples_per_dim", [4, 16, 64], ("risk",), at={**WIDE, "samples_per_dim": 8}, log_x=True, log_y=True,
            bounds=("unseen", "floor"), title="a head with samples of its own, eight per dimension for the step",
        ),
        view.Curve(
            "samples_per_dim", [1, 4, 8], ("risk",), by="step_exponent", by_values=(0, 0.25, 0.5),
            bounds=("lower_bound",), at={**PUBLISHED, "d": 128}, log_x=True,
            title=r"as published: $\lambda = 0.001$, noise 0.1",
        ),
        view.Curve(
            "step_exponent", (0, 0.25, 0.5), ("risk",), by="second_layer", by_values=("signs", "ones"),
            at={"d": 100, "samples_per_dim": 16, "step": 2}, bounds=("lower_bound", "floor"),
            title=r"second layers of signs and of ones: $a_j = \pm 1/\sqrt{N}$",
        ),
    )  # fmt: skip
    # Nothing fails as printed: tau* without an output scale is larger than with one, so that the theorem, which says
    # how low the risk comes at least, is as true with it. The prediction's notes give both.
    presets = {
        "slide": {"activation": "erf", "target": "erf(x1)", "step_exponent": 0.5},
        "tanh": {"activation": "tanh", "target": "tanh(x1)"},
        "no-crossing": {"activation": "centered(relu)", "target": "tanh(x1)"},
        "window": {"ridge": 10},
        "best-step": {"step": 3},
        "wide": {**WIDE, "d": 200},
        "published": {**PUBLISHED, "d": 512},
        "ones": {"second_layer": "ones", "samples_per_dim": 16, "step": 2},
    }
    default_seeds = 28
    line_places = 13

    def predict(self) -> Prediction:
        setting, neuron = self.setting(self.eta), imitation(self.target, self.activation)
        bound = kernel_lower_bound(setting.teacher)
        unseen, floor = (
            float(large_step_floor(neuron.link, setting.psi1, self.noise, slopes=s)) for s in (False, True)
        )
        low, high = ridge_window(self.head_samples, self.neurons, 0.1)
        gaussian = float(np.min(asymptotic_risk(setting, GRID if self.ridge is None else self.ridge).trained))
        silent = "16 tau* is not below the bound: nothing is promised"
        promise = "16 tau* is below the bound: the theorem promises a crossing" if neuron.beats_kernels else silent
        return Prediction(
            {
                **dict.fromkeys(("lower_bound", "crossing", "window_crossing"), bound),
                **dict.fromkeys(("floor", "unseen_slopes"), floor),
                "unseen": unseen,
                "tau_star": neuron.tau.value,
            },
            regime="n, N, d to infinity in proportion, eta = Theta(sqrt(N)), bounded activation, psi1 large enough",
            notes=(
                str(neuron),
                promise,
                f"the theorem's penalties go from {low:.3g} to {high:.3g} (e = 0.1)",
                f"Gaussian equivalence, which fails for large steps, would give the risk {gaussian:.4g}",
                *filter(None, [neuron.tau.warning]),
            ),
        )

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        bundle, first, named = Bundle(points), points[0].first_gradient(run), points[0]
        middle = ridge_window(named.head_samples, named.neurons, 0.5)[0]
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
                measured = {**values, **shared, **dict.fromkeys(("risk_window", "window_crossing"), float(risks[0]))}
                finite = {"risk": equivalent, "risk_window": float(equivalents[0]), **foreseen}
                bundle.put(point, Measurement(measured, finite))
        return bundle.measurements()
