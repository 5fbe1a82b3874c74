"""Wrong formulas of the limit after one giant step."""

from tests.mutations.mutating import Mutation

ROWS = "giantstep.theory.ridge.giant.rows"
LIMIT = "giantstep.theory.ridge.giant.limit"
RISK = ("cui24/giant-step-limit",)

MUTATIONS = (
    Mutation("rows are equally long", f"{LIMIT}:_given_spike", "np.sqrt(2) * second", "0 * second", RISK),
    Mutation(
        "labels without their noise in the spike", f"{ROWS}:_labels", "np.sqrt(t1**2 + t2 / alpha0)", "abs(t1)", RISK
    ),
    Mutation(
        "lengths shrink with the overlap where they grow",
        f"{ROWS}:_slopes",
        "(z**3 - 3 * z)",
        "(3 * z - z**3)",
        RISK,
    ),
    Mutation(
        "the slope of the target is not learned",
        f"{LIMIT}:_mean_head",
        "weighed @ (at.linear * at.target_linear)",
        "0.0",
        RISK,
    ),
    Mutation(
        "chance of the bulk is counted twice",
        f"{LIMIT}:giant_step_limit",
        "pairs = ratio * at",
        "pairs = 2 * ratio * at",
        RISK,
    ),
    Mutation("the training error is the risk with noise", f"{LIMIT}:giant_step_limit", "(g**2 * error)", "error", RISK),
    Mutation("the spike is twice as long", f"{LIMIT}:_given_spike", "spike * k", "2 * spike * k", RISK),
)
