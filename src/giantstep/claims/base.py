"""The claim: one theorem, conjecture, example or figure of the papers, made executable.

A claim is a frozen, validated point: a set of parameters with `predict` and `measure`, which return the
same named quantities, one from mathematics, one from a simulation. Flags, sweep axes, records, pictures and
documentation are all derived from its fields; see `claims/bes22/weight_spike.py` for a whole one.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeAlias, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    ValidationError,
    WithJsonSchema,
)

from giantstep.claims.quantities import Quantity
from giantstep.claims.values import Cost, Measurement, Prediction, Run
from giantstep.claims.views import View
from giantstep.errors import InputError
from giantstep.problems import Activation, InnerProductKernel, Target

if TYPE_CHECKING:
    from giantstep.studies.results import Results


def _text_field(kind: type[Any]) -> Any:
    """How a field that is written as text is read, stored and described."""

    known = lru_cache(maxsize=1024)(kind)  # the same few texts are read at every point of a grid

    def read(value: Any) -> Any:
        return value if isinstance(value, kind) else known(str(value))

    return PlainValidator(read), PlainSerializer(str), WithJsonSchema({"type": "string"})


TargetField: TypeAlias = Annotated[Target, *_text_field(Target)]
ActivationField: TypeAlias = Annotated[Activation, *_text_field(Activation)]
KernelField: TypeAlias = Annotated[InnerProductKernel, *_text_field(InnerProductKernel)]


def parameter(default: Any, help: str, *, symbol: str = "", path: bool = False, **bounds: Any) -> Any:
    """One parameter of a claim: its default, what it is, its symbol in the papers, its bounds (`ge`, `gt`, `le`, `lt`).

    `path=True` marks a parameter along which one simulation gives all values (step sizes on one draw,
    ridge penalties from one factorisation), so that a grid over it costs one run.
    """
    return Field(
        default,
        description=help,
        validate_default=True,
        json_schema_extra={"symbol": symbol, "path": path},
        **bounds,
    )


@dataclass(frozen=True)
class ClaimInfo:
    """What is known of a claim besides its code."""

    name: str
    kind: str
    cite: str
    version: int
    where: str = ""
    finding: str = ""
    flagship: bool = False


class Claim(BaseModel):
    """Base of all claims. Subclasses give fields, `quantities`, `predict`, `cost`, and `measure` or `measure_path`."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, arbitrary_types_allowed=True)

    info: ClassVar[ClaimInfo]
    quantities: ClassVar[tuple[Quantity, ...]]
    views: ClassVar[tuple[View, ...]] = ()
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    default_seeds: ClassVar[int] = 8
    engine: ClassVar[str] = "full"
    convention: ClassVar[str] = ""

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise InputError(_sentence(type(self), error)) from None
        self.check()

    # What a claim writes --------------------------------------------------------------------------

    def check(self) -> None:
        """Refuse combinations of parameters that make no sense, with an `InputError`."""

    def predict(self) -> Prediction:
        """What theory says at this point."""
        raise TypeError(f"{type(self).__name__} predicts nothing")

    def measure(self, run: Run) -> Measurement:
        """One simulation with one seed at this point."""
        return self.measure_path([self], run)[0]

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        """One simulation for several points that differ in path parameters only."""
        return [point.measure(run) for point in points]

    def cost(self) -> Cost:
        """What one seed at this point costs, estimated before anything runs."""
        raise TypeError(f"{type(self).__name__} states no cost")

    # What every claim can then do -----------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.info.name

    @classmethod
    def address(cls) -> str:
        """How the claim is called again: by its name, or `module:Class` if it is not one of giantstep's own."""
        own = cls.__module__.startswith("giantstep.claims.")
        return cls.info.name if own else f"{cls.__module__}:{cls.__qualname__}"

    def replace(self, **changes: Any) -> Self:
        """The same claim at another point."""
        return type(self)(**{**dict(self), **changes})

    def stated(self) -> tuple[Quantity, ...]:
        """What the claim says at this point; a claim whose quantities depend on its target says so here."""
        return self.quantities

    def key(self, without: Sequence[str] = ()) -> str:
        """The identity of this point, the same for equal targets however written; some parameters may be left out."""
        values = {name: getattr(value, "canonical", value) for name, value in self if name not in without}
        return f"{self.name} v{self.info.version} {sorted((k, str(v)) for k, v in values.items())}"

    def parameters(self) -> dict[str, Any]:
        """The point as plain values, defaults filled in: the same point always gives the same dictionary."""
        return self.model_dump(mode="json")

    @classmethod
    def path_parameters(cls) -> tuple[str, ...]:
        """The parameters along which one simulation gives all values."""
        return tuple(name for name, f in cls.model_fields.items() if extra(f)["path"])

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Self:
        """The point that a slide or figure of the paper uses."""
        if name not in cls.presets:
            raise InputError(f"{cls.info.name} has no preset '{name}'; it has: {', '.join(cls.presets) or 'none'}")
        return cls(**{**cls.presets[name], **changes})

    def run(self, seeds: int | None = None, *, seed: int = 0, workers: int | None = None) -> Results:
        """Measure this point with several seeds and compare it with theory: shorthand for a study of one point."""
        from giantstep.studies.study import Study

        return Study(self, seeds=seeds, seed=seed).run(workers=workers)


