"""Wrong formulas of deep linear networks."""

from tests.mutations.mutating import Mutation

MODES = "giantstep.theory.dynamics.deep_linear_modes"
CLAIM = ("deep-linear/sequential",)
TWO, THREE = {"scale": 1e-3}, {"depth": 3, "scale": 0.15, "start": "aligned"}
STAIRCASE = {"depth": 3, "scale": 0.015, "step": 0.02}

MUTATIONS = (
    Mutation("a lost factor 2 in the growth of two layers", f"{MODES}:_antiderivative", "/ (2 * s)", "/ s", CLAIM,
             anew=TWO, seeds=6),
    Mutation("p = 2 - 1/L for 2 - 2/L", f"{MODES}:_antiderivative", "q = 2 / depth - 1", "q = 1 / depth - 1", CLAIM,
             anew=THREE, seeds=2),
    Mutation("the depth is lost in the rate", f"{MODES}:_antiderivative", "(depth * s * q)", "(2 * s * q)", CLAIM,
             anew=THREE, seeds=2),
    Mutation("modes grow by s for 2 s", f"{MODES}:strength", "-2 * s * t", "-s * t", CLAIM, anew=TWO, seeds=6),
    Mutation("the start of a mode is four times as large", f"{MODES}:effective_start", "** 2 / 4", "** 2", CLAIM,
             anew=TWO, seeds=8),
    Mutation("learned modes do not take their direction away", f"{MODES}:effective_start",
             "triangle = np.linalg.qr(first @ right + second.T @ left, mode=\"r\")",
             "triangle = np.diag(np.linalg.norm(first @ right + second.T @ left, axis=0))", CLAIM,
             anew={"scale": 0.01, "neurons": 3, "step": 0.002}, seeds=40),
    Mutation("the loss without its 1/2", f"{MODES}:DeepLinearModes.losses", "0.5 * ", "", CLAIM, anew=TWO, seeds=4),
    Mutation("saddles with the first mode learned already", f"{MODES}:saddle_losses", "[::-1] / 2",
             "[::-1] / 2 - singular_values**2 / 2", CLAIM, anew=STAIRCASE, seeds=3),
)  # fmt: skip
