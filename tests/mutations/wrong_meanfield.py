"""Wrong formulas of mean-field Langevin dynamics."""

from tests.mutations.mutating import Mutation

LAW = "giantstep.theory.meanfield.particle_law"
EQUATION = "giantstep.theory.meanfield.fokker_planck:FokkerPlanck"
PARTICLES = ("meanfield/particles",)
PARITY = "giantstep.claims.meanfield.parity:Parity"
SAMPLES = "giantstep.claims.meanfield.parity_samples:ParitySamples"

MUTATIONS = (
    Mutation("steps add no noise", "giantstep.theory.meanfield.linear_neurons:gaussian_law",
             "temperature / rate / (1 - step * rate / 2)", "temperature / rate", PARTICLES),
    Mutation("half the noise of particles", f"{LAW}:fluctuations", "2 * equation.model.temperature",
             "equation.model.temperature", PARTICLES),
    Mutation("particles do not correct each other", f"{LAW}:fluctuations", "phi - step / n * basis", "phi - 0 * basis",
             PARTICLES),
    Mutation("second moments for variances", f"{LAW}:_numbers", "features**2 - outputs**2", "features**2", PARTICLES),
    Mutation("the decay over the whole time", f"{LAW}:_rate", "(time / 2)", "time", PARTICLES),
    Mutation("the loss without its half", f"{EQUATION}.free_energy", "** 2)) / 2", "** 2))", PARTICLES),
    Mutation("the divergence without the temperature", f"{EQUATION}.divergence", "self.model.temperature * float",
             "float", PARTICLES),
    Mutation("a potential with twice the penalty", f"{EQUATION}.potential", "self.model.ridge / 2", "self.model.ridge",
             PARTICLES),
    Mutation("the best kernel far behind the network", f"{PARITY}.predict", '"advantage": 0.0', '"advantage": -0.1',
             ("meanfield/parity",)),
    Mutation("a lead of .3 before the untuned kernel", f"{PARITY}.predict", '"advantage_untuned": 0.0',
             '"advantage_untuned": 0.3', ("meanfield/parity",)),
    Mutation("a + 0 d_eff samples, whatever d is", f"{SAMPLES}.is_enough",
             "self.sample_factor >= FACTORS[self.order]", "True", ("meanfield/parity-samples",)),
    Mutation("a third of the samples", f"{SAMPLES}.predict", "float(self.samples)", "self.samples / 3",
             ("meanfield/parity-samples",)),
)  # fmt: skip