def extra(field_info: Any) -> dict[str, Any]:
    """What `parameter` noted about a field beyond its type."""
    return {"symbol": "", "path": False, **(field_info.json_schema_extra or {})}


ClaimType = TypeVar("ClaimType", bound=Claim)


def claim(
    name: str,
    *,
    kind: str,
    cite: str,
    version: int = 1,
    where: str = "",
    finding: str = "",
    flagship: bool = False,
) -> Callable[[type[ClaimType]], type[ClaimType]]:
    """Name a claim. `kind` is theorem, conjecture, proposition, example or figure; `where` finds it in its source;
    `finding` says where the source's statement had to be corrected; `version` changes when its numbers would."""

    def name_it(cls: type[ClaimType]) -> type[ClaimType]:
        expected = cls.__module__.removeprefix("giantstep.claims.").replace(".", "/").replace("_", "-")
        if cls.__module__.startswith("giantstep.claims.") and expected != name:
            raise TypeError(f"the claim {name} must stand in the file of its name, not in {cls.__module__}")
        _check_class(name, cls)
        cls.info = ClaimInfo(name, kind, cite, version, where, finding, flagship)
        return cls

    return name_it


# Words of commands and of studies, which a parameter may not take.
RESERVED = frozenset(
    {"claim", "preset", "seeds", "seed", "workers", "figure", "json", "dry_run", "name", "store", "cluster", "slurm"}
    | {"jobs", "job_option", "quiet", "retry_failed", "save_config"}
)


def _check_class(name: str, cls: type[Claim]) -> None:
    """What every claim must have, checked when its class is made."""
    known = {q.name for q in cls.quantities}
    if not known:
        raise TypeError(f"the claim {name} has no quantities")
    if cls.measure is Claim.measure and cls.measure_path.__func__ is Claim.measure_path.__func__:  # type: ignore[attr-defined]
        raise TypeError(f"the claim {name} measures nothing: it must define measure or measure_path")
    for taken in RESERVED & set(cls.model_fields):
        raise TypeError(f"the claim {name} may not call a parameter {taken}: commands have a flag of this name")
    for quantity in cls.quantities:
        if quantity.along and quantity.along not in cls.model_fields:
            raise TypeError(f"{quantity.name} of {name} is judged along the unknown parameter {quantity.along}")
    for view in cls.views:
        for field_name in (*view.at, *getattr(view, "axes", {})):
            if field_name not in cls.model_fields:
                raise TypeError(f"a view of {name} uses the unknown parameter {field_name}")
        for shown in (*getattr(view, "quantities", ()), *getattr(view, "bounds", ())):
            if cls.stated is Claim.stated and shown not in known:
                raise TypeError(f"a view of {name} shows the unknown quantity {shown}")


def _sentence(cls: type[Claim], error: ValidationError) -> str:
    """All that was wrong with a set of parameters, as sentences a user can act on."""
    return "; ".join(_one_sentence(cls, dict(item)) for item in error.errors())


def _one_sentence(cls: type[Claim], item: dict[str, Any]) -> str:
    name = str(item["loc"][0]) if item["loc"] else ""
    given = item.get("input")
    if item["type"] == "extra_forbidden":
        return unknown_parameter(cls, name)
    context = item.get("ctx", {})
    if isinstance(context.get("error"), InputError):
        return f"{name}: {context['error']}"
    bounds = {"greater_than_equal": "ge", "greater_than": "gt", "less_than_equal": "le", "less_than": "lt"}
    if item["type"] in bounds:
        return f"{name} = {given} is not allowed; it must be {_bounds_in_words(cls, name)}"
    wanted = {
        "int": "a whole number",
        "float": "a number",
        "bool": "true or false",
        "finite": "a finite number",
    }
    for key, words in wanted.items():
        if item["type"].startswith(key):
            return f"{name} = {given!r} is not allowed; it must be {words}"
    if item["type"] == "literal_error":
        return f"{name} = {given!r} is not allowed; it must be {context['expected']}"
    return f"{name} = {given!r} is not allowed: {item['msg']}"


def unknown_parameter(cls: type[Claim], name: str) -> str:
    """The sentence about a parameter that a claim does not have."""
    close = difflib.get_close_matches(name, cls.model_fields, n=1)
    hint = f"did you mean '{close[0]}'? " if close else ""
    return f"{cls.info.name} has no parameter '{name}'; {hint}It has: {', '.join(cls.model_fields)}"


def _bounds_in_words(cls: type[Claim], name: str) -> str:
    words = {"ge": "at least", "gt": "greater than", "le": "at most", "lt": "less than"}
    found = [
        f"{words[key]} {getattr(rule, key):g}"
        for rule in cls.model_fields[name].metadata
        for key in words
        if getattr(rule, key, None) is not None
    ]
    return " and ".join(found)
