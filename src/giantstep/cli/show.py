"""`giantstep show`: one claim in full."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from cyclopts import Parameter

from giantstep.claims import Claim, claim_class, described, engine_words, formula_of, statement, story
from giantstep.cli.options import ClaimName, Json
from giantstep.cli.output import (
    PIPED_WIDTH,
    console,
    heading,
    parameters_line,
    print_below,
    print_json,
    print_story,
    readable,
    styled,
    table,
)
from giantstep.errors import InputError
from giantstep.sources import source_key

Bibtex = Annotated[bool, Parameter(negative="", help="print the entry of its paper for a bibliography")]
Latex = Annotated[bool, Parameter(negative="", help="print statement and formula as LaTeX ready to paste")]


def show(claim: ClaimName, /, *, latex: Latex = False, bibtex: Bibtex = False, json: Json = False) -> None:
    """Tell one claim in full: statement, source, findings, parameters; or its words and formula as LaTeX, its BibTeX.

    giantstep show bes22/weight-spike --latex
    giantstep show bes22/weight-spike --bibtex
    """
    cls = claim_class(claim)
    if bibtex:
        print(cls.info.source.bibtex(source_key(cls.info.source)))
        return
    if latex:
        _print_latex(cls)
        return
    if json:
        print_json(described(cls))
        return
    out = console()
    facts = described(cls)
    known = (cls.info.kind, f"version {cls.info.version}", engine_words(cls.engine))
    out.print(heading(claim, f"({', '.join(words for words in known if words)})\n"))
    print_story(story(cls))
    if facts["formula"]:
        out.print(f"\nFormula: giantstep show {claim} --latex")
    out.print(readable(f"\nSource: {facts['source']}"))
    if cls.convention:
        out.print(readable(f"Convention: {cls.convention}"))
    if facts["hypotheses"]:
        out.print(readable(f"Supposes that {'; '.join(facts['hypotheses'])}"))
    if cls.info.finding:
        out.print(readable(f"\nFinding: {cls.info.finding}"))
    for name, says in facts["as_printed"].items():
        out.print(f"As printed (verify --as-printed), {name}: {readable(says)}")
    rows = table("parameter", "default", "what it is", title="\nParameters")
    for name, about in facts["parameters"].items():
        path = " (a grid over it costs one run)" if about["path"] else ""
        rows.add_row(f"--{name.replace('_', '-')}", str(about["default"]), readable(f"{about['help']}{path}"))
    out.print(rows)
    for here, title in ((True, "Quantities"), (False, "Stated for other targets or settings than these defaults")):
        _print_quantities(title, {name: told for name, told in facts["quantities"].items() if told["here"] == here})
    rows = table("", title=f"\nDefault study: what 'giantstep verify {claim}' runs, {cls.default_seeds} seeds each")
    rows.show_header = False
    for words in ("the defaults above", *facts["views"]):
        rows.add_row(words)
    out.print(rows)
    if cls.presets:
        rows = table("preset", "parameters", title="\nPresets (--preset NAME)")
        for name, values in cls.presets.items():
            rows.add_row(name, parameters_line(values))
        out.print(rows)


def _print_quantities(title: str, quantities: Mapping[str, Mapping[str, Any]]) -> None:
    """What is stated: on a screen each with its words below it, else a line each."""
    out = console()
    told = [
        (name, about["relation"], readable("; ".join(filter(None, (about["help"], about["finite_size"])))), allowed)
        for name, about in quantities.items()
        for allowed in (readable(about["allowance"]),)
    ]
    if told and out.width < PIPED_WIDTH:
        out.print(styled(f"\n{title}"), style="italic")
        for name, relation, words, allowed in told:
            own = name.removesuffix(f" ({relation})")  # of several quantities of a name each has its relation in it
            print_below(styled((own, "bold"), f"  {relation}"), words, f"allowed: {allowed}" if allowed else "")
    elif told:
        rows = table("quantity", "relation", "what it is; what finite size does", "allowed for it", title=f"\n{title}")
        for cells in told:
            rows.add_row(*cells)
        out.print(rows)


def _print_latex(cls: type[Claim]) -> None:
    formula = formula_of(cls)
    if formula is None:
        raise InputError(f"{cls.info.name} gives no formula; its class may have one: formula = Formula(...)")
    print(_latex_words(statement(cls)))
    print(formula.pasted())


def _latex_words(text: str) -> str:
    r"""A sentence as LaTeX takes it: its mathematics between dollars, signs that mean something there escaped.

    >>> print(_latex_words("|P f*|^2 falls by 10 % - 1"))
    |$P$ $f^{*}|^{2}$ falls by 10 \% $-$ 1
    """
    from giantstep.figures import as_mathtext

    parts = as_mathtext(text).replace("$$", "").split("$")  # words and mathematics in turn
    words = [part if n % 2 else re.sub(r"([%&#_])", r"\\\1", part) for n, part in enumerate(parts)]
    return "$".join(words).replace("\N{MINUS SIGN}", "$-$")
