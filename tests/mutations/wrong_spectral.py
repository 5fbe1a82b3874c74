"""Wrong formulas of spectral matrices, of slices and of the labels' law."""

from tests.mutations.mutating import Mutation

MATRICES = "giantstep.theory.spectra.labels.matrices"
SLICES = "giantstep.theory.spectra.labels.slices"
MESSAGES = "giantstep.theory.spectra.labels.messages"
OUTER = "giantstep.theory.kernels.outer_products"
LAWS = "giantstep.problems.labels.label_laws"

MUTATIONS = (
    Mutation(
        "d/n is counted twice in psi",
        f"{MATRICES}:_Functions.psi", "self.inverse +", "2 * self.inverse +", ("spectral/threshold",),
    ),
    Mutation(
        "phi forgets z^2",
        f"{MATRICES}:_Functions.phi", "self.t * self.second /", "self.t /", ("spectral/threshold",),
    ),
    Mutation(
        "phi' is counted twice in the overlap",
        f"{MATRICES}:spectral_law", "rise / (rise - fall)", "rise / (rise - 2 * fall)", ("spectral/threshold",),
    ),
    Mutation(
        "the transform is 1 - 1/E[z^2|y]^2",
        f"{MATRICES}:best_transform", "1 - 1 / np.maximum(values, LEAST_SECOND)",
        "1 - 1 / np.maximum(values, LEAST_SECOND) ** 2", ("spectral/threshold",),
    ),
    Mutation(
        "noise blurs labels half as much",
        f"{LAWS}:_blurred", "scipy.special.ndtr(gap)", "scipy.special.ndtr(2 * gap)",
        ("spectral/threshold", "spectral/inverse-regression"),
    ),
    Mutation(
        "slices count ten times",
        f"{SLICES}:inverse_regression", "c = (count - 1) /", "c = 10 * (count - 1) /", ("spectral/inverse-regression",),
    ),
    Mutation(
        "the noise of the linear estimator is half as large",
        f"{SLICES}:linear_overlap", "signal / (signal + noise)", "signal / (signal + 0.5 * noise)",
        ("spectral/inverse-regression",),
    ),
    Mutation(
        "the strength is not multiplied by n/d",
        f"{SLICES}:inverse_regression", "s2 * max(delta - c, 0.0)", "s2", ("spectral/inverse-regression",),
    ),
    Mutation(
        "means of slices scatter along the target as beside it",
        f"{SLICES}:inverse_regression", "max(delta - c, 0.0)", "delta", ("spectral/inverse-regression",),
    ),
    Mutation(
        "the outlier stands at (alpha/alpha_c)^2",
        f"{MESSAGES}:message_law", "return MessageLaw(t,", "return MessageLaw(t * t,", ("spectral/multi-index",),
    ),
    Mutation(
        "the radius is alpha/alpha_c",
        f"{MESSAGES}:message_law", "float(np.sqrt(t))", "float(t)", ("spectral/multi-index",),
    ),
    Mutation(
        "F forgets to take the mean off",
        f"{MESSAGES}:message_law", "one, other = second - np.eye(p)", "one, other = second", ("spectral/multi-index",),
    ),
    Mutation(
        "the labels' own noise is left out of the vector",
        f"{MESSAGES}:message_law", "alpha * made.ravel()", "0.1 * made.ravel()", ("spectral/multi-index",),
    ),
    Mutation(
        "the linear part of the fit has no noise",
        f"{OUTER}:_top", "sqrt(e * (d - 1))", "0.0 * sqrt(e * (d - 1))", ("spectral/gradient-outer-product",),
    ),
    Mutation(
        "gradients of degree 2 count once",
        f"{OUTER}:_top", "+ 2 * size**2 * np.outer", "+ size**2 * np.outer", ("spectral/gradient-outer-product",),
    ),
    Mutation(
        "eigenvalues of the kernel forget k!",
        f"{OUTER}:_shrinkage", "factorial(k) / float(d) ** k", "1 / float(d) ** k",
        ("spectral/gradient-outer-product",),
    ),
)  # fmt: skip
