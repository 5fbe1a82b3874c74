"""The claim: one theorem, conjecture, example or figure of the papers, made executable.

A claim is a frozen, validated point: a set of parameters with `predict` and `measure`, which return the
same named quantities, one from mathematics, one from a simulation. Flags, sweep axes, records, pictures and
documentation are all derived from its fields; see `claims/bes22/weight_spike.py` for a whole one.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from giantstep.claims.engines import Engines
from giantstep.claims.fields import default_of, extra
from giantstep.claims.formulas import Formula, formula_of
from giantstep.claims.help_text import plain_signature
from giantstep.claims.hypotheses import Hypothesis
from giantstep.claims.printed import Printed
from giantstep.claims.sentences import sentence
from giantstep.claims.view import View
from giantstep.errors import InputError
from giantstep.sources import Source
from giantstep.verdicts import html_table
from giantstep.verdicts.stating import Cost, Measurement, Prediction, Quantity, Run

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass as ModelClass

    from giantstep.studies import Results
else:
    ModelClass = type(BaseModel)


@dataclass(frozen=True)
class ClaimInfo:
    """What is known of a claim besides its code.

    Args:
        name: folder and file, `bes22/weight-spike`.
        kind: theorem, proposition, lemma, conjecture, example or figure.
        source: the paper.
        version: changes when the claim's numbers would.
        where: the place in the paper.
        finding: where the paper's statement had to be corrected.
        flagship: whether `verify --flagship` takes it.
        text: the docstring of the class as it was written; `help` shows it with a list of the parameters.
    """

    name: str
    kind: str
    source: Source
    version: int
    where: str = ""
    finding: str = ""
    flagship: bool = False
    text: str = ""


def tidy(names: Iterable[str]) -> list[str]:
    """Names without those that a claim inherits from its library of models, which no reader needs."""
    return [name for name in names if name not in _OF_MODELS and not name.startswith("__pydantic_")]


_OF_MODELS = frozenset({*dir(BaseModel), "__class_vars__", "__private_attributes__"}) - frozenset(dir(object))


class _TidyClass(ModelClass):
    def __dir__(cls) -> list[str]:
        return sorted(tidy(super().__dir__()))

    @property
    def __signature__(cls) -> inspect.Signature:
        """How a claim is called, as its user writes it."""
        return plain_signature(cls.model_fields)  # type: ignore[attr-defined]  # every class of models has them

    @__signature__.setter
    def __signature__(cls, value: object) -> None:
        """The library of models sets one of its own, with types as it reads them: it is not kept."""


class Claim(BaseModel, metaclass=_TidyClass):
    """Base of all claims. Subclasses give fields, `quantities`, `predict`, `cost`, and `measure` or `measure_path`."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        arbitrary_types_allowed=True,
        defer_build=True,  # until the first point is made: most classes between this one and a claim never make one
    )

    info: ClassVar[ClaimInfo]
    quantities: ClassVar[tuple[Quantity, ...]]
    hypotheses: ClassVar[tuple[Hypothesis, ...]] = ()
    printed: ClassVar[tuple[Printed, ...]] = ()
    views: ClassVar[tuple[View, ...]] = ()
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    default_seeds: ClassVar[int] = 8
    engine: ClassVar[Engines] = ()
    convention: ClassVar[str] = ""
    formula: ClassVar[Formula | None] = None  # giantstep's own stand in `_formulas.py` of their folder: see formula_of
    # Predictions that a picture may compute for a line of theory besides those that the study has stored: lower it
    # where one takes longer than some 20 ms, and the picture of a single point stays quick.
    line_places: ClassVar[int] = 61

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if sentence := _unheard(cls):
            warnings.warn(sentence, stacklevel=3)

    def __init__(self, **values: Any) -> None:
        """A point of the claim: `values` by name, the other parameters at their defaults."""
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise InputError(sentence(type(self), error)) from None
        try:
            with np.errstate(all="ignore"):  # what overflows is told in words, by whoever needs it
                self.check()
        except InputError:
            raise
        except (ArithmeticError, MemoryError, ValueError) as error:
            given = ", ".join(f"{name} = {value}" for name, value in self.changed().items())
            raise InputError(f"{self.name} cannot be computed at {given}: {error}") from None

    # What a claim writes --------------------------------------------------------------------------

    def check(self) -> None:
        """Refuse combinations of parameters that make no sense, with an `InputError`."""

    def predict(self) -> Prediction:
        """What theory says at this point."""
        raise NotImplementedError

    def measure(self, run: Run) -> Measurement:
        """One simulation with one seed at this point."""
        return self.measure_path([self], run)[0]

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        """One simulation for several points that differ in path parameters only."""
        return [point.measure(run) for point in points]

    def cost(self) -> Cost:
        """What one seed at this point costs, estimated before anything runs."""
        raise NotImplementedError

    # What every claim can then do -----------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.info.name

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value}' for name, value in self.changed().items())})"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        changed = self.changed()
        rows = [
            (name, value, "" if name in changed else "default", type(self).model_fields[name].description or "")
            for name, value in self.parameters().items()
        ]
        return statement_html(type(self)) + html_table(("parameter", "value", "", "what it is"), rows)

    def _repr_latex_(self) -> str | None:
        formula = formula_of(type(self))
        return formula.marked_down() if formula else None

    def __dir__(self) -> list[str]:
        return sorted({*tidy(super().__dir__()), *type(self).model_fields})

    def changed(self) -> dict[str, Any]:
        """The parameters that differ from their defaults, as plain values."""
        fields = type(self).model_fields
        return {name: value for name, value in self.parameters().items() if value != default_of(fields[name])}

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

    def outside(self, quantity: str) -> str:
        """The hypothesis that this point violates and on which the `quantity` of this name rests; empty if none."""
        rests = (h for h in self.hypotheses if h.concerns(quantity))
        return next((h.words for h in rests if not h.met(self)), "")

    def key(self, without: Sequence[str] = ()) -> str:
        """The identity of this point, the same for equal targets however written; some parameters may be left out."""
        values = {name: getattr(value, "canonical", value) for name, value in self if name not in without}
        return f"{self.address()} v{self.info.version} {sorted((k, str(v)) for k, v in values.items())}"

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
        from giantstep.studies import Study

        return Study(self, seeds=seeds, seed=seed).run(workers=workers)


def _unheard(cls: type[Claim]) -> str:
    """What to say of a class that predicts anew while its parent's measurement predicts for each draw; else nothing."""
    parent = cls.__mro__[1]
    own = vars(cls)
    if "predict" not in own or {"measure", "measure_path"} & own.keys() or not hasattr(parent, "info"):
        return ""
    on_draws = dict.fromkeys(q.name for q in getattr(cls, "quantities", ()) if q.against == "finite")
    if not on_draws:
        return ""
    return (
        f"{cls.__name__} predicts anew, but {', '.join(on_draws)} are judged against the prediction for each draw, "
        f"which the measurement of {parent.__name__} makes: override that too (predict_for, in most claims), or "
        f"state them with against='limit'"
    )


def statement(cls: type[Claim]) -> str:
    """The first sentence of the docstring of `cls`: what the claim states."""
    return (cls.info.text or cls.info.name).split("\n\n")[0].replace("\n", " ")


def statement_html(cls: type[Claim]) -> str:
    """Name, statement and formula of `cls` for a notebook, which typesets the mathematics."""
    formula = formula_of(cls)
    below = formula.marked_down().split("\n\n") if formula else ()
    return html_table((), (), above=f"{cls.info.name}: {statement(cls)}", below=below)
