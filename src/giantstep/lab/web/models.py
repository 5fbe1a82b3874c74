"""What requests hold and answers give, as models: they check what comes in, and describe the interface (OpenAPI)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

LONGEST_TEXT = 2000
MOST_SEEDS = 10_000

Word: TypeAlias = Annotated[str, Field(max_length=100)]
Text: TypeAlias = Annotated[str, Field(max_length=LONGEST_TEXT)]
Value: TypeAlias = bool | int | float | Text
Values: TypeAlias = Annotated[dict[Word, Value], Field(max_length=64)]


class Asked(BaseModel):
    """Base of what requests hold: nothing unknown, no infinities."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)


class Sentence(BaseModel):
    """Every answer that is not what was asked for."""

    sentence: str
    reason: Literal["input", "too large", "forbidden", "not found", "busy", "broken"]
    field: str = ""
    command: str = ""


class Point(Asked):
    """A claim at a point: fields that are not given have the values of the preset, or else their defaults."""

    parameters: Values = Field(default_factory=dict)
    preset: Word = ""


class PredictionAsked(Point):
    """Theory at a point, in one view, or in the first of which theory draws something (null); a draft has few places on
    each line. Cost and command are those of a simulation of `seeds` from `seed` on over `scope`."""

    view: Annotated[int, Field(ge=0, le=1000)] | None = 0
    panels: bool = True
    draft: bool = False
    scope: Literal["point", "view"] = "point"
    seeds: Annotated[int, Field(ge=1, le=MOST_SEEDS)] | None = None
    seed: Annotated[int, Field(ge=0, le=2**62)] = 0


class SimulationAsked(Point):
    """A simulation at a point, or over the grid of one view."""

    view: Annotated[int, Field(ge=0, le=1000)] = 0
    scope: Literal["point", "view"] = "point"
    seeds: Annotated[int, Field(ge=1, le=MOST_SEEDS)] = 8
    seed: Annotated[int, Field(ge=0, le=2**62)] = 0


class TextAsked(Asked):
    """A text that is to be read: as one of three kinds, or as a field of a claim."""

    kind: Literal["target", "activation", "kernel"] = "target"
    claim: Word = ""
    field: Word = ""
    text: Text


class TextAnswer(BaseModel):
    """Whether it can be read; if not, the parser's sentence and the place where it stopped."""

    ok: bool
    sentence: str
    position: int | None
    text: str
    latex: str


class Control(BaseModel):
    """A field of a claim, as the page shows it."""

    name: str
    kind: Literal["number", "integer", "boolean", "choice", "target", "activation", "kernel", "text"]
    default: Any
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    below: float | None = None
    choices: list[Any]
    help: str
    symbol: str
    path: bool
    slider: dict[str, Any] | None


class Cost(BaseModel):
    """What a simulation needs, roughly; `refusal` says why the lab would not do it."""

    seconds: float | None
    bytes: float | None
    sentence: str
    refusal: str


class Predicted(BaseModel):
    """Theory at a point."""

    claim: str
    parameters: dict[str, Any]
    changed: dict[str, Any]
    view: int
    tabs: list[int]
    titles: dict[int, str]
    panels: list[dict[str, Any]]
    silence: str
    quantities: list[dict[str, Any]]
    regime: str
    notes: list[str]
    thresholds: dict[str, float | None]
    command: str
    python: str
    cost: Cost
    seconds: float


class DescribedClaim(BaseModel):
    """One claim: words, controls, presets, tabs, quantities."""

    name: str
    kind: str
    statement: str
    story: str
    formula: dict[str, Any] | None
    source: str
    url: str
    bibtex: str
    finding: str
    convention: str
    engine: str
    hypotheses: list[str]
    as_printed: dict[str, str]
    version: int
    default_seeds: int
    controls: list[Control]
    presets: list[dict[str, Any]]
    views: list[dict[str, Any]]
    quantities: list[dict[str, Any]]
    questions: list[str]
    paper: str


class Jobs(BaseModel):
    """What the lab is at."""

    running: int
    waiting: int
    jobs: list[dict[str, Any]]


class Stopped(BaseModel):
    """Whether something was stopped."""

    stopped: bool


class AnalysisAsked(Asked):
    """A target, and the activation whose view of it is wanted."""

    target: Text
    activation: Text | None = None


class NetworkAsked(Asked):
    """The settings of a new network; those that are not given have their defaults."""

    settings: Values = Field(default_factory=dict)


class Steps(Asked):
    """Some steps more, under settings that may have changed."""

    steps: Annotated[int, Field(ge=1, le=50)] = 1
    settings: Values = Field(default_factory=dict)


class Back(Asked):
    """Some steps back."""

    steps: Annotated[int, Field(ge=1, le=400)] = 1


class Network(BaseModel):
    """A network that somebody plays with: its neurons now, and what each step showed."""

    id: str
    step: int
    settings: dict[str, Any]
    directions: list[dict[str, Any]]
    levels: list[dict[str, Any]]
    neurons: dict[str, Any]
    history: list[dict[str, Any]]
    new: int
    seconds: float
    notes: list[str]
    command: str
    python: str


class Ended(BaseModel):
    """Whether something was forgotten."""

    ended: bool


class StudyAsked(Asked):
    """A study: values with `:` or `,` are axes."""

    claim: Word
    parameters: Values = Field(default_factory=dict)
    preset: Word = ""
    seeds: Annotated[int, Field(ge=1, le=MOST_SEEDS)] | None = None
    seed: Annotated[int, Field(ge=0, le=2**62)] = 0
    name: Annotated[str, Field(max_length=100, pattern=r"^([A-Za-z0-9][A-Za-z0-9._-]*)?$")] = ""
    dry_run: bool = False


class Planned(BaseModel):
    """What a study is: its name, its size and cost, and the command that is the same."""

    name: str
    command: str
    points: int
    records: int
    cost: Cost
    fixed: dict[str, Any]
    axes: dict[str, str]


class Studies(BaseModel):
    """The studies of the store."""

    studies: list[dict[str, Any]]
