"""Wrong formulas of the proof's steps, of the lemma on tau*, of entries and of the length of a step."""

from __future__ import annotations

from tests.mutations.mutating import Mutation

AVERAGED, EXCHANGE = "giantstep.theory.ridge.large.averaged_neurons:", "giantstep.theory.ridge.exchange:"
TAU, SKETCH = ("bes22/tau-star",), ("bes22/proof-sketch",)
REGIMES, CURVE = ("bes22/step-size-regimes",), ("bes22/training-curve",)

MUTATIONS = (
    Mutation(
        "the error of the direction is forgotten", f"{AVERAGED}averaged_neurons_risk", "1 / (1 + common2)", "1.0", TAU
    ),
    Mutation("gains of one sign only", f"{AVERAGED}gains_in_window", "2 * (high - low)", "high - low", TAU),
    Mutation(
        "overlaps of other sizes", f"{EXCHANGE}largest_neuron_overlap", "np.sqrt(d) / lengths", "d / lengths", SKETCH
    ),
    Mutation(
        "lengths of half the scatter", f"{EXCHANGE}largest_neuron_length", "1 + side * x", "1 + 2 * side * x", SKETCH
    ),
    Mutation("half the weight on long neurons", f"{EXCHANGE}gap_of_long_neurons", "* 2 /", "/", SKETCH),
    Mutation(
        "lam/kappa forgotten", f"{EXCHANGE}ridge_objective", "ridge / kappa * ", "", SKETCH, anew={"d": 64}, seeds=24
    ),
    Mutation(
        "the residual is lost from the entries",
        "giantstep.theory.gradient.rank_one:overtaken_share",
        "student.mu1**2 + student.slope_variance",
        "student.mu1**2",
        REGIMES,
    ),
    Mutation(
        "the output takes away the double",
        "giantstep.theory.dynamics.repeated_steps:step_length",
        "(2 * before)",
        "(4 * before)",
        CURVE,
    ),
)
