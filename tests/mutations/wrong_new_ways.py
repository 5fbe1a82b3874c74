"""Wrong formulas of Algorithm 1 on spiked inputs, and of other ways to a low-rank matrix."""

from __future__ import annotations

from tests.mutations.mutating import Mutation

HEAD, CONVEX = "giantstep.theory.structured.flow_head", "giantstep.theory.sensing.baselines.convex"
FLOW, WAYS = ("structured/flow-then-head",), ("sensing/baselines",)

MUTATIONS = (
    Mutation("the direction's noise with its mean part", f"{HEAD}:direction_variance", "- m * z", "", FLOW),
    Mutation("a direction that noise does not move", f"{HEAD}:direction_variance", "+ (noise", "+ 0 * (noise", FLOW),
    Mutation("a component that is not stretched", f"{HEAD}:principal_overlap2", "(1 + flow.theta) *", "1 *", FLOW),
    Mutation("a head whose bias is wrong", f"{HEAD}:_fitted_risk", "- 2 * cross", "- 1.8 * cross", FLOW, anew={}),
    Mutation(
        "powers of the overlap halved", f"{HEAD}:_given_field", "np.arange(HIGHEST", "0.5 * np.arange(HIGHEST", FLOW
    ),
    Mutation("no second order of the spectral error", f"{CONVEX}:spectral_error", "3 * s**4", "0", WAYS),
    Mutation("half the noise of the spectral error", f"{CONVEX}:spectral_error", "2 * s**2", "s**2", WAYS),
    Mutation("another nuclear norm", f"{CONVEX}:nuclear_norm_threshold", "* columns, s", "* 60, s", WAYS),
)
