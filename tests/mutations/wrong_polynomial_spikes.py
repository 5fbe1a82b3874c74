"""Wrong formulas of the spikes of powers; theory speaks of the second layer drawn, so simulations are made anew."""

from tests.mutations.mutating import Mutation

SPIKES = "giantstep.theory.spectra.power_spikes"
CLAIM = ("moniri24/polynomial-spikes",)
SMALL = {"d": 64, "step_exponent": 0.3, "step": 4}


def wrong(what: str, where: str, right: str, instead: str) -> Mutation:
    return Mutation(what, f"{SPIKES}:{where}", right, instead, CLAIM, anew=SMALL, seeds=8)


MUTATIONS = (
    wrong("noise of the direction counts ninefold", "polynomial_spikes", "+ t2 * size / n", "+ 9 * t2 * size / n"),
    wrong(
        "a signal counts once more in the bulk",
        "signal_in_bulk",
        "bulk.population(x)) * theta**2",
        "bulk.population(x)) * theta",
    ),
    wrong("signals are twice as strong", "polynomial_spikes", "np.sqrt(n) * s", "2 * np.sqrt(n) * s"),
    wrong("signals do not grow with n", "polynomial_spikes", "np.sqrt(n) * s", "10 * s"),
    wrong(
        "neurons gain half",
        "_overlaps",
        "[pull * a + d**-0.5, pull * a - d**-0.5]",
        "[pull / 2 * a + d**-0.5, pull / 2 * a - d**-0.5]",
    ),
    wrong("powers are not normalised", "polynomial_spikes", "/ np.sqrt(power**2 @ weight)", ""),
)
