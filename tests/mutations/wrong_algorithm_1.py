"""Wrong formulas of Algorithm 1 in many directions, of its head, of several steps and of fitted terms."""

from __future__ import annotations

from tests.mutations.mutating import Mutation

FEATURES, LABELS = "giantstep.theory.kernels.random_features", "giantstep.theory.visibility.preprocessed_labels"
HEAD, STEPS = ("dls22/head-size",), ("dklps23/several-steps",)
POWER_STEPS = "giantstep.theory.dynamics.power_steps:shares_along_steps"

MUTATIONS = (
    Mutation("a head of twice the norm", f"{FEATURES}:best_head", "norm2 = float", "norm2 = 4 * float", HEAD),
    Mutation("a head that uses all neurons", f"{FEATURES}:best_head", "(p - float(many @ (s / (s + v))))", "p", HEAD),
    Mutation(
        "all of the noise of the weakest direction",
        f"{LABELS}:direction_shares",
        "0.25 * label_norm2",
        "0.5 * label_norm2",
        ("dls22/many-directions",),
        anew={"directions": 2},
        seeds=24,
    ),
    Mutation(
        "noise of the labels forgotten",
        f"{LABELS}:label_gradient_law",
        "added = 0.25 * noise**2",
        "added = 0.0",
        ("dls22/assumptions",),
        anew={"noise": 3, "d": 16},
        seeds=12,
    ),
    Mutation(
        "noise of the labels forgotten in the equivalent of the head",
        "giantstep.theory.ridge.equivalent:ridge_risk",
        "noise2 * df2",
        "0 * df2",
        ("dls22/assumptions",),
        anew={"noise": 1, "d": 16, "samples_per_square": 4, "fresh": True},
        seeds=24,
    ),
    Mutation(
        "a second order of the gradient of the other sign",
        f"{LABELS}:leading_term",
        "missing -= 0.5 * fourth",
        "missing += 0.5 * fourth",
        ("dls22/expected-gradient",),
    ),
    Mutation(
        "steps that do not multiply", POWER_STEPS, "size * signs\n", "0.5 * size * signs\n", STEPS,
        anew={"d": 64}, seeds=8,
    ),
    Mutation(
        "a norm that noise does not raise", POWER_STEPS, "noise = size**2", "noise = 0 * size**2", STEPS,
        anew={"step": 2}, seeds=8,
    ),
    Mutation(
        "steps that do not see the network's linear part", POWER_STEPS, "(1 - size / 4)", "(1 - 0 * size)", STEPS,
        anew={"step": 3}, seeds=8,
    ),
    Mutation(
        "a step that takes back twice", POWER_STEPS, "(1 - size / 4)", "(1 - size / 2)", STEPS,
        anew={"step": 3}, seeds=8,
    ),
    Mutation(
        "fitted shares of features twice as strong",
        "giantstep.theory.ridge.equivalent:fitted_shares",
        "solve(covariance",
        "solve(2 * covariance",
        ("dklps23/fitted-terms",),
        anew={"neuron_factor": 32, "d": 64},
        seeds=8,
    ),
)  # fmt: skip
