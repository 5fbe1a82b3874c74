"""What a study found: cells, a verdict, tables, pictures and the record that goes into JSON."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from giantstep.checks import instance, whole_number
from giantstep.claims import Claim, PrintedVerdict, View, judge_as_printed
from giantstep.errors import InputError
from giantstep.studies.default_views import as_asked
from giantstep.studies.plain_data import cell_dict, judgement_dict, mean_rows, rows
from giantstep.studies.tables import Frame
from giantstep.verdicts import Cell, Judgement, Sharpness, Status, Verdict, judge, sharpness_of
from giantstep.verdicts.stating import Prediction, keyed

if TYPE_CHECKING:
    from giantstep.figures import Drawing, Film

MOST_TOLD = 8  # values of a parameter that a sentence lists


@dataclass(frozen=True, eq=False)
class Results:
    """The cells of a study and what follows from them: verdict, tables, pictures.

    Args:
        claim: the point whose study it was.
        cells: its points, each with what theory says and what each seed showed.
        provenance: what is needed to trust and repeat it: versions, first seed, engine, seconds, workers.
        views: what its picture shows.
        failures: a sentence for each simulation that failed.
        interrupted: whether it was stopped before all was measured.
        environments: by cell and seed, where the numbers were made.
        damaged: records that the store holds, or held, damaged, by seed and point: they are not among the cells, or
            were simulated again.
        theory: predictions that pictures have asked for besides those of the cells, by the key of their point; None
            where theory refuses. Results of one session may share it, so that nothing is computed twice.
        line_places: at how many places at most pictures compute a line of theory; as many as the claim says if None.
    """

    claim: Claim
    cells: tuple[Cell, ...]
    provenance: Mapping[str, Any]
    views: tuple[View, ...] = ()
    failures: tuple[str, ...] = ()
    interrupted: bool = False
    environments: tuple[tuple[Mapping[str, str], ...], ...] = ()
    damaged: tuple[str, ...] = ()
    theory: MutableMapping[str, Prediction | None] = field(default_factory=dict)
    line_places: int | None = None

    @cached_property
    def verdict(self) -> Verdict:
        """Holds, fails, undecided or outside, over all cells that were measured."""
        quantities = self.claim.stated()
        if self.interrupted or self.failures:
            partial = judge(quantities, self.cells, self.base_cell.point)
            failed = f"{len(self.failures)} simulations failed, " if self.failures[1:] else ""
            why = "interrupted" if self.interrupted else failed + self.failures[0]
            status: Status = "fails" if partial.status == "fails" else "undecided"
            return Verdict(status, f"{partial.sentence} ({why})", partial.judgements)
        return judge(quantities, self.cells, self.base_cell.point)

    @cached_property
    def base_cell(self) -> Cell:
        """The cell at the claim's own point; the first one if the grid does not contain it."""
        if not self.cells:
            raise InputError(f"these results of {self.claim.name} hold no point")
        return (self.around(self.claim) or self.cells)[0]

    def at(self, point: Claim | None = None, /, **parameters: Any) -> Cell:
        """The cell at a point: `results.at(step=6)` or `results.at(other_point)`.

        `point` is the claim's own one if none is given, and `parameters` are changes of it: what is not named has the
        value that it has there.
        """
        wanted = self.claim if point is None else instance("the point", point, Claim, "a claim at a point")
        wanted = wanted.replace(**parameters) if parameters else wanted
        found = self.around(wanted)
        if not found:
            raise InputError(_not_there(wanted, self.cells))
        return found[0]

    def around(self, point: Claim, *free: str) -> tuple[Cell, ...]:
        """The cells that differ from a point in the parameters `free` at most, in the order of the study.

        A dictionary answers, made at the first question: pictures ask once for every line and place that they draw.
        """
        if free not in self._found:
            groups: dict[str, list[Cell]] = {}
            for cell in self.cells:
                groups.setdefault(cell.point.key(without=free), []).append(cell)
            self._found[free] = {key: tuple(cells) for key, cells in groups.items()}
        return self._found[free].get(point.key(without=free), ())

    def theory_at(self, point: Claim) -> Prediction | None:
        """What theory says at a `point`: as stored where the study has it, else computed once and remembered.

        None where theory refuses or breaks down: a line in a picture then has a gap.
        """
        if stored := self.around(point):
            return stored[0].prediction
        key = point.key()
        if key not in self.theory:
            try:
                self.theory[key] = point.predict()
            except Exception:  # at the study's own points the same is told in a sentence, before anything runs
                self.theory[key] = None
        return self.theory[key]

    @cached_property
    def _found(self) -> dict[tuple[str, ...], dict[str, tuple[Cell, ...]]]:
        return {}

    def judgements(self) -> dict[str, Judgement]:
        """Each quantity at the claim's own point; relations along an axis by their worst line."""
        order = {"fails": 0, "undecided": 1, "outside": 2, "holds": 3}
        here = self.base_cell.point.parameters()
        found: dict[str, Judgement] = {}
        for judged in sorted(self.verdict.judgements, key=lambda j: order[j.status]):
            if judged.quantity.is_along_an_axis or judged.point == here:
                found.setdefault(judged.key, judged)
        stated = [key for key in keyed(self.claim.stated()) if key in found]
        return {key: found[key] for key in (*stated, *found)}

    def sharpness(self) -> Sharpness:
        """How wrong theory would have to be for this verdict to notice: each quantity's resolution over all points."""
        return sharpness_of(self.verdict.judgements)

    def as_printed(self) -> tuple[PrintedVerdict, ...]:
        """What the claim's source prints where it had to be corrected, judged on the same simulations."""
        return judge_as_printed(self.claim.printed, self.claim.stated(), self.cells, self.verdict)

    def figure(
        self,
        view: int | None = None,
        *,
        panel: str = "",
        title: str = "",
        caption: bool = True,
        log_x: bool | None = None,
        log_y: bool | None = None,
        heat_map: bool | None = None,
        **look: Any,
    ) -> Drawing:
        """The picture: all views of the study, or the one asked for; of many panels the first sheet, see `figures`.

        Args:
            view: the number of a view, from 0; all of them if None.
            panel: the letter of one panel that is drawn alone.
            title: what stands above the picture instead of the claim's statement.
            caption: whether the parameters are said below it.
            log_x: whether horizontal axes are logarithmic; as the views have it if None.
            log_y: the same for vertical axes.
            heat_map: whether what has two numeric axes is a heat map, or curves; as the study has it if None.
            look: `theme`, `size`, `font_size`, `dpi` and `transparent`, as `figures.Look.of` takes them.
        """
        scales = {"log_x": log_x, "log_y": log_y, "heat_map": heat_map}
        return self._drawn(view, {"panel": panel, "title": title, "caption": caption, **scales}, look)[0]

    def figures(self, view: int | None = None, **wishes: Any) -> list[Drawing]:
        """The picture in sheets of at most six panels each; of one each, without captions, where a `size` is too small.

        Args:
            view: the number of a view, from 0; all of them if None.
            wishes: everything else that `figure` takes.
        """
        from giantstep.studies.pictures.wishes import Wishes

        own = {one.name: wishes.pop(one.name) for one in fields(Wishes) if one.name in wishes}
        return self._drawn(view, own, wishes, sheets=None)

    def _drawn(
        self, view: int | None, wishes: Mapping[str, Any], look: Mapping[str, Any], sheets: int | None = 1
    ) -> list[Drawing]:
        """The first so many sheets, or all of them."""
        from giantstep.figures import Look
        from giantstep.studies.pictures.whole import picture_of, sheets_of
        from giantstep.studies.pictures.wishes import Wishes, drawn

        number = None if view is None else whole_number("view", view, least=0)
        wished, shown = Wishes(**wishes), self
        if wished.heat_map is not None:
            shown = replace(self, views=as_asked(self.claim, self.views, heat_maps=wished.heat_map))
        found = [picture_of(shown, number)] if wished.panel else sheets_of(shown, number)[:sheets]
        return drawn(found, wished, Look.of(**look))

    def film(self, along: str, **wishes: Any) -> Film:
        """The pictures of the study along one of its parameters as a film: `results.film("step").save("spike.gif")`.

        Args:
            along: the parameter, of which the study has several values.
            wishes: everything that `figure` takes but a view: `panel` is that of the frames.
        """
        from giantstep.figures import Film, Look
        from giantstep.studies.pictures.frames import frames_of
        from giantstep.studies.pictures.wishes import Wishes

        wished = Wishes(**{one.name: wishes.pop(one.name) for one in fields(Wishes) if one.name in wishes})
        if wished.heat_map is not None:
            raise InputError("a film has curves and spectra as they are: heat_map is for pictures")
        frames = [(clock, wished.met_by(picture)) for clock, picture in frames_of(self, along)]
        return Film(frames, Look.of(**wishes))

    def caption(self, sheets: Sequence[Drawing]) -> str:
        """What is said below pictures: how they are read, and all parameters, so that they can be made again.

        It is plain text: mathematics stands in it as it is typed.

        Args:
            sheets: the pictures, as `figures` gives them.
        """
        from giantstep.studies.pictures.whole import caption_of, reading

        panels: list[Any] = [panel for sheet in sheets for panel in getattr(sheet.picture, "panels", (sheet.picture,))]
        return f"{reading(panels)} {caption_of(self, str)}".strip()

    def thumbnail(self) -> Drawing:
        """The first panel that compares simulations with something, alone and without words around it."""
        from giantstep.figures import draw
        from giantstep.studies.pictures.whole import thumbnail_of

        return draw(thumbnail_of(self))

    def frame(self, *, provenance: bool = False) -> Frame:
        """Tidy columns, one row per point, seed and quantity, as pandas and polars take them.

        A curve has a row for each of its places, `x`. With `provenance`, columns say where each number was made.
        """
        found: list[dict[str, Any]] = []
        for place, cell in enumerate(self.cells):
            for number, (seed, measurement) in enumerate(zip(cell.seeds, cell.measurements, strict=True)):
                made: Mapping[str, Any] = {}
                if provenance:
                    made = {"claim": self.claim.name, "claim_version": self.claim.info.version}
                    made |= {"memory": "", **self.environments[place][number]}  # a remark, where much was taken
                for name, value in measurement.values.items():
                    found += [{**row, **made} for row in rows(cell, seed, name, value, measurement.finite.get(name))]
        return _frame(found)

    def means(self) -> Frame:
        """Tidy columns, one row per point and quantity: the mean over seeds with its error, and what theory says.

        A curve has a row for each of its places, `x`. `predicted` is the limit, `predicted_finite` that for the draws.
        """
        return _frame([row for cell in self.cells for row in mean_rows(cell)])

    def to_dict(self) -> dict[str, Any]:
        """The record of the claim's own point, as `--json` prints it."""
        return {
            "claim": self.claim.name,
            "parameters": self.base_cell.point.parameters(),
            "seeds": list(self.base_cell.seeds),
            "quantities": {name: judgement_dict(j) for name, j in self.judgements().items()},
            "verdict": {"status": self.verdict.status, "sentence": self.verdict.sentence},
            "sharpness": self.sharpness().to_dict(),
            "as_printed": [one.to_dict() for one in self.as_printed()],
            "provenance": dict(self.provenance) | ({"interrupted": True} if self.interrupted else {}),
        }

    def study_dict(self) -> dict[str, Any]:
        """The record of a whole study: every point with the means of its quantities and their predictions."""
        return {
            "claim": self.claim.name,
            "points": [cell_dict(cell, self._judged) for cell in self.cells],
            "failures": list(self.failures),
            "verdict": {"status": self.verdict.status, "sentence": self.verdict.sentence},
            "sharpness": self.sharpness().to_dict(),
            "as_printed": [one.to_dict() for one in self.as_printed()],
            "provenance": dict(self.provenance) | ({"interrupted": True} if self.interrupted else {}),
        }

    @cached_property
    def _judged(self) -> dict[str, list[Judgement]]:
        """By the parameters of a point, what counts there."""
        found: dict[str, list[Judgement]] = {}
        for judged in self.verdict.judgements:
            if judged.counts and not judged.quantity.is_along_an_axis:
                found.setdefault(str(judged.point), []).append(judged)
        return found

    def _repr_html_(self) -> str:
        from giantstep.studies.notebook import results_html

        return results_html(self)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]

    def __repr__(self) -> str:
        count, seeds = len(self.cells), len(self.base_cell.measurements)
        return f"Results({self.claim.name}, {count} point{'' if count == 1 else 's'}, {seeds} seeds; {self.verdict})"


def _frame(rows: Sequence[Mapping[str, Any]]) -> Frame:
    names = list(rows[0]) if rows else []
    return Frame({name: np.array([row[name] for row in rows]) for name in names})


def _not_there(point: Claim, cells: Sequence[Cell]) -> str:
    """That a study has no such point, and which values it has of the parameters in which it differs."""
    asked, known = point.parameters(), [cell.point.parameters() for cell in cells]
    if any(set(one) != set(asked) for one in known):
        return f"this is not a study of {point.name}"
    values = {name: list(dict.fromkeys(one[name] for one in known)) for name in asked}
    apart = [name for name in asked if values[name] != [asked[name]]]
    place = ", ".join(f"{name} = {asked[name]}" for name in apart)
    return f"this study has no point at {place}; it has {', '.join(_told(n, values[n]) for n in apart) or 'none'}"


def _told(name: str, values: Sequence[Any]) -> str:
    few = [str(value) for value in values[:MOST_TOLD]]
    return f"{name} = {', '.join(few)}{', ...' if len(values) > MOST_TOLD else ''}"
