"""The page of findings: where a talk or paper does not hold as printed, what is true, and how to see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from giantstep.claims import Claim, claim_class, claim_names
from making.corrections import numbers_told
from making.evidence import Evidence, file_name, first_seed
from making.marks import folded, typeset
from making.papers import folder_of, title_of
from making.staging import Stage

OPENING = """# Findings

Executing a statement finds what reading it does not: a factor two between a slide and its figure, a condition that was
left out, a conjecture that a simulation decides. Most are slips of presentation, and none takes away from the ideas.
Corrections of these corrections are welcome.

- [Not as printed](#not-as-printed): {printed} formulas of {claims} claims, in one table.
- [Not as stated](#not-as-stated): {stated} statements without a formula.
- [Enough, and not needed](#enough-and-not-needed): {enough} bounds that hold and are far from what is needed.
- [The printed formulas, one by one](#the-printed-formulas-one-by-one): what is true instead, and why.
- [What was added](#what-was-added): {added} statements that hold, and what their simulations showed besides.
"""
AS_PRINTED = """## Not as printed

Each printed formula where it is farthest from what was measured, its correction there, and the measurement with its
standard error. Both are judged on the same simulations, with room for chance and for what the claim allows finite size
to do, which its page tells: one that holds is green, one that fails is red. The command below a statement shows it;
`--as-printed` judges what the source prints beside what giantstep states.

| where | said, and how to see it | printed | corrected | measured |
| --- | --- | --- | --- | --- |
"""
IN_FULL = """## The printed formulas, one by one
"""
AS_STATED = """## Not as stated
"""
ENOUGH = """## Enough, and not needed
"""
ADDED = """## What was added

A constant, a rate, a condition, the sizes at which a limit is seen.
"""
# Commands that show a printed formula fail, for claims whose own point does not: there it is right, or states nothing.
SEEN_WITH = {
    "bes22/gaussian-equivalence": ("run bes22/gaussian-equivalence --activation softplus",),
    "bes22/kernel-spike": ("run bes22/kernel-spike --preset slide", "verify bes22/kernel-spike"),
    "bes22/one-step-risk": ("run bes22/one-step-risk --preset mean",),
    "bes22/step-size-regimes": ("run bes22/step-size-regimes --preset small",),
    "bes22/training-curve": ("run bes22/training-curve --preset large",),
    "bes22/weight-spike": ("run bes22/weight-spike --preset slide", "run bes22/weight-spike --noise 1"),
    "cui24/giant-step-limit": ("run cui24/giant-step-limit --preset not-odd",),
    "dklps23/fitted-terms": ("run dklps23/fitted-terms --preset big-d2-1",),
    "dklps23/second-layer": ("run dklps23/second-layer --preset big-d2-1",),
    "dklps23/sgd-limit": ("run dklps23/sgd-limit --preset information-exponent-3",),
    "dklps23/staircase": ("verify dklps23/staircase",),
    "sensing/balance": ("run sensing/balance", "verify sensing/balance"),
    "sensing/overparameterisation": ("run sensing/overparameterisation --preset slide",),
    "sensing/phases": ("run sensing/phases --step 0.9",),
    "structured/isotropic-limits": ("run structured/isotropic-limits --preset exponent-3 --seeds 40",),
    "structured/kernel-staircase": (
        "run structured/kernel-staircase --d 100 --ridge 1",
        "verify structured/kernel-staircase",
    ),
}
STATED = {
    "dklps23/several-steps": "Conjecture: with n = O(d^(l - eps)) samples a step, T steps learn nothing either.",
    "dklps23/per-neuron": "With n = O(d^(l - eps)) samples the first layer never learns.",
    "sensing/baselines": "Conjecture: descent from a small start with r = d ends in the least nuclear norm.",
    "structured/spherical-flow-fails": "The flow on the sphere fails for gamma2 in (0, d^(1 - 1/(k-1))).",
    "structured/warm-start": "One step is a warm start for gamma1 < 1/2.",
}
NOT_NEEDED = {
    "dls22/head-size": "The head's error is at most sqrt(r^(4p+1)/N).",
    "meanfield/parity-samples": "A k-parity of stretched signs takes exp(d^(1 - alpha)) neurons and as much time.",
    "sensing/sample-size": "r*^2 (d1 + d2) measurements are enough.",
    "spectral/gradient-outer-product": "Outer products of a kernel's gradients show the direction from n ~ d^p on.",
    "structured/flow-then-head": "The flow takes n ~ d/eps^2 samples for a risk of eps.",
    "structured/kernel-misaligned": "A kernel needs n = d^(Theta((1 - gamma2) p)) samples beside a spike.",
}


def write_findings(stage: Stage, evidence: Mapping[str, Evidence]) -> None:
    """The page, from what the claims say of themselves."""
    classes = [claim_class(name) for name in claim_names()]
    corrected = [cls for cls in classes if cls.printed]
    rest = [cls for cls in classes if cls.info.finding and not cls.printed]
    added = [cls for cls in rest if cls.info.name not in STATED and cls.info.name not in NOT_NEEDED]
    counts = {"stated": len(STATED), "enough": len(NOT_NEEDED), "added": len(added)}
    lines = [OPENING.format(printed=sum(len(cls.printed) for cls in corrected), claims=len(corrected), **counts)]
    lines.append(AS_PRINTED + "".join(_rows(corrected, evidence)))
    for heading, group in ((AS_STATED, STATED), (ENOUGH, NOT_NEEDED)):
        lines.append(heading)
        for cls in rest:
            if cls.info.name in group:
                lines += _restated(cls, group[cls.info.name], evidence.get(cls.info.name))
    lines.append(IN_FULL)
    for folder in dict.fromkeys(folder_of(cls.info.name) for cls in corrected):
        lines += [f"**{typeset(title_of(folder))}**", ""]
        for cls in corrected:
            if folder_of(cls.info.name) == folder:
                lines += _corrected(cls, evidence.get(cls.info.name))
    lines.append(ADDED)
    for cls in added:
        lines += folded(cls.info.name, [f"{typeset(cls.info.finding)} {_link(cls)}"])
    stage.write("findings.md", "\n".join(lines))


def _link(cls: type[Claim]) -> str:
    return f"[{cls.info.name}](claims/{cls.info.name}.md)"


def _opening(cls: type[Claim]) -> Iterator[str]:
    place = f", {cls.info.where}" if cls.info.where else ""
    told = f"*{typeset(cls.info.source.short + place)}*"
    yield from [f"({_anchor(cls)})=", "", f"### {_link(cls)}", "", told, ""]


def _anchor(cls: type[Claim]) -> str:
    return f"finding-{file_name(cls.info.name)}"


def _corrected(cls: type[Claim], told: Evidence | None) -> Iterator[str]:
    """A claim that has printed formulas, and both verdicts."""
    name = cls.info.name
    yield from _opening(cls)
    for one in cls.printed:
        yield from [f"**Said** (`{one.name}`): {typeset(one.says)}", ""]
    yield from [f"**True:** {typeset(cls.info.finding)}", ""] if cls.info.finding else []
    yield from [f"**See it:** {', '.join(f'`{command}`' for command in _commands(name))}", ""]
    if told and any(one.where for one in told.corrections):
        places = "; ".join(f"`{one.quantity}` at `{one.where}`" for one in told.corrections if one.where)
        command = f"giantstep verify {name} --as-printed{first_seed(told)}"
        yield from folded("Where the numbers of the table are from", [f"`{command}`: {places}."])


def _commands(name: str) -> list[str]:
    """What shows the printed formulas of a claim beside its own."""
    return [f"giantstep {command} --as-printed" for command in SEEN_WITH.get(name, (f"run {name}",))]


def _rows(corrected: list[type[Claim]], evidence: Mapping[str, Evidence]) -> Iterator[str]:
    """The table of printed formulas; the name of a claim leads to its section."""
    for cls in corrected:
        told, name = evidence.get(cls.info.name), cls.info.name
        for number, one in enumerate(told.corrections if told else ()):
            where = f"[{name}](#{_anchor(cls)}) `{one.quantity}`"
            seen = "".join(f"<br>`{command}`" for command in _commands(name)) if number == 0 else ""
            yield f"| {where} | {typeset(one.says)}{seen} | {' | '.join(numbers_told(one))} |\n"


def _restated(cls: type[Claim], said: str, told: Evidence | None) -> Iterator[str]:
    """A claim whose statement differs in words from what was said."""
    yield from _opening(cls)
    yield from [f"**Said:** {typeset(said)}", "", f"**True:** {typeset(cls.info.finding)}", ""]
    verdict = f" [{told.status}]{{.badge .{told.status}}} {typeset(told.sentence)} ({told.seeds})" if told else ""
    command = f"giantstep verify {cls.info.name}{first_seed(told) if told else ''}"
    yield from [f"**See it:** `{command}`{verdict}", ""]
