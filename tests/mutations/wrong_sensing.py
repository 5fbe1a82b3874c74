"""Wrong formulas of low-rank sensing."""

from tests.mutations.mutating import Mutation

SPECTRUM = "giantstep.theory.sensing.spectral_matrix"
REFINEMENT = "giantstep.theory.sensing.refinement"
PHASES = "giantstep.theory.sensing.phase_laws"
COURSES = "giantstep.theory.sensing.courses"
IMBALANCE = "giantstep.theory.sensing.balance.imbalance"
EXPONENT, BALANCE = ("sensing/error-exponent",), ("sensing/balance",)
ERROR = {"d": 60, "oversampling": 20.0, "decades": 2}
FEW = {"d": 60, "oversampling": 8.0, "decades": 2}
DRIFT = {"d": 60, "columns": 8, "rank": 6}
COLUMNS = {"d": 48, "true_rank": 3, "rank": 12}
LINES = {"d": 16, "columns": 10, "rank": 4}
SPACES = {"d": 48, "true_rank": 2, "rank": 8, "steps": 15}
PLATEAU = {"d": 60, "true_rank": 3, "rank": 30}

MUTATIONS = (
    Mutation("the noise of Z ends at s for 2 s", f"{SPECTRUM}:SpectralMatrix.edge", "2 * self.s", "self.s", EXPONENT,
             anew=ERROR, seeds=8),
    Mutation("the noise of Z is not halved by symmetry", f"{SPECTRUM}:SpectralMatrix.of", "2 if symmetric else 1", "1",
             EXPONENT, anew=ERROR, seeds=8),
    Mutation("the limit exponent without its factor 2", f"{SPECTRUM}:limit_exponent", "2 * (1", "(1", EXPONENT,
             anew=ERROR, seeds=8),
    Mutation("the signal grows by 1 + 2 mu", f"{SPECTRUM}:growth_time", "step * top", "2 * step * top", EXPONENT,
             anew=ERROR, seeds=8),
    Mutation("noise grows until the strongest signal, not the mean one, has grown", f"{SPECTRUM}:errors_on_draw",
             ".mean())", ".max()) * 0.9", EXPONENT, anew=FEW, seeds=12),
    Mutation("the start's alpha is that of entries N(0, 1)", f"{SPECTRUM}:errors_on_draw", "/ sqrt(true_rank)",
             "/ true_rank", EXPONENT, anew=ERROR, seeds=12),
    Mutation("the faster block of the tangent space is lost", f"{REFINEMENT}:Refinement.states",
             "signal *= 1 + self.step * along", "signal *= 1 + self.step * along / 2",
             ("sensing/overparameterisation",), anew=COLUMNS, seeds=12),
    Mutation("dim T without its r* columns", f"{REFINEMENT}:tangent_dimension", "return d * true_rank", "return d",
             ("sensing/overparameterisation",), anew=COLUMNS, seeds=12),
    Mutation("the misfit for the error", f"{REFINEMENT}:Refinement.course", "yield sqrt(self._mean(error**2))",
             "yield sqrt(self._mean(self.x * error**2))", ("sensing/initialisation-scale",),
             anew={"d": 20, "true_rank": 2, "rank": 40}, seeds=16),
    Mutation("the fourth moment of the start without its columns", f"{PHASES}:error_plateau",
             "p * q * (p + q + 1)", "p * q * p", ("sensing/phases",), anew=PLATEAU, seeds=8),
    Mutation("outside the truth factors shrink by 1 - 2 mu", f"{COURSES}:PopulationStart.course",
             "np.eye(len(gram)) - step * gram", "np.eye(len(gram)) - 2 * step * gram",
             ("sensing/phases",), anew=PLATEAU, seeds=8),
    Mutation("refinement by 1 - mu at any step", f"{PHASES}:total_bound", "max(across, inside)", "across",
             ("sensing/phases",), anew={**PLATEAU, "step": 0.9}, seeds=8),
    Mutation("the power method grows by 1 + 2 mu lambda", f"{PHASES}:power_method", "(1 + step * values) /",
             "(1 + 2 * step * values) /", ("sensing/power-method",),
             anew=SPACES, seeds=8),
    Mutation("the imbalance drifts twice as much", f"{IMBALANCE}:drift_on_draw", "turning *", "2 * turning *", BALANCE,
             anew=DRIFT, seeds=12),
    Mutation("both sides drift together", f"{IMBALANCE}:drift_on_draw", "sides[0] - sides[1]", "sides[0] + sides[1]",
             BALANCE, anew={**DRIFT, "columns": 30}, seeds=12),
    Mutation("the third line of the symmetrisation as printed", f"{IMBALANCE}:third_line", "1 / 32", "1 / 4", BALANCE,
             anew=DRIFT, seeds=8),
    Mutation("the difference of the sides without its square", f"{IMBALANCE}:imbalance_at_start",
             "(rows - columns) ** 2", "abs(rows - columns)", BALANCE, anew=DRIFT, seeds=12),
    Mutation("the first step's bound without its factor 2", f"{IMBALANCE}:first_share",
             "change / (2 * step * fall)", "change / (step * fall)", ("sensing/balance-lemma",), anew=LINES, seeds=12),
    Mutation("the lifted loss as printed", f"{IMBALANCE}:lifted_line", "1 / 8", "1 / 4", ("sensing/balance-lemma",),
             anew=LINES, seeds=4),
    Mutation("signals grow by the truth's singular values, not by their squares", f"{COURSES}:PopulationStart.of",
             "else singular**2", "else singular", ("sensing/signal-and-noise", "sensing/phases"),
             anew={"d": 30, "condition": 2.0, "rank": 10}, seeds=4),
    Mutation("the plateau as if X were orthonormal", f"{PHASES}:error_plateau",
             "true_rank if energy is None else energy", "true_rank",
             ("sensing/phases",), anew={**PLATEAU, "condition": 2.0}, seeds=8),
    Mutation("errors of signals are added, not their squares", f"{COURSES}:errors_along",
             "np.exp(2 * np.interp", "np.exp(np.interp", ("sensing/signal-and-noise",),
             anew={"measured": "gaussian", "d": 60, "oversampling": 20.0, "steps": 60}, seeds=12),
    Mutation("the noise makes saddles steeper", f"{SPECTRUM}:saddle_bound", "1 - 4 * s", "1 + 4 * s",
             ("sensing/landscape",), anew={"d": 8, "starts": 1}, seeds=8),
    Mutation("the unknowns of a matrix do not grow with its rank", f"{REFINEMENT}:tangent_dimension",
             " * true_rank - true_rank**2", " - true_rank**2", ("sensing/sample-size",),
             anew={"d": 12, "columns": 10, "true_rank": 3, "steps": 300}, seeds=6),
    Mutation("only one factor moves", "giantstep.theory.sensing.baselines.linearised:_spread",
             " + np.einsum", " + 0 * np.einsum", ("sensing/large-start",),
             anew={"d": 10, "columns": 8, "rank": 2}, seeds=8),
    Mutation("both sides of a matrix have the noise of its rows", f"{SPECTRUM}:SpectralMatrix.edge",
             "self.s + self.across", "self.s + self.s", EXPONENT, seeds=8,
             anew={"model": "asymmetric", "d": 40, "columns": 16, "oversampling": 20.0, "decades": 1}),
    Mutation("outliers of Z are off by s, not by its square", f"{SPECTRUM}:SpectralMatrix.outlier",
             "strength + self.s**2 / strength", "strength + self.s / strength", ("sensing/power-method",), anew=SPACES,
             seeds=8),
)  # fmt: skip
