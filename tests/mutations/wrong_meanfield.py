"""Wrong formulas of mean-field Langevin dynamics."""

from tests.mutations.mutating import Mutation

LAW = "giantstep.theory.meanfield.particle_law"
EQUATION = "giantstep.theory.meanfield.fokker_planck:FokkerPlanck"
PARTICLES = ("meanfield/particles",)

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
)  # fmt: skip
