"""[dklps23] one-pass SGD: the equations of Saad and Solla, their mean-field limit, and the time to escape the start."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import Allowance, Claim, Computed, Printed, named, parameters, quantity, view
from giantstep.claims.dklps23._sgd_hypotheses import HUGE, HYPOTHESES, LEVEL, RATIO, steps_of
from giantstep.claims.dklps23._sgd_settings import COMMITTEE, CUBIC, ERF, LINEAR, NOISY, RELU, SQUARE, start_at
from giantstep.claims.refusals import refuse_no_pull
from giantstep.errors import InputError
from giantstep.learners.engines.online import OnlineSGD, escape_steps, online_risk, random_replicas, replicas_at
from giantstep.problems import Problem, single_index_parts
from giantstep.theory.dynamics import OnlineSetting, asymptotic_exponent, escape_samples, order_parameters
from giantstep.verdicts.stating import Cost, Curve, Measurement, Prediction, Run, Value

PLACES, MAX_STEPS = 21, 30_000_000  # of a curve over time, of a run
LEAST = 32  # smallest d of an escape: at d/4 a start is still away from the level of escape
RULE = Allowance(1, of="prediction", power=1, size="rule_error")
# 2/d of the risk is typical, 5/d where neurons part; near the target the risk is a square of what is left.
SQUARED = Computed(lambda point, _: 0.05 / point.d * float(point.target.norm2), "0.05 |f*|^2/d")
RISK = Allowance(4, of="prediction", power=-1) + RULE + SQUARED
MEAN = "the mean over runs differs from the limit by some 1/d"
OF_FREE = {"against": "finite", "when": lambda point: not point.on_sphere}


@named(
    "dklps23/sgd-limit",
    kind="theorem",
    cite="dklps23",
    version=3,
    where="slides 'Study of SGD' ([saad95]; Rotskoff & Vanden-Eijnden, Mei et al. '18); times of escape [bagj21]",
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

    activation: parameters.Activation = parameters.activation(ERF)
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
    replicas: int = parameters.replicas(16)

    quantities = (
        quantity.equal("risk", RISK, MEAN, help="E (f - f*)^2 against time", symbol=r"\mathcal{R}(\tau)", **OF_FREE),
        quantity.equal(
            "alignment", Allowance(2, power=-1) + RULE, MEAN, symbol=r"|P_{V^*} w|^2/|w|^2", **OF_FREE,
            help="squared cosine of a neuron with the target's space, mean over neurons",
        ),
        quantity.equal("final_risk", RISK, MEAN, help="risk at the end", symbol=r"\mathcal{R}", **OF_FREE),
        quantity.reported("flow_risk", help="risk of the population's gradient flow at the same time"),
        quantity.equal(
            "escape_time", Allowance(4, of="prediction", power=-1),
            "steps are not small beside the overlap, which they move by 1/d: 2/d to 4/d at d = 16 to 64",
            help="samples after which half of the runs have had an overlap of 1/2",
            symbol="n", when=lambda point: point.on_sphere,
        ),
        quantity.equal(
            "exponent", Allowance(14, power=-1), "that of the escape times, mostly at d/4",
            help="log(n(d)/n(d/4)) / log 4", against="finite", when=lambda point: point.on_sphere,
        ),
        quantity.equal(
            "limit_exponent", Allowance(0.006), "1/log d of a logarithm's next term; and the grid of the equations",
            help="the same at d = 1.6e7 by the equations, against n ~ d, d log d or d^(l-1)",
            when=lambda point: point.on_sphere,
        ),
        quantity.reported("ode_time", help="escape time of the equation without noise, from a typical start"),
    )  # fmt: skip
    hypotheses = HYPOTHESES
    printed = (
        Printed("escape_time", "the equations describe the escape", lambda p: p.predict().values.get("ode_time")),
    )
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
            for k, at, sizes in ((1, LINEAR, (64, 256, 1024)), (2, SQUARE, (64, 128, 256)), (3, CUBIC, (32, 64)))
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
    default_seeds = 14
    line_places = 13
    engine = "reduced"
    convention = "f = (1/p) sum of neurons, loss 1/2 (y - f)^2: w_i += step/(p d) (y - f) sigma'(h_i) x"

    @property
    def on_sphere(self) -> bool:
        return self.constraint == "sphere"

    @property
    def gamma(self) -> float:
        """The step at this d."""
        return steps_of(self).size(self.d) if self.on_sphere else self.step

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
        return escape_samples(self.target, self.activation, d, self.step, self.noise, LEVEL)

    def check(self) -> None:
        r = self.target.directions
        if self.neurons + r > self.d:
            raise InputError(f"{self.neurons} neurons and {r} directions do not fit in d = {self.d}; raise d")
        if not self.on_sphere:
            if not self.target.is_polynomial and single_index_parts(self.target) is None:
                raise InputError("the target must be a polynomial or a sum of functions of one direction each")
            self.setting().averages()  # refuses what cannot be averaged over
            least, most, samples = PLACES, MAX_STEPS, float(self.record()[-1])
        elif self.neurons != 1 or r != 1 or self.d < LEAST:
            raise InputError(f"escape on the sphere is that of 1 neuron towards x1, with d = {LEAST} or more")
        else:
            refuse_no_pull(self.target, self.activation)
            least, most, samples = 1, MAX_STEPS // 10, self.escape(self.d)[0]
        if not least <= samples <= most:
            hint = "take another step, time or d"
            raise InputError(f"this takes {samples:.3g} samples, {least} to {most:.0e} are allowed; {hint}")

    def named(self, risk: Array, alignment: Array) -> dict[str, Value]:
        x, name = np.linspace(0.0, self.time, PLACES), "time step n / (p d)"
        return {"risk": Curve(x, risk, name), "alignment": Curve(x, alignment, name), "final_risk": float(risk[-1])}

    def solved(self, m: Array, q: Array, flow: bool = False) -> dict[str, Value]:
        """What the equations say from this start on."""
        times = np.array([n * self.rate for n in self.record()])
        found = order_parameters(self.setting(flow), m, q, times)
        return self.named(found.risk, found.alignment)

    def predict(self) -> Prediction:
        if self.on_sphere:
            noisy, smooth = self.escape(self.d)
            limit = asymptotic_exponent(self.target.information_exponent or 1, HUGE, RATIO)
            values = {"escape_time": noisy, "limit_exponent": limit}
            note = f"information exponent {self.target.information_exponent}; step at this d {self.gamma:.3g}"
            known = {"ode_time": smooth} if math.isfinite(smooth) else {}
            return Prediction({**values, **known}, "large d; the exponent for d to infinity", (note,))
        regime = "d to infinity at fixed step; for step/p to 0 gradient flow on the population risk"
        if not self.overlap:
            return Prediction({}, regime, ("the start is drawn: the equations are solved for each draw",))
        start = start_at(self.overlap, self.neurons, self.target.directions)
        if self.rule_error:
            return Prediction(self.solved(*start), regime, ("averages by points, not in closed form; no flow",))
        flow = self.solved(*start, flow=True)["final_risk"]
        return Prediction({**self.solved(*start), "flow_risk": flow}, regime)

    def measure(self, run: Run) -> Measurement:
        if self.on_sphere:
            return self.measured_escape(run)
        problem, p, r = Problem(self.target, self.d, self.noise), self.neurons, self.target.directions
        start = random_replicas(self.activation, self.d, p, r, 1, run.streams.child("start"))
        if self.overlap:
            start = replicas_at(*start_at(self.overlap, self.neurons, self.target.directions), self.activation, self.d)
        sgd, replicas = OnlineSGD(problem, self.rate, run.streams.child("data")), start.repeated(self.replicas)
        times, watch = np.unique(self.record()), ("overlaps", "gram")
        path = learners.run(sgd, replicas, times=times, watch=watch, progress=run.progress)
        risk = online_risk(path, problem).mean(axis=1)
        shares = (path["overlaps"] ** 2).sum(axis=2) / np.einsum("tiir->tir", path["gram"])
        finite = self.solved(start.overlaps[:, :, 0], start.gram[:, :, 0])
        return Measurement(self.named(risk, shares.mean(axis=1).mean(axis=1)), finite)

    def measured_escape(self, run: Run) -> Measurement:
        """Escape times at d and at d/4; the limit on steps only ends runs that would never escape."""
        needed, found = [], []
        for d in (self.d // RATIO, self.d):
            streams, expected = run.streams.child(f"d = {d}"), self.escape(d)[0]
            start = random_replicas(self.activation, d, 1, 1, self.replicas, streams, upper=True)
            rate = steps_of(self).size(d) / d
            sgd = OnlineSGD(Problem(self.target, d, self.noise), rate, streams, sphere=True)
            found.append(escape_steps(sgd, start, LEVEL, math.ceil(100 + 20 * expected), progress=run.progress))
            needed.append(expected)
        equations = [self.escape(d)[0] for d in (HUGE // RATIO, HUGE)]
        exponents = [math.log(large / small) / math.log(RATIO) for small, large in (found, needed, equations)]
        values = {"escape_time": float(found[1]), "exponent": exponents[0], "limit_exponent": exponents[2]}
        return Measurement(values, {"exponent": exponents[1]})

    def cost(self) -> Cost:
        samples = self.escape(self.d)[0] * 1.2 if self.on_sphere else self.record()[-1]
        axes = self.neurons + self.target.directions
        per_sample = 2e6 + 900.0 * self.replicas * self.neurons * axes
        return Cost(samples * per_sample + 3e9, 8.0 * 256 * self.replicas * (axes + 4) + 5e7)
