"""`giantstep claims` and `giantstep show`: what there is."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter
from rich.markup import escape

from giantstep.claims import claim_class, claim_names
from giantstep.claims.describe import described, statement, story
from giantstep.cli.output import console, print_json, table


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
    out.print(story(cls), markup=False)
    out.print(f"\nSource: {facts['source']}", markup=False)
    if cls.convention:
        out.print(f"Convention: {cls.convention}", markup=False)
    if cls.info.finding:
        out.print(f"\nFinding: {cls.info.finding}", markup=False)
    rows = table("parameter", "default", "what it is", title="\nParameters")
    for name, about in facts["parameters"].items():
        path = " (a grid over it costs one run)" if about["path"] else ""
        rows.add_row(f"--{name.replace('_', '-')}", str(about["default"]), f"{about['help']}{path}")
    out.print(rows)
    rows = table("quantity", "relation", "what it is; what finite size may do", title="\nQuantities")
    for name, about in facts["quantities"].items():
        words = "; ".join(w for w in (about["help"], about["finite_size"]) if w)
        rows.add_row(escape(name), about["relation"], escape(words))
    out.print(rows)
    if cls.presets:
        rows = table("preset", "parameters", title="\nPresets (--preset NAME)")
        for name, values in cls.presets.items():
            rows.add_row(name, ", ".join(f"{k} = {v}" for k, v in values.items()))
        out.print(rows)
