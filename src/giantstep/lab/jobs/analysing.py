"""What is in a target: the staircase drawn and explained, what each method needs, and claims that simulate it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

from giantstep.errors import InputError
from giantstep.figures import picture_data, staircase_picture
from giantstep.lab.jobs.directions import stairs_of
from giantstep.lab.jobs.listed import Tell
from giantstep.lab.jobs.points import own_claim
from giantstep.lab.refusals import Refusal
from giantstep.problems import Activation, Target
from giantstep.problems.analysis import Analysis, Sight, Vector, direction_text

# Claims that take a target of one's own, and what they then show of it.
RUN = {
    "dklps23/staircase": "simulate its staircase",
    "dklps23/transition": "one giant step against the number of samples",
    "dklps23/second-layer": "what a head then fits",
    "bes22/weight-spike": "the spike that one step leaves in the weights",
    "bes22/one-step-risk": "by how much one step improves the risk",
    "bes22/kernel-lower-bound": "what kernels cannot do",
}


def analyze(given: dict[str, Any], _: Tell) -> dict[str, Any]:
    """The analysis of `given["target"]`, with what an activation misses if one is given."""
    target = _read(Target, given["target"], "target")
    activation = _read(Activation, given["activation"], "activation") if given.get("activation") else None
    found = target.analyze(activation)
    stairs = stairs_of(target, activation)
    flag = f" --activation {shlex.quote(str(activation))}" if activation is not None else ""
    asked = f", {str(activation)!r}" if activation is not None else ""
    return {
        "target": found.target,
        "activation": None if activation is None else str(activation),
        "latex": (target._repr_latex_() or "").strip("$"),
        "picture": picture_data(staircase_picture(found)),
        "text": found.text(),
        "summary": _summary(found),
        "stop": found.stop,
        "sight": "" if found.visibility is None else _sight(found.visibility.sight),
        "levels": stairs.levels(),
        "directions": stairs.told(),
        "one_step": [
            {"samples": _power(m), "directions": [direction_text(v) for v in level.basis]}
            for m, level in enumerate(found.one_step, 1)
        ],
        "methods": [
            {"method": m.name, "first": _power(m.first), "all": _power(m.all), "note": m.note, "source": m.source}
            for m in found.methods
        ],
        "regimes": [_regime(row) for row in found.regimes],
        "notes": list(found.notes),
        "record": found.to_dict(),
        "run": list(_claims(found.target)),
        "command": f"giantstep analyze {shlex.quote(found.target)}{flag}",
        "python": _python(found.target, asked),
    }


def _read(kind: Any, text: str, field: str) -> Any:
    try:
        return kind(text)
    except InputError as wrong:
        raise Refusal(str(wrong), "input", field) from None


def _python(target: str, activation: str) -> str:
    if activation:
        head, call = "from giantstep.problems import Activation, Target", f"Activation({activation[2:]})"
    else:
        head, call = "from giantstep.problems import Target", ""
    return f"{head}\n\nprint(Target({target!r}).analyze({call}))\n"


def _power(exponent: float | None) -> str:
    """A number of samples as a power of d; empty where no power suffices, or none is known."""
    if exponent is None:
        return ""
    return {0.0: "1", 1.0: "d"}.get(float(exponent), f"d^{exponent:g}")


def _summary(found: Analysis) -> list[str]:
    """The numbers that decide, in words."""
    count = found.relevant_dimension
    told = [f"{count} relevant direction{'' if count == 1 else 's'}"]
    if found.information_exponent is not None:
        told.append(
            f"information exponent {found.information_exponent}: one giant step needs of the order of "
            f"{_power(found.information_exponent)} samples"
        )
        told.append(f"leap {found.leap} in these coordinates, isoleap {found.isoleap} in the worst ones")
    if found.generative.exponent is not None:
        told.append(f"generative exponent {found.generative.exponent}")
    return [*told, f"E f^2 = {float(found.norm2):.6g}", found.stop]


def _sight(sight: Sight) -> str:
    """What one activation learns of the staircase; empty if that is all of it."""
    if not sight.missed:
        return ""
    steps, top = len(sight.staircase.levels) - 1, sight.staircase.top.basis
    learned = f"learns {_named(top)} in {steps} step{'' if steps == 1 else 's'} of n ~ d samples" if top else ""
    why = f", because {' = '.join(f'mu{k}' for k in sight.needed)} = 0" if sight.needed else ""
    return f"{sight.activation} {learned or 'learns nothing with n ~ d samples'} and misses {_named(sight.missed)}{why}"


def _named(basis: Sequence[Vector]) -> str:
    return ", ".join(map(direction_text, basis))


def _regime(row: Any) -> dict[str, Any]:
    return {
        "samples": _power(row.samples),
        "neurons": _power(row.neurons),
        "directions": [direction_text(v) for v in row.basis],
        "fitted": row.fitted,
        "bound": float(row.bound),
        "bounds": [float(b) for b in row.bounds],
    }


def _claims(target: str) -> Iterator[dict[str, Any]]:
    """The claims that take this target; those that refuse it are left out."""
    for name, words in RUN.items():
        try:
            point = own_claim(name)(target=target)
        except InputError:
            continue
        query = urlencode({"target": target})
        yield {"claim": name, "address": f"/claims/{point.name}?{query}", "words": words}
