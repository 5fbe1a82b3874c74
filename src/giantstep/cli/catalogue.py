"""`giantstep claims` and `giantstep show`: what there is."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

from cyclopts import Parameter

from giantstep.claims import Claim, claim_class, claim_names
from giantstep.claims.base import extra
from giantstep.claims.sources import SOURCES
from giantstep.cli.output import console, print_json, table


def statement(cls: type[Claim]) -> str:
    """The first paragraph of a claim's docstring."""
    return inspect.cleandoc(cls.__doc__ or "").split("\n\n")[0].replace("\n", " ")


def described(cls: type[Claim]) -> dict[str, Any]:
    """A claim as plain data."""
    return {
        "name": cls.info.name,
        "kind": cls.info.kind,
        "statement": statement(cls),
        "source": SOURCES[cls.info.cite],
        "where": cls.info.where,
        "finding": cls.info.finding,
        "version": cls.info.version,
        "engine": cls.engine,
        "parameters": {
            name: {
                "default": cls().parameters()[name],
                "help": field.description,
                **extra(field),
            }
            for name, field in cls.model_fields.items()
        },
        "quantities": {q.name: {"relation": q.relation, "help": q.help, "reason": q.reason} for q in cls.quantities},
        "presets": {name: dict(values) for name, values in cls.presets.items()},
    }


def claims(*, json: bool = False) -> None:
    """List the claims: what each says and where it comes from.

    Parameters
    ----------
    json
        Print one JSON document instead of a table.
    """
    classes = [claim_class(name) for name in claim_names()]
    if json:
        print_json([described(cls) for cls in classes])
        return
    rows = table("claim", "kind", "statement")
    for cls in classes:
        rows.add_row(cls.info.name, cls.info.kind, statement(cls))
    console().print(rows)


def show(
    claim: Annotated[str, Parameter(help="name of the claim, as 'giantstep claims' lists it")],
    /,
    *,
    json: bool = False,
) -> None:
    """Tell one claim in full: statement, source, parameters, what is known.

    Parameters
    ----------
    json
        Print one JSON document instead of text.
    """
    cls = claim_class(claim)
    if json:
        print_json(described(cls))
        return
    out = console()
    facts = described(cls)
    out.print(f"[bold]{claim}[/bold] ({cls.info.kind}, version {cls.info.version}, {cls.engine} engine)\n")
    out.print(inspect.cleandoc(cls.__doc__ or ""), markup=False)
    out.print(f"\nSource: {facts['source']}" + (f"; {cls.info.where}" if cls.info.where else ""), markup=False)
    if cls.convention:
        out.print(f"Convention: {cls.convention}", markup=False)
    if cls.info.finding:
        out.print(f"\nFinding: {cls.info.finding}", markup=False)
    rows = table("parameter", "default", "what it is", title="\nParameters")
    for name, about in facts["parameters"].items():
        path = " (a grid over it costs one run)" if about["path"] else ""
        rows.add_row(f"--{name.replace('_', '-')}", str(about["default"]), f"{about['help']}{path}")
    out.print(rows)
    rows = table("quantity", "relation", "what it is, and what finite size may do", title="\nQuantities")
    for q in cls.quantities:
        rows.add_row(
            q.name,
            q.in_words(cls()),
            " ".join(w for w in (q.help, f"[{q.reason}]" if q.reason else "") if w).replace("[", r"\["),
        )
    out.print(rows)
    if cls.presets:
        rows = table("preset", "parameters", title="\nPresets (--preset NAME)")
        for name, values in cls.presets.items():
            rows.add_row(name, ", ".join(f"{k} = {v}" for k, v in values.items()))
        out.print(rows)
