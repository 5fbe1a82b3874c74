"""Wrong formulas of quadratic networks with weight decay."""

from tests.mutations.mutating import Mutation

EVOLUTION = "giantstep.theory.sensing.quadratic.state_evolution"
SPECTRA = "giantstep.theory.sensing.quadratic.noisy_spectra"
EXPONENTS = "giantstep.theory.sensing.quadratic.exponents"
WIDTH, SCALING = ("quadratic/width",), ("quadratic/scaling",)

SMALL = {"d": 48, "samples": 1150, "neurons": 6}  # simulated anew, in less than a second
WIDE = {"d": 48, "samples": 1150, "neurons": 48}


def _wide(what: str, where: str, right: str, wrong: str) -> Mutation:
    return Mutation(what, where, right, wrong, WIDTH, anew=WIDE, seeds=4)


def _narrow(what: str, where: str, right: str, wrong: str) -> Mutation:
    return Mutation(what, where, right, wrong, WIDTH, anew=SMALL, seeds=4)


MUTATIONS = (
    _wide("the noise of labels counts twice", f"{EVOLUTION}:_Field.of", "noise**2 / 2", "noise**2"),
    _wide("the response of pairs counts once", f"{EVOLUTION}:_Field.response", "sigma = 2 * (kept", "sigma = (kept"),
    _narrow("the width is ignored", f"{EVOLUTION}:_Field.response", "neurons < d", "neurons < 0"),
    _narrow("samples count twice", f"{EVOLUTION}:quadratic_limit", "samples / d**2", "2 * samples / d**2"),
    _narrow("residuals are not shrunk by the fit", f"{EVOLUTION}:quadratic_limit", "(4 * lengths * sigma + 1) ** 2",
            "(4 * lengths * sigma + 1)"),
    _narrow("eigenvectors are those of the truth", f"{SPECTRA}:noisy_spectrum", "weight @ a / a.size", "u"),
    Mutation("one exponent for any decay", f"{EXPONENTS}:sample_scaling", "2 * best if", "best if", SCALING),
    Mutation("the exponent of a square root", f"{EXPONENTS}:sample_scaling", "1 / (2 * spectrum_exponent)",
             "1 / (4 * spectrum_exponent)", SCALING),
    Mutation("the edge is twice as far", f"{EXPONENTS}:edge_decay", "4 * noise", "8 * noise", SCALING),
)  # fmt: skip
