"""Wrong formulas of spiked inputs and of wide starts."""

from tests.mutations.mutating import Mutation

SPECTRUM = "giantstep.theory.structured.input_spectrum"
WIDE = "giantstep.theory.structured.flows.wide_starts"
INPUTS, STARTS = ("structured/input-spectrum",), ("structured/wide-start",)

MUTATIONS = (
    Mutation("the spike stays where the inputs have it", f"{SPECTRUM}:covariance_spike", "(1 + theta) * (1 + share)",
             "(1 + theta)", INPUTS),
    Mutation("the top vector is the spike", f"{SPECTRUM}:covariance_spike", "(1 - share / theta) / (1 + share)",
             "(1 - share / theta)", INPUTS),
    Mutation("the bulk knows nothing of the spike", f"{SPECTRUM}:bulk_alignment", "ratio * place * (1 + theta)",
             "ratio * place", INPUTS),
    Mutation("overlaps of one dimension more", f"{WIDE}:largest_start_overlap", "(d - 1) / 2", "(d + 9) / 2", STARTS),
    Mutation("one side of the sphere", f"{WIDE}:width_for_overlap", "return 1 /", "return 2 /", STARTS),
    Mutation("the width grows like (1 - c)^(-d/2)", f"{WIDE}:width_growth", "(overlap**2)", "(overlap)", STARTS),
)  # fmt: skip
