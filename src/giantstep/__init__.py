"""giantstep: a laboratory for feature learning in two-layer networks.

>>> import giantstep as gs
>>> gs.Target("x1 + He2(x1)*x2").information_exponent
1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from giantstep.errors import InputError
from giantstep.version import __version__

if TYPE_CHECKING:
    from giantstep.claims.registry import claim_names
    from giantstep.claims.registry import make_claim as claim
    from giantstep.learners import Network
    from giantstep.problems import Activation, Problem, Target
    from giantstep.studies import Study

# Public names and where they live: loaded when first used, so that `import giantstep` costs next to nothing.
_HOMES = {
    "Activation": ("giantstep.problems", "Activation"),
    "Network": ("giantstep.learners", "Network"),
    "Problem": ("giantstep.problems", "Problem"),
    "Study": ("giantstep.studies", "Study"),
    "Target": ("giantstep.problems", "Target"),
    "claim": ("giantstep.claims.registry", "make_claim"),
    "claim_names": ("giantstep.claims.registry", "claim_names"),
}

__all__ = [
    "Activation",
    "InputError",
    "Network",
    "Problem",
    "Study",
    "Target",
    "__version__",
    "claim",
    "claim_names",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'giantstep' has no attribute '{name}'")
    from importlib import import_module

    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
