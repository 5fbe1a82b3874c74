"""Wrong formulas of the theory of Algorithm 1 of [dls22], of its kernels and of its lower bound."""

from __future__ import annotations

from tests.mutations.mutating import Mutation

LABELS = "giantstep.theory.visibility.preprocessed_labels:"
BIASED = "giantstep.theory.kernels.rotation_kernels:"
QUERIES = "giantstep.theory.visibility.correlational_queries:"

MUTATIONS = (
    Mutation(
        "the noise that pre-processing halves is not halved",
        LABELS + "hessian_alignment",
        "0.25 if preprocess else 0.5",
        "0.5",
        ("dls22/expected-gradient",),
    ),
    Mutation(
        "the mean 1/2 of the slope left in the noise",
        LABELS + "preprocessed_law",
        "((z > 0) - 0.5)",
        "(z > 0)",
        ("dls22/expected-gradient", "dls22/learning-curve", "dls22/transfer"),
    ),
    Mutation(
        "1/2 for 1/sqrt(2 pi) before H w",
        LABELS + "leading_term",
        "LEADING_COEFFICIENT * turned",
        "0.5 * turned",
        ("dls22/expected-gradient",),
    ),
    Mutation(
        "d for d - r - 1 in the noise of a gradient",
        "giantstep.theory.gradient.law:GradientLaw.total_noise",
        "(d - self.directions - 1)",
        "d",
        ("dls22/gradient-concentration",),
    ),
    Mutation(
        "the share of active samples lost from the deviation",
        "giantstep.theory.gradient.concentration:gradient_concentration",
        "* active / law.power",
        "/ law.power",
        ("dls22/gradient-concentration",),
    ),
    Mutation(
        "d^(p/4) for d^(p/2)",
        QUERIES + "csq_bound",
        "squared ** (degree / 2) + size ** (-degree / 2)",
        "squared ** (degree / 4) + size ** (-degree / 4)",
        ("dls22/csq-bound",),
        anew={"vectors": 100},
        seeds=8,
    ),
    Mutation(
        "d^p for d^(p/2)",
        QUERIES + "csq_bound",
        "squared ** (degree / 2) + size ** (-degree / 2)",
        "squared**degree + size ** (-degree)",
        ("dls22/csq-bound",),
        anew={"vectors": 100},
        seeds=8,
    ),
    Mutation(
        "c = 1/2 for 1/4 in the union bound",
        QUERIES + "family_overlap",
        "UNION_BOUND * d",
        "2 * UNION_BOUND * d",
        ("dls22/csq-bound",),
    ),
    Mutation(
        "half as many functions ruled out",
        QUERIES + "ruled_out",
        "1 / rest",
        "0.5 / rest",
        ("dls22/csq-bound",),
    ),
    Mutation(
        "the largest overlap of M for that of M(M - 1)/2 pairs",
        QUERIES + "largest_overlap",
        "vectors * (vectors - 1) / 2",
        "vectors",
        ("dls22/csq-bound",),
    ),
    Mutation(
        "biases are missing in the tangent kernel",
        BIASED + "tangent_kernel_with_biases",
        "square + 1.0, other + 1.0, product + 1.0",
        "square, other, product",
        ("dls22/learning-curve",),
    ),
    Mutation(
        "biases are missing in the conjugate kernel",
        BIASED + "conjugate_kernel_with_biases",
        "square + 1.0, other + 1.0, product + 1.0",
        "square, other, product",
        ("dls22/learning-curve",),
    ),
    Mutation(
        "the floor of kernels doubled",
        "giantstep.theory.kernels.harmonics:kernel_floor",
        "return max(risk, 0.0)",
        "return 2 * max(risk, 0.0)",
        ("dls22/transfer",),
    ),
    Mutation(
        "the floor of kernels halved",
        "giantstep.theory.kernels.harmonics:kernel_floor",
        "return max(risk, 0.0)",
        "return max(risk, 0.0) / 2",
        ("dls22/learning-curve",),
        anew={"samples_per_square": 8},
        seeds=3,
    ),
)
