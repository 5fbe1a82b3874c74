"""[dklps23] one-pass SGD: the equations of Saad and Solla, their mean-field limit, and the time to escape the start."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import Claim, Cost, Curve, Measurement, Prediction, Run, Value, named, parameters, quantity, view
from giantstep.claims.dklps23._online import (
    COMMITTEE,
    CUBIC,
    LINEAR,
    NOISY,
    RATIO,
    RELU,
    SQUARE,
    alignment_allowance,
    escape_samples,
    free,
    gamma_at,
    given_start,
    mean_alignment,
    measured_escape,
    on_sphere,
    risk_allowance,
    solution,
)
from giantstep.errors import InputError
from giantstep.learners.engines.online import OnlineSGD, online_risk, random_replicas, replicas_at
from giantstep.problems import Problem, single_index_parts
from giantstep.theory.dynamics import OnlineSetting, asymptotic_exponent

PLACES = 21  # of a curve over time
LEAST = 32  # smallest d of an escape: at d/4 a start is still away from the level of escape
MAX_STEPS = 30_000_000
ESCAPES = ((LINEAR, (64, 256, 1024)), (SQUARE, (64, 128, 256)), (CUBIC, (32, 64)))


@named(
    "dklps23/sgd-limit",
    kind="theorem",
    cite="dklps23",
    where="slides 'Study of SGD' (Saad & Solla '95; Rotskoff & Vanden-Eijnden, Mei et al. '18)",
    finding=(
        "The differential equations do not describe the escape from a random start when the information exponent l is "
        "2 or more: while it lasts, the noise of the samples moves the overlap by as much as the start itself, at any "
        "d. Started from the overlaps drawn, they come too late by a constant factor (1.3 for l = 3 here; for l = 2 "
        "it tends to 1 like 1/log d). A diffusion of the overlap gives the escape times."
    ),
)
class SgdLimit(Claim):
    """One-pass SGD follows the equations of Saad and Solla, and for small steps the population's gradient flow.

    With one fresh sample a step and steps of order 1/d, the overlaps M and Q of the neurons follow ordinary
    differential equations as d grows, with a noise term in proportion to step/p. It vanishes for small steps and,
    since the network carries 1/p, for many neurons: the mean-field limit, gradient flow on the population risk. From
    a random start on the sphere (constraint = sphere: one neuron, normalised after every step), a target of information
    exponent l is found after n ~ d samples for l = 1, d log d for l = 2, and d^(l-1) for l > 2, where the step must
    shrink like d^(1 - l/2).
    """

    activation: parameters.Activation = parameters.activation(str(COMMITTEE["activation"]))
    target: parameters.Target = parameters.target(str(COMMITTEE["target"]))
    d: int = parameters.dimension(200, ge=4)
    neurons: int = parameters.neurons(2)
    step: float = parameters.step(
        4.0, symbol=r"\gamma",
        help="a neuron moves by step/d times minus its gradient; on the sphere times d^(1 - l/2) if l > 2",
    )  # fmt: skip
    time: float = parameters.own(120.0, "time of the flow: step * samples / (neurons * d)", symbol=r"\tau", gt=0)
    overlap: float = parameters.own(
        0.3, "start of neuron i along direction i (modulo r); 0 draws it from the sphere", symbol="m_0", ge=0, le=0.99
    )
    noise: float = parameters.noise(0.0)
    constraint: Literal["free", "sphere"] = parameters.own(
        "free", "weights move freely, or one neuron stays on the sphere and its escape is timed"
    )
    replicas: int = parameters.own(16, "runs of one seed, done together", symbol="R", ge=1, le=100_000)

    quantities = (
        quantity.equal(
            "risk", risk_allowance, "the mean over runs differs from the limit by some 1/d",
            help="E (f - f*)^2 against time", symbol=r"\mathcal{R}(\tau)",
            against="finite", limit=risk_allowance, when=free,
        ),
        quantity.equal(
            "alignment", alignment_allowance, "the mean over runs differs from the limit by some 1/d",
            help="share of the target's directions in a neuron, mean over neurons", symbol=r"|P_{V^*} w|^2/|w|^2",
            against="finite", limit=alignment_allowance, when=free,
        ),
        quantity.equal(
            "final_risk", risk_allowance, "the mean over runs differs from the limit by some 1/d",
            help="risk at the end", symbol=r"\mathcal{R}", against="finite", limit=risk_allowance, when=free,
        ),
        quantity.reported("flow_risk", help="risk of the population's gradient flow at the same time"),
        quantity.equal(
            "escape_time", lambda point, predicted: 4 / point.d * predicted,
            "steps are not small beside the overlap, which they move by 1/d: 2/d to 4/d at d = 16 to 64",
            help="samples after which half of the runs have had an overlap of 1/2", symbol="n", when=on_sphere,
        ),
        quantity.equal(
            "exponent", lambda point, predicted: 14 / point.d, "that of the escape times, mostly at d/4",
            help="log(n(d)/n(d/4)) / log 4", against="finite", when=on_sphere,
            limit=lambda point, predicted: 2 / point.d**0.5 + 16 / point.d,
        ),
        quantity.reported(
            "ode_time", help="escape time of the differential equation, without noise, from a typical start",
        ),
    )  # fmt: skip
    views = (
        view.Time(("risk", "alignment"), by="step", by_values=(4, 8), log_y=True, title="committee of two, erf"),
        view.Time(("risk", "alignment"), at=RELU, log_y=True, title="committee of two, relu"),
        view.Curve(
            "step", (1, 2, 4, 8), ("final_risk",), at=NOISY, bounds=("flow_risk",), log_x=True, log_y=True,
            title="small steps: towards the flow",
        ),
        view.Curve(
            "neurons", (2, 4, 8), ("final_risk",), at={**NOISY, "step": 8}, bounds=("flow_risk",), log_x=True,
            log_y=True, title="many neurons: towards the flow",
        ),
        *(
            view.Curve(
                "d", sizes, ("escape_time",), at=at, bounds=("ode_time",), log_x=True, log_y=True, seeds=12,
                title=f"escape, information exponent {k}",
            )
            for k, (at, sizes) in enumerate(ESCAPES, 1)
        ),
    )  # fmt: skip
    presets = {
        "saad-solla": COMMITTEE,
        "graded": {**COMMITTEE, "target": "(erf(x1/sqrt(2)) + erf(x2))/2"},
        "relu": RELU,
        "tanh": {"target": "(tanh(x1) + tanh(x2))/2", "activation": "tanh", "step": 2, "time": 40},
        "random-start": {**COMMITTEE, "overlap": 0, "d": 1000, "time": 20},
        "mean-field": {**COMMITTEE, **NOISY, "neurons": 8, "step": 2},
        "information-exponent-1": LINEAR,
        "information-exponent-2": SQUARE,
        "information-exponent-3": CUBIC,
    }
    default_seeds = 8
    line_places = 13
    engine = "reduced"
    convention = "f = (1/p) sum of neurons, loss 1/2 (y - f)^2: w_i += step/(p d) (y - f) sigma'(h_i) x"

    @property
    def gamma(self) -> float:
        """The step at this d."""
        return gamma_at(self.target, self.step, self.d) if self.constraint == "sphere" else self.step

    @property
    def rate(self) -> float:
        """s of the step w_i += s (y - f) sigma'(h_i) x."""
        return self.gamma / (self.neurons * self.d)

    @property
    def rule_error(self) -> float:
        """What averages by points may add to the error of a curve: a percent at most was seen; closed forms nothing."""
        return 0.0 if self.setting().averages()[1] is None else 0.01

    def record(self) -> list[int]:
        """The numbers of samples after which the risk is computed."""
        return [round(t / self.rate) for t in np.linspace(0.0, self.time, PLACES)]

    def setting(self, flow: bool = False) -> OnlineSetting:
        p, kappa = self.neurons, 0.0 if flow else self.gamma / self.neurons
        return OnlineSetting(self.target, self.activation, (1 / p,) * p, (1.0,) * p, kappa, self.noise)

    def escape(self, d: int) -> tuple[float, float]:
        """Predicted samples until half of the runs have escaped, with and without noise."""
        return escape_samples(self.activation, self.target, self.step, self.noise, d)

    def check(self) -> None:
        r = self.target.directions
        if self.neurons + r > self.d:
            raise InputError(f"{self.neurons} neurons and {r} directions do not fit in d = {self.d}; raise d")
        if self.constraint == "free":
            if not self.target.is_polynomial and single_index_parts(self.target) is None:
                raise InputError("the target must be a polynomial or a sum of functions of one direction each")
            self.setting().averages()  # refuses what cannot be averaged over
            least, most, samples = PLACES, MAX_STEPS, float(self.record()[-1])
        elif self.neurons != 1 or r != 1 or self.d < LEAST:
            raise InputError(f"escape on the sphere is that of 1 neuron towards x1, with d = {LEAST} or more")
        else:
            least, most, samples = 1, MAX_STEPS // 10, self.escape(self.d)[0]
        if not least <= samples <= most:
            hint = "take another step, time or d, or an activation that sees the target"
            raise InputError(f"this takes {samples:.3g} samples, {least} to {most:.0e} are allowed; {hint}")

    def named(self, risk: Array, alignment: Array) -> dict[str, Value]:
        x, name = np.linspace(0.0, self.time, PLACES), "time step n / (p d)"
        return {"risk": Curve(x, risk, name), "alignment": Curve(x, alignment, name), "final_risk": float(risk[-1])}

    def solved(self, m: Array, q: Array, flow: bool = False) -> dict[str, Value]:
        """What the equations say from this start on."""
        found = solution(self.setting(flow), m, q, tuple(n * self.rate for n in self.record()))
        return self.named(found.risk, mean_alignment(found.overlaps, found.gram))

    def predict(self) -> Prediction:
        if self.constraint == "sphere":
            noisy, smooth = self.escape(self.d)
            exponent = asymptotic_exponent(self.target.information_exponent or 1, self.d, RATIO)
            values = {"escape_time": noisy, "exponent": exponent}
            note = f"information exponent {self.target.information_exponent}; step at this d {self.gamma:.3g}"
            known = {"ode_time": smooth} if math.isfinite(smooth) else {}
            return Prediction({**values, **known}, "large d; the exponent for d to infinity", (note,))
        regime = "d to infinity at fixed step; for step/p to 0 gradient flow on the population risk"
        if not self.overlap:
            return Prediction({}, regime, ("the start is drawn: the equations are solved for each draw",))
        start = given_start(self.neurons, self.target.directions, self.overlap)
        if self.rule_error:
            return Prediction(self.solved(*start), regime, ("averages by points, not in closed form; no flow",))
        flow = self.solved(*start, flow=True)["final_risk"]
        return Prediction({**self.solved(*start), "flow_risk": flow}, regime)

    def measure(self, run: Run) -> Measurement:
        if self.constraint == "sphere":
            return measured_escape(self, run)
        problem, p, r = Problem(self.target, self.d, self.noise), self.neurons, self.target.directions
        start = random_replicas(self.activation, self.d, p, r, 1, run.streams.child("start"))
        if self.overlap:
            start = replicas_at(*given_start(p, r, self.overlap), self.activation, self.d)
        path = learners.run(
            OnlineSGD(problem, self.rate, run.streams.child("data")),
            start.repeated(self.replicas),
            times=np.unique(self.record()),
            watch=("overlaps", "gram"),
            progress=run.progress,
        )
        risk = online_risk(path, problem).mean(axis=1)
        alignment = mean_alignment(path["overlaps"], path["gram"]).mean(axis=1)
        finite = self.solved(start.overlaps[:, :, 0], start.gram[:, :, 0])
        return Measurement(self.named(risk, alignment), finite)

    def cost(self) -> Cost:
        samples = self.escape(self.d)[0] * 1.2 if self.constraint == "sphere" else self.record()[-1]
        axes = self.neurons + self.target.directions
        per_sample = 2e6 + 900.0 * self.replicas * self.neurons * axes
        return Cost(samples * per_sample + 3e9, 8.0 * 256 * self.replicas * (axes + 4) + 5e7)
