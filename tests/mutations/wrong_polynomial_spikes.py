"""Wrong formulas of the spikes of powers; theory speaks of the second layer drawn, so simulations are made anew."""

from tests.mutations.mutating import Mutation

SPIKES = "giantstep.theory.spectra.power_spikes"
CLAIM = ("moniri24/polynomial-spikes",)
SMALL = {"d": 64, "step_exponent": 0.3, "step": 4}


def wrong(what: str, where: str, right: str, instead: str) -> Mutation:
    return Mutation(what, f"{SPIKES}:{where}", right, instead, CLAIM, anew=SMALL, seeds=8)


MUTATIONS = (
    wrong("the direction has no noise", "polynomial_spikes", "+ t2 * size / n", "+ 0 * size / n"),
    wrong(
        "a signal counts once more in the bulk",
        "signal_in_bulk",
        "bulk.population(x)) * theta**2",
        "bulk.population(x)) * theta",
    ),
    wrong(
        "the left vector is the right one",
        "signal_in_bulk",
        "own = 1 / (gamma * population) + (1 - 1 / gamma) / z",
        "own = 1 / population",
    ),
    wrong("signals do not grow with n", "polynomial_spikes", "np.sqrt(n) * s", "10 * s"),
    wrong(
        "neurons gain half",
        "_overlaps",
        "[pull * a + d**-0.5, pull * a - d**-0.5]",
        "[pull / 2 * a + d**-0.5, pull / 2 * a - d**-0.5]",
    ),
    wrong("powers are not normalised", "polynomial_spikes", "/ np.sqrt(power**2 @ weight)", ""),
)
