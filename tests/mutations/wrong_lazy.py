"""Wrong formulas of least squares, of the lazy limit and of neurons in the plane."""

from tests.mutations.mutating import Mutation

MODES = "giantstep.theory.dynamics.least_squares_modes"
FLOW = "giantstep.theory.dynamics.lazy_flow"
NEURONS = "giantstep.theory.dynamics.random_neurons"
SQUARES = {"d": 60, "step": 1.5}
START = {"d": 1200, "samples_per_dim": 0.5, "scale": 4.0, "step": 1.5}
LAZY = {"d": 6, "samples": 30, "neurons": 40, "scale": 30.0}
PLANE = {"neurons": 20, "samples": 12, "scale": 0.01}

MUTATIONS = (
    Mutation(
        "the start's part is missing in the weights of modes",
        f"{MODES}:limiting_modes", "(1 / squares + scale**2)", "(1 / squares)", ("lazy/least-squares",),
        anew=START, seeds=6,
    ),
    Mutation(
        "the bound of the steps is doubled",
        f"{MODES}:LeastSquaresModes.bound", "ceil(log(tolerance)", "ceil(2 * log(tolerance)", ("lazy/least-squares",),
        anew=SQUARES, seeds=8,
    ),
    Mutation(
        "modes shrink by half a step",
        f"{MODES}:LeastSquaresModes.shrinking", "1 - self.step", "1 - 0.5 * self.step", ("lazy/least-squares",),
        anew=SQUARES, seeds=8,
    ),
    Mutation(
        "s for s^2 in the weights of a draw",
        f"{MODES}:modes_of", "(left.T @ residual / values) ** 2", "(left.T @ residual) ** 2 / values",
        ("lazy/least-squares",), anew=SQUARES, seeds=20,
    ),
    Mutation(
        "the kernel's output is halved",
        f"{FLOW}:KernelFlow.__call__", "return kernel", "return 0.5 * kernel", ("lazy/linearisation",),
        anew=LAZY, seeds=10,
    ),
    Mutation(
        "the movement is a^T a for a^T K a",
        f"{FLOW}:KernelFlow.movement", "self.dual @ self.kernel @ self.dual", "self.dual @ self.dual",
        ("lazy/linearisation",), anew=LAZY, seeds=10,
    ),
    Mutation(
        "a lost factor 2 in the path norm of a small start",
        f"{FLOW}:rich_displacement", "sqrt(2 * teachers)", "sqrt(teachers)", ("lazy/linearisation",),
        anew={**LAZY, "scale": 0.05}, seeds=4,
    ),
    Mutation(
        "E|v| of a random neuron is 1",
        f"{NEURONS}:mass_at_random", "sqrt(2 / pi) * ", "", ("lazy/neurons",), anew=PLANE, seeds=6,
    ),
    Mutation(
        "entries of w have variance 1",
        f"{NEURONS}:mass_at_random", "sqrt(2 / d)", "sqrt(2)", ("lazy/neurons",), anew=PLANE, seeds=6,
    ),
    Mutation(
        "sectors without the right sign",
        f"{NEURONS}:aligned_share_at_random", "/ 360", "/ 180", ("lazy/neurons",), anew=PLANE, seeds=6,
    ),
)  # fmt: skip
