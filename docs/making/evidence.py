"""What stored simulations say of the claims: verdicts, tables and pictures, drawn once and kept in a folder.

`make gallery` simulates what is missing, then draws; `make docs` takes what is there. A claim is drawn again when its
version or the records of its study have changed.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from giantstep.claims import Claim, claim, claim_class, listed_claims
from giantstep.errors import InputError
from giantstep.report.fragments import provenance_table, quantities_table
from giantstep.report.judgements import judgements_table
from giantstep.studies import Results, Store, Study
from making.corrections import Correction, corrections_of
from making.staging import ROOT

STORE = ROOT / "build" / "gallery.sqlite"
FOLDER = ROOT / "build" / "gallery"


@dataclass(frozen=True)
class Evidence:
    """What a complete study says of a claim.

    Args:
        key: by which one sees that it is out of date.
        version: that of the claim when it was judged.
        seeds: the first and the last seed, in words.
        status: holds, fails, undecided or outside.
        sentence: the verdict with its numbers.
        sharpness: how wrong theory would have to be to be noticed.
        sheets: how many pictures there are.
        kinds: what the pictures show: curve, spectrum, heat map and so on.
        commit: that of the checkout in which it was judged and drawn.
        corrections: what sources print, where that had to be corrected.
        tables: by name, tables as HTML: quantities, judgements, provenance.
        point: of a preset, the values that it gave when it was drawn.
    """

    key: str
    version: int
    seeds: str
    status: str
    sentence: str
    sharpness: str
    sheets: int
    kinds: tuple[str, ...] = ()
    commit: str = ""
    corrections: tuple[Correction, ...] = ()
    tables: Mapping[str, str] = field(default_factory=dict)
    point: Mapping[str, Any] = field(default_factory=dict)


def file_name(name: str) -> str:
    """The name of the files of a claim, or of a claim and its preset: `folder/name:preset`."""
    return name.replace("/", "-").replace(":", "--")


def preset_key(name: str, preset: str) -> str:
    """The name under which the study of a preset is kept, and by which pages lead to it."""
    return f"preset-{file_name(name)}-{preset}"


def study_of(cls: type[Claim], store: Path, seed: int = 0) -> Study:
    """The default study of a claim, under the name that `giantstep verify --store` gives it too."""
    return Study.of_views(cls(), seed=seed, name=f"verify-{file_name(cls.info.name)}", store=store)


def preset_axis(point: Claim) -> dict[str, str]:
    """What is swept at the point of a preset, with its values: nothing, unless nothing is stated at the point alone.

    Then it is an axis of the claim's views along which something is stated there: of a view of this very point, if
    there is one.
    """
    spoken = [quantity for quantity in point.stated() if quantity.speaks_at(point) and quantity.relation != "reported"]
    along = [quantity.along for quantity in spoken if quantity.is_along_an_axis]
    if len(along) < len(spoken):
        return {}
    views = sorted(point.views, key=lambda view: len(view.at) if point.replace(**view.at) == point else 0, reverse=True)
    axes = (axis for view in views for axis in view.axes if axis.name in along)
    return next(({axis.name: axis.written or ",".join(map(str, axis.values))} for axis in axes), {})


def preset_study(name: str, preset: str, store: Path, seed: int = 0, longest: float = math.inf) -> Study:
    """The claim at the point of a preset, which is what `giantstep run --preset` simulates, or along an axis there.

    It has as many of the claim's seeds as one core simulates in `longest` seconds, and one at least.
    """
    point, kept = claim(name, preset=preset), {"seed": seed, "store": store, "name": preset_key(name, preset)}
    axis = preset_axis(point)
    whole = Study(point, **axis, **kept)
    seeds = int(min(1.0, longest / whole.estimate(workers=1).seconds) * point.default_seeds)
    return whole if seeds == point.default_seeds else Study(point, **axis, seeds=max(1, seeds), **kept)


def preset_command(name: str, preset: str, told: Evidence) -> str:
    """The command that repeats what is known of a preset, with the same seeds."""
    point = claim(name, preset=preset)
    axis = "".join(f" --{one.replace('_', '-')} {values}" for one, values in preset_axis(point).items())
    first, *last = (int(number) for number in re.findall(r"\d+", told.seeds))
    count = last[0] - first + 1 if last else 1
    seeds = f" --seeds {count}" if count != point.default_seeds else ""
    return f"giantstep {'sweep' if axis else 'run'} {name} --preset {preset}{axis}{seeds}{first_seed(told)}"


def with_enough_seeds(study: Study, told: Results, longest: float) -> Study | None:
    """A preset's `study` with the seeds that may decide what it `told`: a quarter more than the verdict asks for.

    None where the verdict is decided, where nobody can say how many seeds would do, and where one core would simulate
    them for more than `longest` seconds. Like `giantstep verify`, it asks the standard error, not the gap.
    """
    open_ones = [one for one in told.verdict.judgements if one.counts and one.status == "undecided"]
    many = 1.25 * max((one.seeds_needed or math.inf for one in open_ones), default=math.inf)
    before = study.record_count // len(study.points)
    if many * study.estimate(workers=1).seconds > longest * before:
        return None
    kept = {"seed": study.seed, "name": study.name, "store": study.store}
    return Study(study.base, **preset_axis(study.base), seeds=max(math.ceil(many), before + 1), **kept)


def known(folder: Path = FOLDER) -> dict[str, Evidence]:
    """By claim, or claim and preset, what was drawn; that of older versions of claims and presets is left out."""
    return read(json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json")))


def read(told: Iterable[Mapping[str, Any]]) -> dict[str, Evidence]:
    """Evidence by name, from what was written of it; that of claims, versions and presets of the past is left out.

    So is that of a preset which has other values now.
    """
    now = {one.name: claim_class(one.name) for one in listed_claims()}
    found = {}
    for one in told:
        name, _, preset = one["name"].partition(":")
        cls = now.get(name)
        if cls and cls.info.version == one.get("version") and one.get("point", {}) == values_of(cls, preset):
            rest = {key: value for key, value in one.items() if key != "name"}
            rest["corrections"] = tuple(Correction(**told) for told in rest.get("corrections", ()))
            found[one["name"]] = Evidence(**rest)
    return found


def values_of(cls: type[Claim], preset: str) -> Mapping[str, Any] | None:
    """What a preset gives; nothing for a claim itself, None for a preset that there is no more."""
    return cls.presets.get(preset) if preset else {}


def draw_all(names: Iterable[str], store: Path, folder: Path = FOLDER) -> int:
    """Judge and draw every complete study of these claims, but for those that are up to date; says how many."""
    folder.mkdir(parents=True, exist_ok=True)
    with Store(store) as opened:
        complete = {one.name: one for one in opened.studies() if one.done >= one.records > 0}
    before, count = known(folder), 0
    for told, kept in ((told, kept) for name in names for told, kept in _kept_names(name).items()):
        if kept not in complete:
            continue
        entry = complete[kept]
        seed = entry.spec["seed"]
        key = f"version {entry.spec['version']}, {entry.done} records from seed {seed}, {entry.seen:.0f}"
        if told in before and before[told].key == key:
            continue
        try:
            study = Study.from_spec(entry.spec, kept, store)  # with the seeds that were simulated
            if ":" in told and study.base != _point(told):
                print(f"{told}: it was another point when it was simulated", flush=True)
                continue
            draw_one(told, study.results(), key, folder)
        except InputError as error:  # of another version, or a point of which no panel shows anything
            print(f"{told}: {error}", flush=True)
            continue
        count += 1
    return count


def _point(told: str) -> Claim:
    """A claim as it is, or at a preset: `folder/name:preset`."""
    name, _, preset = told.partition(":")
    return claim(name, preset=preset)


def draw_one(name: str, results: Results, key: str, folder: Path) -> None:
    """Judge and draw a claim, or a claim and its preset, which has the small picture alone, into the `folder`."""
    stem, preset = folder / file_name(name), name.partition(":")[2]
    point = values_of(type(results.claim), preset) or {}
    evidence = replace(drawn(results, key, stem, sheets=not preset), point=point)
    text = json.dumps({"name": name, **asdict(evidence)}, indent=1)
    stem.with_name(f"{stem.name}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{name}: {evidence.status}", flush=True)


def _kept_names(name: str) -> dict[str, str]:
    """A claim and its presets, each with the name under which its study is kept."""
    presets = {f"{name}:{preset}": preset_key(name, preset) for preset in claim_class(name).presets}
    return {name: f"verify-{file_name(name)}", **presets}


def drawn(results: Results, key: str, stem: Path, *, sheets: bool = True) -> Evidence:
    """Verdict and tables of results; their pictures, with all `sheets` or not, go to files that begin with `stem`."""
    results.thumbnail().save(stem.with_name(f"{stem.name}-small.svg"))
    pictures = results.figures() if sheets else []
    for number, sheet in enumerate(pictures, 1):
        sheet.save(stem.with_name(f"{stem.name}-{number}.svg"))
    sharpness = results.sharpness()
    return Evidence(
        key,
        results.claim.info.version,
        seeds_in_words(results),
        results.verdict.status,
        results.verdict.sentence,
        sharpness.in_words() if sharpness.resolutions else "",
        len(pictures),
        tuple(dict.fromkeys(type(view).__name__ for view in results.views)),
        commit(),
        corrections_of(results),
        {
            "quantities": quantities_table(results),
            "judgements": judgements_table(results, ""),
            "provenance": provenance_table(results),
        },
    )


def seeds_in_words(results: Results) -> str:
    """The first and the last seed."""
    used = [seed for cell in results.cells for seed in cell.seeds]
    return f"seeds {min(used)} to {max(used)}" if len(set(used)) > 1 else f"seed {used[0]}"


def first_seed(told: Evidence) -> str:
    """The flag that repeats a verdict with the same seeds; nothing where these are the usual ones."""
    found = re.search(r"\d+", told.seeds)
    return f" --seed {found[0]}" if found and int(found[0]) else ""


def commit() -> str:
    """The commit of this checkout; empty where there is none."""
    asked = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
