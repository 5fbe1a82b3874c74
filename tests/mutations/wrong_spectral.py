"""Wrong formulas of spectral matrices, of slices and of the labels' law."""

from tests.mutations.mutating import Mutation

MATRICES = "giantstep.theory.spectra.label_matrices"
SLICES = "giantstep.theory.spectra.label_slices"
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
        f"{SLICES}:inverse_regression", "s2 * delta))", "s2))", ("spectral/inverse-regression",),
    ),
)  # fmt: skip
