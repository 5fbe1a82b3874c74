"""giantstep: a laboratory for feature learning in two-layer networks.

>>> import giantstep as gs
>>> gs.Target("x1 + He2(x1)*x2").analyze()
Analysis(x1 + He2(x1)*x2: |f|^2 = 3, information exponent 1, leap 1, isoleap 1; print() shows all)
>>> spike = gs.claim("bes22/weight-spike", step=6, samples_per_dim=2)
>>> round(spike.predict()["spike"], 4)
3.1475
>>> spike.run(seeds=8).figure().save("spike.svg")  # doctest: +SKIP
>>> gs.Study(spike, step="0:8:17", samples_per_dim=[1, 2, 4], seeds=4)  # .run().frame() runs it and gives a table
Study(bes22/weight-spike over step=0:8:17, samples_per_dim=[1, 2, 4]: 51 points, 204 records)

What most people need is here; the rooms hold the rest: `giantstep.problems` (what is learned), `giantstep.learners`
(what learns), `giantstep.theory` (what mathematics predicts), `giantstep.gaussian` (the calculus beneath),
`giantstep.estimators` (tables of your own), `giantstep.claims` (to write a claim), `giantstep.studies` and
`giantstep.figures`.
"""

# Nothing is imported here, not even `__future__`: the command passes through this file before it hears Ctrl-C.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from giantstep import claims, estimators, figures, gaussian, learners, problems, report, studies, theory, verdicts
    from giantstep.claims import Claim, claim_names
    from giantstep.claims import claim as claim
    from giantstep.errors import InputError
    from giantstep.estimators import Diagnosis, diagnose
    from giantstep.problems import Activation, Problem, Target
    from giantstep.streams import Streams
    from giantstep.studies import Results, Study
    from giantstep.version import __version__

# Public names and where they live: loaded when first used, so that `import giantstep` costs next to nothing.
_HOMES = {
    "Activation": ("giantstep.problems", "Activation"),
    "Claim": ("giantstep.claims", "Claim"),
    "Diagnosis": ("giantstep.estimators", "Diagnosis"),
    "InputError": ("giantstep.errors", "InputError"),
    "Problem": ("giantstep.problems", "Problem"),
    "Results": ("giantstep.studies", "Results"),
    "Streams": ("giantstep.streams", "Streams"),
    "Study": ("giantstep.studies", "Study"),
    "Target": ("giantstep.problems", "Target"),
    "__version__": ("giantstep.version", "__version__"),
    "claim": ("giantstep.claims", "claim"),
    "claim_names": ("giantstep.claims", "claim_names"),
    "diagnose": ("giantstep.estimators", "diagnose"),
}
_ROOMS = (
    "claims",
    "estimators",
    "figures",
    "gaussian",
    "learners",
    "problems",
    "report",
    "studies",
    "theory",
    "verdicts",
)

__all__ = [
    "Activation",
    "Claim",
    "Diagnosis",
    "InputError",
    "Problem",
    "Results",
    "Streams",
    "Study",
    "Target",
    "__version__",
    "claim",
    "claim_names",
    "claims",
    "diagnose",
    "estimators",
    "figures",
    "gaussian",
    "learners",
    "problems",
    "report",
    "studies",
    "theory",
    "verdicts",
]


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name in _ROOMS:
        return import_module(f"giantstep.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'giantstep' has no attribute '{name}'")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
