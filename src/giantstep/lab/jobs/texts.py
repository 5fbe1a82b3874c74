"""Whether a text can be read as a target, an activation or a kernel, in the words of its parser."""

from __future__ import annotations

from typing import Any

from giantstep.errors import InputError, TextError
from giantstep.lab.jobs.listed import Tell
from giantstep.lab.jobs.points import asked_point
from giantstep.lab.refusals import Refusal, without_paths
from giantstep.problems import Activation, InnerProductKernel, Target

KINDS: dict[str, type[Any]] = {"target": Target, "activation": Activation, "kernel": InnerProductKernel}


def check(given: dict[str, Any], _: Tell) -> dict[str, Any]:
    """Read `given["text"]` as a kind of text, or as a field of a claim whose other fields have their defaults."""
    text = given["text"]
    try:
        if given.get("claim"):
            field = given["field"]
            read = getattr(asked_point({"claim": given["claim"], "parameters": {field: text}}), field)
        else:
            read = KINDS[given["kind"]](text)
    except TextError as wrong:
        return _answer(False, sentence=wrong.sentence, position=wrong.position)
    except (InputError, Refusal) as wrong:
        if isinstance(wrong, Refusal) and wrong.reason != "input":
            raise
        return _answer(False, sentence=without_paths(str(wrong)))
    latex = getattr(read, "_repr_latex_", lambda: None)() or ""
    return _answer(True, text=str(read), latex=latex.strip("$"))


def _answer(
    ok: bool, sentence: str = "", position: int | None = None, text: str = "", latex: str = ""
) -> dict[str, Any]:
    return {"ok": ok, "sentence": sentence, "position": position, "text": text, "latex": latex}
