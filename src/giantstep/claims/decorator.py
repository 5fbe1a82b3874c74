"""`@named`: how a class of claims gets its name, and what every claim must have, checked when its file is loaded."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TypeVar

from giantstep.claims.base import Claim, ClaimInfo
from giantstep.claims.engines import check_engine
from giantstep.claims.help_text import arguments_list
from giantstep.sources import SOURCES, Source

ClaimType = TypeVar("ClaimType", bound=Claim)


def named(
    name: str,
    *,
    kind: str,
    cite: str | Source,
    version: int = 1,
    where: str = "",
    finding: str = "",
    flagship: bool = False,
) -> Callable[[type[ClaimType]], type[ClaimType]]:
    """Give a class of claims its `name`, such as `bes22/weight-spike`, and what is known of it.

    Args:
        name: folder and file of the claim, `bes22/weight-spike`.
        kind: theorem, proposition, lemma, conjecture, example or figure.
        cite: a key of `giantstep.sources.SOURCES`, or a `Source` of one's own.
        version: changes when the claim's numbers would.
        where: the place in the source.
        finding: where the source's statement had to be corrected.
        flagship: whether `verify --flagship` takes it.
    """

    def name_it(cls: type[ClaimType]) -> type[ClaimType]:
        expected = cls.__module__.removeprefix("giantstep.claims.").replace(".", "/").replace("_", "-")
        if cls.__module__.startswith("giantstep.claims.") and expected != name:
            raise TypeError(f"the claim {name} must stand in the file of its name, not in {cls.__module__}")
        _check_class(name, cls)
        if isinstance(cite, str) and cite not in SOURCES:
            raise TypeError(f"the claim {name} cites the unknown '{cite}'; name it in sources.py or give a Source")
        source = SOURCES[cite] if isinstance(cite, str) else cite
        text = inspect.cleandoc(cls.__doc__ or "")
        cls.info = ClaimInfo(name, kind, source, version, where, finding, flagship, text)
        cls.__doc__ = f"{text}\n\n{arguments_list(cls.model_fields)}".strip()
        return cls

    return name_it


# Words of commands and of studies, which a parameter may not take.
RESERVED = frozenset(
    {"claim", "preset", "seeds", "seed", "workers", "figure", "json", "dry_run", "name", "store", "cluster", "slurm"}
    | {"jobs", "job_option", "quiet", "retry_failed", "save_config", "as_printed", "animate", "view", "scope", "token"}
)


def _check_class(name: str, cls: type[Claim]) -> None:
    """What every claim must have, checked when its class is made."""
    known = {q.name for q in getattr(cls, "quantities", ())}
    if not known:
        raise TypeError(f"the claim {name} has no quantities")
    if cls.measure is Claim.measure and cls.measure_path.__func__ is Claim.measure_path.__func__:  # type: ignore[attr-defined]
        raise TypeError(f"the claim {name} measures nothing: it must define measure or measure_path")
    check_engine(name, cls.engine)
    for needed in ("predict", "cost"):
        if getattr(cls, needed) is getattr(Claim, needed):
            raise TypeError(f"the claim {name} must define {needed}")
    for taken in RESERVED & set(cls.model_fields):
        raise TypeError(f"the claim {name} may not call a parameter {taken}: commands have a flag of this name")
    for quantity in cls.quantities:
        if quantity.along and quantity.along not in cls.model_fields:
            raise TypeError(f"{quantity.name} of {name} is judged along the unknown parameter {quantity.along}")
        for size in quantity.allowance.sizes() | (quantity.limit.sizes() if quantity.limit else set()):
            if size not in cls.model_fields and not hasattr(cls, size):
                raise TypeError(f"the allowance of {quantity.name} of {name} asks for the size {size}, which it lacks")
    for named_by in (*(n for h in cls.hypotheses for n in h.quantities), *(p.name for p in cls.printed)):
        if cls.stated is Claim.stated and named_by not in known:
            raise TypeError(f"a hypothesis or printed statement of {name} names the unknown quantity {named_by}")
    for view in cls.views:
        for field_name in (*view.at, *(axis.name for axis in view.axes)):
            if field_name not in cls.model_fields:
                raise TypeError(f"a view of {name} uses the unknown parameter {field_name}")
        for shown in (*getattr(view, "quantities", ()), *getattr(view, "bounds", ())):
            if cls.stated is Claim.stated and shown not in known:
                raise TypeError(f"a view of {name} shows the unknown quantity {shown}")
