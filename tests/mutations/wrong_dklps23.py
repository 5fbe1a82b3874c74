"""Wrong formulas of the theory of giant steps."""

from __future__ import annotations

from tests.mutations.mutating import Mutation

LAW = "giantstep.theory.gradient.law:"
FIRST = "giantstep.theory.visibility.first_step:FirstStepLaw."
STEPS = "giantstep.theory.dynamics.giant_steps:"
CLAIMS = "giantstep.claims.dklps23."

MUTATIONS = (
    Mutation(
        "d for d - r - 1 in the noise across V and w",
        "giantstep.theory.visibility.share:share_given_overlap",
        "freedom = d - law.directions - 1",
        "freedom = d",
        ("dklps23/transition",),
    ),
    Mutation(
        "the mean of the target left in the part across the neuron",
        LAW + "GradientLaw.mean_in_frame",
        "if self.is_across:",
        "if False:",
        ("dklps23/no-step-size-helps",),
    ),
    Mutation(
        "mu_(k+1) for mu_k in the part towards the target",
        LAW + "MeanGradient.__call__",
        "self.coefficients * self.hermite[degree]",
        "self.coefficients * self.hermite[degree + 1]",
        ("dklps23/no-step-size-helps", "dklps23/transition"),
    ),
    Mutation("(l - 1)! missing", FIRST + "factor", " / factorial(self.exponent - 1)", "", ("dklps23/overlaps",)),
    Mutation(
        "noise of neurons taken as independent",
        FIRST + "rank_ratio",
        "(1 - shared) * noise",
        "noise",
        ("dklps23/overlaps",),
        anew={"activation": "tanh", "d": 128},
        seeds=24,
    ),
    Mutation(
        "doubled noise in the norm after a step",
        FIRST + "norms2",
        "(self.law.total_noise(self.d) - size)",
        "(2 * self.law.total_noise(self.d) - size)",
        ("dklps23/overlaps",),
    ),
    Mutation(
        "the mean of the target left out of what singular vectors see",
        "giantstep.theory.visibility.many_neurons:singular_vector_noise",
        "law.mean.constant",
        "0.0",
        ("dklps23/per-neuron",),
    ),
    Mutation(
        "E f^2 for E[f^2 <v, x>^2] in the samples' noise",
        "giantstep.theory.visibility.many_neurons:singular_vector_noise",
        "along * per_sample",
        "first_step.norm2 * per_sample + 0 * along",
        ("dklps23/per-neuron",),
    ),
    Mutation(
        "halved covariance of unlearned overlaps",
        STEPS + "StaircasePath.shares",
        "+ own",
        "+ own / 2",
        ("dklps23/staircase",),
    ),
    Mutation(
        "the samples' noise lost from unlearned overlaps",
        STEPS + "staircase_path",
        "inner_noise / samples",
        "0 * inner_noise",
        ("dklps23/staircase",),
    ),
    Mutation(
        "the samples' noise lost from the norms",
        STEPS + "staircase_path",
        "signs * (own + total / samples)",
        "signs * own",
        ("dklps23/staircase",),
    ),
    Mutation(
        "noise of neurons taken as independent over several steps",
        STEPS + "staircase_path",
        "signs * (own + total / samples)",
        "signs * (own + np.diag(np.diag(total)) / samples)",
        ("dklps23/staircase",),
    ),
    Mutation(
        "d for d log d",
        "giantstep.theory.dynamics.escape:asymptotic_exponent",
        "1 + np.log(np.log(d) / np.log(d / ratio)) / np.log(ratio)",
        "1",
        ("dklps23/sgd-limit",),
    ),
    Mutation(
        "d^l for d^(l-1)",
        "giantstep.theory.dynamics.escape:asymptotic_exponent",
        "exponent - 1))",
        "exponent))",
        ("dklps23/sgd-limit",),
    ),
    Mutation(
        "doubled push of the normalisation",
        "giantstep.theory.dynamics.escape:Overlap.velocity_and_spread",
        "0.5 * gamma**2",
        "gamma**2",
        ("dklps23/sgd-limit",),
    ),
    Mutation(
        "label noise lost from the order parameters",
        "giantstep.theory.dynamics.saad_solla:_solved",
        "setting.noise**2",
        "0 * setting.noise**2",
        ("dklps23/sgd-limit",),
    ),
    Mutation(
        "random features one degree too high",
        CLAIMS + "random_feature_degree:RandomFeatureDegree.degree",
        "floor(min(self.sample_exponent, self.neuron_exponent))",
        "floor(min(self.sample_exponent, self.neuron_exponent)) + 1",
        ("dklps23/random-feature-degree",),
    ),
    Mutation(
        "variance lost from the risk of random features",
        "giantstep.theory.kernels.random_features:random_feature_risk",
        "(left + lost) / (1 - used)",
        "left + lost",
        ("dklps23/random-feature-degree",),
    ),
    Mutation(
        "heads one degree too high",
        CLAIMS + "second_layer:SecondLayer.degree",
        "min(self.sample_exponent, self.neuron_exponent)",
        "min(self.sample_exponent, self.neuron_exponent) + 1",
        ("dklps23/second-layer",),
    ),
    Mutation(
        "everything but the linear part lost from E y^2",
        "giantstep.theory.ridge.conditional:learned_overlap",
        "float(target.norm2)",
        "linear2",
        ("dklps23/conditional-equivalence",),
    ),
    Mutation(
        "label noise left in the risk",
        "giantstep.theory.ridge.conditional:conditional_ridge_risk",
        "- noise2",
        "- 0",
        ("dklps23/conditional-equivalence",),
        anew={"d": 40, "noise": 1.5, "ridge": 1.0},
        seeds=16,
    ),
)
