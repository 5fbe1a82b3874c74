"""`giantstep claims`: what there is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal

from cyclopts import Parameter

from giantstep.claims import ListedClaim, claim_class, described, listed_claims
from giantstep.cli.options import Json
from giantstep.cli.output import console, print_json, styled, table
from giantstep.errors import InputError

Words = Annotated[str, Parameter(help="words to look for in names, statements, authors and titles, such as spike")]
Paper = Annotated[
    str, Parameter(help="only claims of this paper: its key or folder (bes22), an author, part of a title")
]
Kind = Annotated[
    Literal["", "theorem", "conjecture", "proposition", "example", "figure"], Parameter(help="only claims of this kind")
]


def claims(*words: Words, paper: Paper = "", kind: Kind = "", json: Json = False) -> None:
    """List the claims, paper by paper: what each says and how long its verification takes.

    giantstep claims spike
    giantstep claims --paper dandi --kind conjecture
    """
    found = [
        one
        for one in listed_claims()
        if one.speaks_of(" ".join(words)) and (not paper or one.is_of_paper(paper)) and kind in ("", one.kind)
    ]
    if not found:
        raise InputError("no claim is listed under these words; 'giantstep claims' lists all")
    if json:
        print_json([described(claim_class(one.name)) for one in found])
        return
    _print_papers(found)


def _print_papers(found: Sequence[ListedClaim]) -> None:
    """A table a paper, with columns of the same width in all of them."""
    out = console()
    names, kinds = (max(len(getattr(one, column)) for one in found) for column in ("name", "kind"))
    for paper in dict.fromkeys(one.paper for one in found):
        group = [one for one in found if one.paper == paper]
        rows = table("", "", "", "")
        rows.show_header = False
        for one in group:
            rows.add_row(f"{one.name:{names}}", f"{one.kind:{kinds}}", f"{_time(one.flops):>6}", one.statement)
        heading = styled((f"{group[0].source} [{paper}]" if paper else "Other claims", "bold"))
        out.print(heading, soft_wrap=not out.is_terminal)  # a screen breaks them between words
        out.print(rows)
        out.print()
    total = _time(sum(one.flops for one in found))
    count = f"{len(found)} claim{'s' if len(found) > 1 else ''}"
    out.print(f"{count}; verifying {'all' if len(found) > 1 else 'it'} takes about {total} here")


def _time(flops: float) -> str:
    from giantstep.studies import seconds_here, span  # what loads SciPy; a list as JSON does without

    return "" if math.isnan(flops) else span(seconds_here(flops))
