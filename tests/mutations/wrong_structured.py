"""Wrong formulas of structured inputs: kernels, networks and flows under a spiked covariance."""

from tests.mutations.mutating import Mutation

PLATEAUS = "giantstep.theory.kernels.spiked_plateaus"
EQUIVALENT = "giantstep.theory.kernels.spiked_inputs"
GRADIENT = "giantstep.theory.structured.spiked_gradient"
PRINCIPAL = "giantstep.theory.structured.principal"
LENGTH = "giantstep.theory.structured.flows.isotropic_limit"
STARTS = "giantstep.theory.structured.flows.starts"
FLOW = "giantstep.theory.structured.flows.normalised_flow"
STAIRCASE, BOUND = ("structured/kernel-staircase",), ("structured/kernel-bound",)
NETWORK, SPECTRUM = ("structured/network-threshold",), ("structured/kernel-spectrum",)
ISOTROPIC, MISALIGNED = ("structured/isotropic-limits",), ("structured/misaligned-step",)
BOTH_MAPS = ("structured/phase-diagram", "structured/runtime")

MUTATIONS = (
    Mutation("a kernel's floor is doubled", f"{PLATEAUS}:plateau", "factor * left", "2 * factor * left", STAIRCASE),
    Mutation("a kernel's floor is halved", f"{PLATEAUS}:plateau", "factor * left", "factor * left / 2", STAIRCASE),
    Mutation("the floor without noise", f"{PLATEAUS}:plateau", "+ (factor - 1) * noise**2", "", STAIRCASE),
    Mutation("the floor without its inflation", f"{PLATEAUS}:inflation", "(samples_per_dim - share**2)",
             "samples_per_dim", STAIRCASE),
    Mutation("degrees that a kernel lacks are learned", f"{PLATEAUS}:unlearned", "series[m] > 0", "m >= 0", STAIRCASE),
    Mutation("one degree more is learned", f"{PLATEAUS}:learned_degree", "math.ceil(1 / (1 - gamma)) - 1",
             "math.ceil(1 / (1 - gamma))", STAIRCASE),
    Mutation("the threshold of the next degree", "giantstep.claims.structured.kernel_staircase:KernelStaircase.predict",
             "1 - 1 / self.degrees[0]", "1 - 1 / (self.degrees[0] + 1)", STAIRCASE),
    Mutation("the kernel's risk without label noise", f"{EQUIVALENT}:spiked_kernel_risk", "bias**2 + noise**2",
             "bias**2", NETWORK),
    Mutation("the kernel's risk without variance", f"{EQUIVALENT}:spiked_kernel_risk", "(bias**2 + variance))",
             "bias**2)", STAIRCASE),
    Mutation("the implicit ridge without high degrees", f"{EQUIVALENT}:penalties", "sectors.rest + np.maximum",
             "np.maximum", (*STAIRCASE, *BOUND)),
    Mutation("the exponent of a kernel is off by 5 %", "giantstep.claims.structured.kernel_bound:KernelBound.exponent",
             "* (1 - max", "* 0.95 * (1 - max", BOUND),
    Mutation("half of the bulk's multiplicity", "giantstep.theory.kernels.spiked_spectra:_Classes._resolvent",
             "count * (half**2)", "count / 2 * (half**2)", SPECTRUM),
    Mutation("Euclidean threshold of the next exponent", f"{GRADIENT}:alignment_exponent", "1 - 1 / exponent",
             "1 - 1 / (exponent + 1)", NETWORK),
    Mutation("whitened threshold without its least", f"{GRADIENT}:alignment_exponent",
             "min((exponent - 1) / (exponent + 1), 0.5)", "(exponent - 1) / (exponent + 1)", NETWORK),
    Mutation("alignment without label noise", f"{GRADIENT}:spike_alignment", "y**2 + noise**2", "y**2", NETWORK),
    Mutation("noise has the inputs' variance once", f"{GRADIENT}:noise_alignment", "(1 + theta) ** 2", "(1 + theta)",
             NETWORK),
    Mutation("label noise is not fitted by the component", f"{PRINCIPAL}:_fitted_noise", "+ noise**2", "", NETWORK),
    Mutation("on samples the component has its fresh variance", f"{PRINCIPAL}:principal_component_risk",
             "(1 + theta) * (1 + 1 / (psi * theta)) if cosine", "variance if cosine", NETWORK),
    Mutation("the printed series without i!", f"{LENGTH}:isotropic_gradient",
             "(pulls, slips)", "(slips, pulls)", ISOTROPIC),
    Mutation("the scatter of a batch without the gate", f"{LENGTH}:isotropic_gradient",
             "(d - 2) * gate * label", "(d - 2) * label", ISOTROPIC),
    Mutation("the step goes along beta, not Sigma beta", "giantstep.theory.structured.misaligned_step:step_limit",
             "rho * (1 + theta) / length", "rho / length", MISALIGNED),
    Mutation("the middle regime with half the spike", f"{STARTS}:start_exponent",
             "spike_exponent - alignment_exponent - 0.5", "0.5 * spike_exponent - 0.5", BOTH_MAPS),
    Mutation("tau_k = delta^(1-k)", f"{STARTS}:needed_time_exponent", "(exponent - 2) * growth",
             "(exponent - 1) * growth", BOTH_MAPS),
    Mutation("random starts without kappa", f"{STARTS}:random_start_law", "level**2 * flow.kappa", "level**2",
             BOTH_MAPS),
    Mutation("the flow's time without its factor 2", f"{FLOW}:SpikedFlow.hitting_time",
             "(2.0 * np.asarray(self.zeta(on_way)))", "np.asarray(self.zeta(on_way))", ("structured/runtime",)),
    Mutation("a lost factorial in the pull", f"{FLOW}:_series", "activation.hermite_coefficient(j) * c",
             "activation.hermite_coefficient(j) * c / factorial(j - 1)", ("structured/normalised-flow",)),
    Mutation("the plain flow for the preconditioned one", f"{FLOW}:SpikedFlow._speeds", "if preconditioned:",
             "if not preconditioned:", ("structured/normalised-flow",), anew={"d": 40}, seeds=20),
    Mutation("E f^2 grows half as fast", "giantstep.theory.structured.flows.spherical_flow:_moments",
             "values[-1] / s", "values[-1] / s / 2", ("structured/spherical-flow-fails",),
             anew={"d": 40, "starts": 8}, seeds=12),
)  # fmt: skip
