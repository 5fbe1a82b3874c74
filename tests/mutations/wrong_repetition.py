"""Wrong formulas of samples that are used twice."""

from tests.mutations.mutating import Mutation

SAMPLES = "giantstep.theory.dynamics.repetition.repeated_samples"
BATCHES = "giantstep.theory.dynamics.repetition.batches"
REUSE = ("repetition/reuse",)
BATCH = ("repetition/batch-size",)
AHEAD = ("repetition/look-ahead",)
SMALL = {"d": 64, "replicas": 64}

MUTATIONS = (
    Mutation("a factor of the pull is lost", f"{SAMPLES}:_series", "np.sqrt(k + 1) * ", "", REUSE),
    Mutation("the friction of the steps without its 1/2", f"{SAMPLES}:repeated_overlap", "m * polyval(m, square)",
             "2 * m * polyval(m, square)", REUSE),
    Mutation("the look-ahead is twice as far", f"{SAMPLES}:_series", "h + look_ahead * here",
             "h + 2 * look_ahead * here", REUSE),
    Mutation("the sphere takes nothing from the pull", f"{SAMPLES}:repeated_overlap", "(1 - m**2) * polyval(m, pull)",
             "polyval(m, pull)", REUSE),
    Mutation("twice is once", f"{SAMPLES}:_series", "psi = psi + here", "pass", REUSE),
    Mutation("steps of one pass do not shrink with d", f"{SAMPLES}:repetition_step", "math.pow(d, -step_power(first))",
             "1.0", REUSE),
    Mutation("steps do not know the batch", f"{BATCHES}:batch_steps", " * d / batch", "", BATCH),
    Mutation("the squared loss needs no smaller steps", f"{BATCHES}:batch_step", "min(gamma, step * d / batch)",
             "gamma", BATCH),
    Mutation("the neuron is not lengthened by the noise", f"{BATCHES}:_half_escaped", " + k * gamma * square)", ")",
             BATCH),
    Mutation("neurons arrive in half of the time", f"{SAMPLES}:repetition_share", "share_escaped(gamma, d, time)",
             "share_escaped(gamma, d, 2 * time)", AHEAD, anew={**SMALL, "budget": 30}, seeds=4),
    Mutation("neurons take twice the time", f"{SAMPLES}:repetition_share", "share_escaped(gamma, d, time)",
             "share_escaped(gamma, d, time / 2)", AHEAD, anew=SMALL, seeds=4),
    Mutation("a look-ahead of twice the length", f"{SAMPLES}:_series", "h + look_ahead * here",
             "h + 2 * look_ahead * here", AHEAD, anew={"look_ahead": 0.1, "replicas": 64}, seeds=4),
)  # fmt: skip
