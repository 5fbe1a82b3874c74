"""Wrong formulas of the expected conjugate kernel."""

from __future__ import annotations

from tests.mutations.mutating import Mutation

DEFECT = "giantstep.theory.spectra.kernel_defect:KernelDefect"
CLAIM = ("bes22/expected-kernel",)
RELU = {"activation": "centered(relu)", "d": 128}
TANH = {"activation": "tanh", "d": 128, "step": 2.0}

MUTATIONS = (
    Mutation("the spike along 1 twice as large", f"{DEFECT}.of_overlaps", "/ 2", "/ 1", CLAIM),
    Mutation("the labels' mean with the wrong power", f"{DEFECT}.of_lengths", "curvature**4", "curvature**2", CLAIM),
    Mutation("the labels' mean forgotten", f"{DEFECT}.of_lengths", "+ self", "+ 0 * self", CLAIM),
    Mutation("squared overlaps twice as large", f"{DEFECT}.matrix", "(2 *", "(1 *", CLAIM, anew=RELU, seeds=8),
    Mutation(
        "slopes not per unit of length", f"{DEFECT}.matrix", "slopes / lengths", "slopes", CLAIM, anew=TANH, seeds=8
    ),
    Mutation("means forgotten", f"{DEFECT}.matrix", "outer(means, means)", "outer(0 * means, means)", CLAIM, anew=RELU),
)
