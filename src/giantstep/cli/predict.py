"""`giantstep predict`: what theory says of one claim at one point. Nothing is simulated, nor loaded that simulates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from giantstep import studies
from giantstep.claims import Claim
from giantstep.cli.exits import DONE
from giantstep.cli.flags import any_claim, no_claim_sentence, point_command
from giantstep.cli.options import ClaimName, Json, Options, Preset
from giantstep.cli.output import console, heading, parameters_line, print_json, readable, table
from giantstep.cli.progress import patience
from giantstep.errors import InputError
from giantstep.verdicts.stating import number_text

if TYPE_CHECKING:
    from collections.abc import Callable

PREDICT_OPTIONS: Options = {"preset": (Preset, ""), "json": (Json, False)}


def predict(claim: ClaimName, /) -> int:
    """What theory says of a claim at a point, without simulation.

    Name a claim to see its own parameters: giantstep predict CLAIM --help
    """
    raise InputError(no_claim_sentence("predict", claim))


def predict_command(name: str) -> Callable[..., int]:
    """`predict` with the flags of the claim on the line; with its own flags alone if there is none."""
    return point_command(name, predict, PREDICT_OPTIONS, _predict) if name else any_claim(predict, PREDICT_OPTIONS)


def _predict(point: Claim, json: bool) -> int:
    with patience(f"the theory of {point.name}"):
        prediction = studies.predicted(point)
    if json:
        print_json(studies.prediction_dict(point, prediction))
        return DONE
    out = console()
    out.print(heading(point.name, parameters_line(point.parameters())))
    rows = table("quantity", "predicted", "what it is")
    helps = {q.name: q.help for q in reversed(point.stated())}
    for name, value in prediction.values.items():
        rows.add_row(name, number_text(value), readable(helps.get(name, "")))
    out.print(rows)
    out.print(readable(f"regime: {prediction.regime}"))
    for note in prediction.notes:
        out.print(readable(f"note: {note}"))
    return DONE
