"""Wrong formulas of steps beside a spike, biased neurons, misaligned kernels, parities' gradients and barriers, and of
what a network without biases leaves."""

from tests.mutations.mutating import Mutation

STEP, PULLS = "giantstep.theory.structured.misaligned_step", "giantstep.theory.structured.biased_pulls"
KERNEL, PARITY = "giantstep.theory.kernels.misaligned", "giantstep.theory.meanfield.parity_gradient"
BARRIER = "giantstep.theory.meanfield.barrier"
WARM, BIASES, BESIDE = ("structured/warm-start",), ("structured/random-biases",), ("structured/kernel-misaligned",)
QUERIES, WELLS = ("meanfield/parity-gradient",), ("meanfield/log-sobolev",)
UNBIASED, ODD = ("structured/network-risk",), "giantstep.claims.structured.network_risk:NetworkRisk.odd_floor"

MUTATIONS = (
    Mutation("the step is nearer to the target by one spike", f"{STEP}:stepped_limit",
             "3 * theta + 3 * theta**2 + theta**3", "2 * theta + theta**2", WARM),
    Mutation("biases of the other sign", f"{PULLS}:relu_pulls", "hermite(j - 2, biases)", "hermite(j - 1, biases)",
             BIASES),
    Mutation("the target along the spike", f"{KERNEL}:misaligned_kernel_risk",
             "(1 + theta) * rho**2 / (1 + theta * rho**2)", "1.0", BESIDE),
    Mutation("the exponent of the spike always",
             "giantstep.claims.structured.kernel_misaligned:KernelMisaligned.exponent",
             "self.bound if self.is_carried else float(self.target.degree or 0)", "self.bound", BESIDE),
    Mutation("one sign more in the query", f"{PARITY}:parity_signal", "d, order - 1)", "d, order)", QUERIES),
    Mutation("only the parity's signs have a gradient", f"{PARITY}:parity_energy",
             "+ (d - order) * _coefficient(activation, d, order + 1)", "", QUERIES),
    Mutation("the gap without its drift's half", f"{BARRIER}:_gap", "(2 * wells.temperature)", "wells.temperature",
             WELLS),
    Mutation("the bump for the barrier", f"{BARRIER}:Wells.barrier", "self.bump - self.ridge - self.ridge",
             "self.bump - self.ridge", WELLS),
    Mutation("a rate without its exponential", f"{BARRIER}:Wells.bound", " * exp(-self.bump / self.temperature)", "",
             WELLS),
    Mutation("Parseval without the dimension", f"{PARITY}:query_bound", "d * slope_energy", "slope_energy", QUERIES,
             anew={"d": 16}, seeds=24),
    # It bounds an exponent from above that is measured as 0.02(2) for He2 and 0.11(6) for He3: 1 - 2/k bounds it too.
    Mutation("1 - 3/k for 1 - 1/k in the threshold of the risk",
             "giantstep.claims.structured.network_risk:NetworkRisk.threshold", "1 - 1 / self.exponent",
             "1 - 3 / self.exponent", UNBIASED),
    Mutation("even degrees are left without biases", ODD, "range(3,", "range(2,", UNBIASED),
    Mutation("the linear part is left without biases", ODD, "range(3,", "range(1,", UNBIASED),
)  # fmt: skip
