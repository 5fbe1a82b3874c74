"""Wrong formulas of SGD on random features, of its front, and of directions that are learned in turn."""

from tests.mutations.mutating import Mutation

LAW = "giantstep.theory.dynamics.scaling.feature_law:FeatureLaw"
DRAWN = "giantstep.theory.dynamics.scaling.feature_recursion:DrawnFeatures.risk"
FRONT = "giantstep.theory.dynamics.scaling.front"
TURNS = "giantstep.theory.dynamics.scaling.emergent_directions"
CLAIM = "giantstep.claims.emergence.scaling_law"
FEATURES, EMERGENCE = ("scaling/power-law-features",), ("emergence/scaling-law",)
COURSE = {"d": 16, "steps": 30, "replicas": 256}
FEW = {"directions": 4, "time": 20}

MUTATIONS = (
    Mutation("a floor of another target", f"{LAW}.floor", "squares * self.kappa", "self.kappa", FEATURES),
    Mutation("modes that are learned twice as fast", f"{LAW}._rates", "2 * self.step * self.batch,",
             "4 * self.step * self.batch,", FEATURES),
    Mutation("features that mix nothing", f"{LAW}._resolved", "(count * squares) / m", "(count * squares)", FEATURES),
    Mutation("a recursion that learns half as fast", DRAWN, "2 * step * batch * values", "step * batch * values",
             FEATURES, anew=COURSE, seeds=8),
    Mutation("phase II with the exponent of phase I", f"{FRONT}:front_phase",
             "(2 * a + 2 * b - 1) / (2 * a + 2 * b)", "(2 * a + 2 * b - 1) / (2 * a + 1)", FEATURES),
    Mutation("overlaps that grow twice as fast", f"{TURNS}:jump_table", "clock = ", "clock = 0.5 * ", EMERGENCE),
    Mutation("overlaps that grow half as fast", f"{TURNS}:jump_table", "clock = ", "clock = 2 * ", EMERGENCE),
    Mutation("masses that grow half as fast", f"{TURNS}:jump_table", "log_growth = (4 / order)",
             "log_growth = (2 / order)", EMERGENCE),
    Mutation("the risk without its square", f"{TURNS}:EmergentDirections._risks", "+ r**2", "+ 0 * r", EMERGENCE),
    Mutation("amplitudes for their squares in the risk", f"{TURNS}:EmergentDirections._risks",
             "self.amplitudes[:, None, None] ** 2", "self.amplitudes[:, None, None]", EMERGENCE),
    Mutation("every direction finds all neurons free", f"{TURNS}:first_overlaps", "neurons - np.arange(directions)",
             "neurons + 0 * np.arange(directions)", EMERGENCE),
    Mutation("the exponent of energies for that of the risk", f"{CLAIM}:_limit_exponent",
             "(2 * point.amplitude_exponent - 1)", "2 * point.amplitude_exponent", EMERGENCE),
    Mutation("the neuron that began farthest is the first", f"{TURNS}:matched_overlaps", "np.argsort(times, axis=None)",
             "np.argsort(-times, axis=None)", EMERGENCE, anew=FEW, seeds=6),
)  # fmt: skip
