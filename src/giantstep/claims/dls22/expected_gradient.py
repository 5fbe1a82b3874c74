"""[dls22] after pre-processing, the mean gradient of every neuron is H w to leading order."""

from __future__ import annotations

import numpy as np

from giantstep.claims import (
    Allowance,
    Claim,
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
from giantstep.claims.dls22._algorithm import RELU, alignment_allowance, refuse_other_targets
from giantstep.claims.sizes import count, extrapolated
from giantstep.errors import InputError
from giantstep.learners import random_overlaps
from giantstep.learners.engines import initial_state, label_gradient, population_gradient
from giantstep.learners.networks import Initialisation, Scaling
from giantstep.problems import Problem
from giantstep.theory import visibility
from giantstep.theory.visibility import LEADING_COEFFICIENT, GradientShare

MAX_SAMPLES = 1e10
NEURONS_BY_QUADRATURE = 256
LARGE = 4000  # the dimension from which on the equations are extrapolated
START = Initialisation("sphere", "signs", scaling=Scaling.UNIT)  # one of each pair of neurons: the output is 0
QUARTIC = "He2(x1) + He3(x1)/3 + He4(x1)/6"
LEADING = "relative error of the leading term of the mean gradient"


@named(
    "dls22/expected-gradient",
    kind="theorem",
    cite="dls22",
    version=3,
    where="lecture notes 'study gradient': Stein's lemma, Hermite expansion, 'dominated by first order Hw/sqrt(2pi)'",
    finding=(
        "The notes expand phi' with the coefficients of phi: with their own c_k of phi' the term c_2 H w would vanish; "
        "the coefficient of He_k in phi' is c_{k+1}/k! and that of H w is c_2 = 1/sqrt(2pi), as measured here. H is "
        "C_2, not 'G_0'. The gradient of the stated loss 1/(2n) sum has no factor 2. Pre-processing also halves the "
        "noise, for it takes the mean 1/2 out of phi'; but as beta is a plain average and no least-squares fit, the "
        "subtracted part stays in the noise: E y^2 is that of the labels before pre-processing."
    ),
)
class ExpectedGradient(Claim):
    """After subtracting mean and linear part from the labels, every neuron's mean gradient is H w/sqrt(2pi) + O(1/d).

    H = E[Hess f*]. `leading_error` is the relative error of this term for the exact mean gradient, mean over neurons:
    it falls as d^(-1/2). `coefficient` is the regression of the gradient on H w for one batch of n samples. The new
    weights of Algorithm 1 are this gradient, and `share` is their share in the target's space, against theory for the
    neurons drawn. With n = c d^2 it tends to a closed form in n |H|^2/(d^2 E y^2), `alignment`, which finite d exceeds
    by what noise leaves in that space.
    """

    target: parameters.Target = parameters.target("He2(x1) + He3(x1)/3")
    d: int = parameters.dimension(128)
    samples_per_square: float = parameters.samples_per_square(4.0)
    neurons: int = parameters.neurons(16)
    preprocess: bool = parameters.preprocess(True)

    quantities = (
        quantity.equal(
            "leading_error", Allowance(0.02, of="prediction"),
            "an identity for each neuron; 2 % so that the seeds' different neurons decide",
            help=LEADING, symbol=r"|\mathbb{E}g - Hw/\sqrt{2\pi}|/|\mathbb{E}g|",
        ),
        quantity.slope(
            "leading_error", "d", -0.5, 0.03,
            "the next term is smaller by |w_V|, and its own corrections by another 1/d", help=LEADING,
        ),
        quantity.equal(
            "second_error", Allowance(0.02, of="prediction"),
            "an identity for each neuron; 2 % so that the seeds' different neurons decide",
            help="relative error of the first two orders, d^(-1/2) and d^(-1)", symbol=r"|\mathbb{E}g - g_1 - g_2|",
            when=lambda point: point.has_third,
        ),
        quantity.slope(
            "second_error", "d", -1.0, 0.05, "the term of order d^(-3/2) is left, smaller than the first by 1/d",
            when=lambda point: point.has_third,
        ),
        quantity.equal(
            "coefficient", Allowance(0.002, of="prediction") + Allowance(20, of="prediction", power=-1, size="samples"),
            "the linear part is estimated on the samples of the step, which takes (d + O(1))/n of the gradient away",
            help="regression of the sample gradient on H w", symbol=r"\langle g, Hw\rangle/|Hw|^2",
        ),
        quantity.equal(
            "share", alignment_allowance("samples"),
            "sums over samples are Gaussian only for large n and d, and means of outer products fluctuate by d/n",
            help="share of the target's space in the gradient, mean over neurons, all of the noise counted",
            symbol=r"|P g|^2/|g|^2", against="finite",
        ),
        quantity.equal(
            "alignment", Allowance(1e-4, of="prediction"),
            "an extrapolation in 1/d and 1/d^2 from d = 4000 leaves 1e-6 or less",
            help="squared cosine with the target's space: the limit for n/d^2 fixed in closed form, "
            "against the equations behind it, extrapolated in d",
            symbol=r"|P w|^2/|w|^2",
        ),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            "the labels have no mean and no linear part, or lose them by pre-processing",
            lambda point: point.is_centred,
            ("leading_error", "coefficient", "alignment"),
        ),
    )
    printed = (
        Printed("coefficient", "the term c_2 H w has the coefficient c_2 of phi' itself, which is 0", lambda _: 0.0),
        Printed(
            "coefficient", "the gradient of (1/2n) sum (y - f)^2 has a factor 2", lambda _: 2 * LEADING_COEFFICIENT
        ),
    )
    views = (
        view.Curve(
            "d", (32, 64, 128, 256, 512), ("leading_error",), log_x=True, log_y=True,
            at={"samples_per_square": 0.5, "neurons": 8}, title="what H w leaves out",
        ),
        view.Curve(
            "d", (64, 128, 256), ("leading_error", "second_error"), log_x=True, log_y=True, together=True,
            at={"samples_per_square": 0.5, "neurons": 8, "target": QUARTIC},
            y_label="relative error of the mean gradient",
            title="two orders, and the third is left",
        ),
        view.Curve(
            "samples_per_square", (0.25, 1, 4, 16), ("alignment", "share"), by="preprocess", by_values=(True, False),
            at={"d": 64}, log_x=True, title="one batch of n samples",
        ),
        view.Curve(
            "samples_per_square", (0.5, 2, 8), ("coefficient",), at={"d": 64}, log_x=True,
            title="the coefficient of H w",
        ),
    )  # fmt: skip
    presets = {
        "rank-one": {"target": "He2(x1)", "samples_per_square": 8, "d": 64},
        "without-preprocessing": {"target": "He2(x1)", "samples_per_square": 8, "d": 64, "preprocess": False},
        "linear-part": {"target": "1 + x1 + He2(x2)/2", "samples_per_square": 8, "d": 64},
        "rank-two": {"target": "He2(x1) - He2(x2)/2 + x1*He2(x2)/3", "d": 96},
    }
    default_seeds = 140
    engine = ("reduced", "population")
    convention = "gradient of (1/2n) sum (y - f)^2 without a_j, f = 0, |w| = 1"

    @property
    def samples(self) -> int:
        return count(self.samples_per_square, self.d, 2, least=2)

    @property
    def is_centred(self) -> bool:
        return self.preprocess or self.target == visibility.without_linear_part(self.target)

    def check(self) -> None:
        refuse_other_targets(self.target)
        if not np.any(self.target.hessian):
            raise InputError(f"the target {self.target} has H = E[Hess f*] = 0: the gradient has no leading term H w")
        if self.d < (least := self.neurons + self.target.directions + 2):
            raise InputError(f"d = {self.d} is too small for these neurons and directions; it must be {least} or more")
        if not self.neurons < self.samples <= MAX_SAMPLES:
            allowed = f"more than the {self.neurons} neurons and at most {MAX_SAMPLES:g}"
            raise InputError(f"n = {self.samples:.3g} samples are not allowed; there must be {allowed}")

    @property
    def has_third(self) -> bool:
        """Whether the gradient has a term of order d^(-3/2): for ReLU, blind to degrees 3 and 5, that of degree 4."""
        return self.is_centred and any(sum(a) == 4 for a in self.target.hermite())

    @property
    def predicted_share(self) -> GradientShare:
        return visibility.label_gradient_share(self.target, self.d, self.samples, preprocess=self.preprocess)

    def equations_limit(self) -> float:
        """What the equations of the share tend to for d to infinity at this n/d^2."""
        ratio, own = self.samples_per_square, self.preprocess
        share = visibility.label_gradient_share
        return extrapolated(lambda d: share(self.target, d, count(ratio, d, 2, least=2), preprocess=own).value, LARGE)

    def predict(self) -> Prediction:
        share = self.predicted_share
        values = {"share": share.value}
        notes = [f"chance share {share.floor:.3g}; the coefficient of H w tends to {LEADING_COEFFICIENT:.4g}"]
        if self.is_centred:
            seen = visibility.without_linear_part(self.target) if self.preprocess else self.target
            leading = visibility.leading_term(seen, self.d)
            size, norm2 = np.asarray(np.linalg.eigvalsh(seen.hessian)), float(self.target.norm2)
            closed = visibility.hessian_alignment(size, norm2, self.d, self.samples, preprocess=self.preprocess)
            values |= {"leading_error": leading.error, "alignment": closed, "second_error": leading.second}
            values["coefficient"] = leading.coefficient * (1 - self.d / self.samples * self.preprocess)
        else:
            notes.append("the target has a mean or a linear part, and the gradient shows it first")
        return Prediction(values, "Gaussian inputs, n ~ d^2 samples, d large", tuple(notes))

    def measure(self, run: Run) -> Measurement:
        problem, r = Problem(self.target, self.d), self.target.directions
        start = initial_state(START, RELU, self.d, self.neurons, r, run.streams.child("network"))
        sample = problem.sample(self.samples, run.streams.child("step data"))
        seen = label_gradient(start, sample, preprocess=self.preprocess, threads=run.threads, progress=run.progress)
        turned = start.overlaps @ self.target.hessian
        many = random_overlaps(self.d, r, NEURONS_BY_QUADRATURE, run.streams.child("many neurons"))
        mean = population_gradient(self.target, many, preprocess=self.preprocess)
        missing = mean.copy()
        missing[:, :r] -= LEADING_COEFFICIENT * many @ self.target.hessian
        share, size = float(np.mean(seen.share(r))), np.linalg.norm(mean, axis=1)
        error = float(np.mean(np.linalg.norm(missing, axis=1) / size))
        # The second order is mu_4/2 <H w, w> w, mu_4 = -mu_2 for ReLU; w has the length of its part outside V beside m.
        along = np.hstack([many, np.sqrt(1 - (many**2).sum(axis=1, keepdims=True))])
        missing += 0.5 * LEADING_COEFFICIENT * ((many @ self.target.hessian) * many).sum(axis=1, keepdims=True) * along
        second = float(np.mean(np.linalg.norm(missing, axis=1) / size))
        coefficient = float(np.sum(seen.overlaps(r) * turned) / np.sum(turned**2))
        values = {"leading_error": error, "coefficient": coefficient, "share": share, "second_error": second}
        if self.is_centred:
            values["alignment"] = self.equations_limit()
        law = visibility.label_gradient_law(self.target, self.d, self.samples, preprocess=self.preprocess)
        known = visibility.share_given_overlap(law, start.overlaps, self.d, self.samples)
        return Measurement(values, finite={"share": float(known.mean())})

    def cost(self) -> Cost:
        width = self.neurons + self.target.directions
        return Cost(float(self.samples * (40 * width + 6 * width**2) * 3 + 4e7), 8.0 * 4096 * width * 8 + 2e7)
