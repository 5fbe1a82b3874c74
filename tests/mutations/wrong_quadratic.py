"""Wrong formulas of quadratic networks with weight decay."""

from tests.mutations.mutating import Mutation

EVOLUTION = "giantstep.theory.sensing.quadratic.state_evolution"
SPECTRA = "giantstep.theory.sensing.quadratic.noisy_spectra"
EXPONENTS = "giantstep.theory.sensing.quadratic.exponents"
WIDTH, SCALING = ("quadratic/width",), ("quadratic/scaling",)

MUTATIONS = (
    Mutation("the noise of labels counts twice", f"{EVOLUTION}:_Field.of", "noise**2 / 2", "noise**2", WIDTH),
    Mutation("the response of pairs counts once", f"{EVOLUTION}:_Field.response", "sigma = 2 * (kept", "sigma = (kept",
             WIDTH),
    Mutation("the width is ignored", f"{EVOLUTION}:_Field.response", "neurons < d", "neurons < 0", WIDTH),
    Mutation("samples count twice", f"{EVOLUTION}:quadratic_limit", "samples / d**2", "2 * samples / d**2", WIDTH),
    Mutation("residuals are not shrunk by the fit", f"{EVOLUTION}:quadratic_limit", "(4 * lengths * sigma + 1) ** 2",
             "(4 * lengths * sigma + 1)", WIDTH),
    Mutation("eigenvectors are those of the truth", f"{SPECTRA}:noisy_spectrum", "weight @ a / a.size", "u", WIDTH),
    Mutation("half of the decay", f"{EVOLUTION}:_Field.response", "- 2 * decay", "- decay", (*WIDTH, *SCALING)),
    Mutation("one exponent for any decay", f"{EXPONENTS}:sample_scaling", "2 * best if", "best if", SCALING),
    Mutation("the exponent of a square root", f"{EXPONENTS}:sample_scaling", "1 / (2 * spectrum_exponent)",
             "1 / (4 * spectrum_exponent)", SCALING),
    Mutation("the edge is twice as far", f"{EXPONENTS}:edge_decay", "4 * noise", "8 * noise", SCALING),
)  # fmt: skip
