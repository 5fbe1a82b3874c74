"""Wrong formulas of the one-step theory."""

from __future__ import annotations

from tests.mutations.mutating import Mutation

MUTATIONS = (
    Mutation(
        "the spike's place without its last term",
        "giantstep.theory.spectra.weights:spike_singular_value",
        "+ psi / t",
        "",
        ("bes22/weight-spike",),
    ),
    Mutation(
        "the second layer's overlap takes the place of the direction's",
        "giantstep.theory.spectra.weights:left_overlap",
        "/ (1 + t)",
        "/ (psi + t)",
        ("bes22/weight-spike",),
        anew={"d": 128},
        seeds=20,
    ),
)
