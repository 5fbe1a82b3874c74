"""`giantstep claims`: what there is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal

from cyclopts import Parameter

from giantstep.claims import ListedClaim, claim_class, described, listed_claims
from giantstep.cli.options import Json
from giantstep.cli.output import GAP, console, print_below, print_json, readable, styled, table
from giantstep.cli.progress import patience
from giantstep.errors import InputError

Words = Annotated[str, Parameter(help="words to look for in names, statements, authors and titles, such as spike")]
Paper = Annotated[
    str, Parameter(help="only claims of this paper: its key or folder (bes22), an author, part of a title")
]
Kind = Annotated[
    Literal["", "theorem", "proposition", "lemma", "conjecture", "example", "figure"],
    Parameter(help="only claims of this kind"),
]

TIME = 6  # letters of a span of time
READABLE = 56  # letters of a line; a statement whose column is narrower stands below its claim


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
        with patience("claims"):  # each is loaded: ten seconds and more on a machine that is busy
            print_json([described(claim_class(one.name)) for one in found])
        return
    _print_papers(found)


def _print_papers(found: Sequence[ListedClaim]) -> None:
    """A table a paper, with columns of the same width in all of them; on a narrow screen statements stand below."""
    out = console()
    names, kinds = (max(len(getattr(one, column)) for one in found) for column in ("name", "kind"))
    below = out.width - names - kinds - TIME - 3 * GAP < READABLE
    for paper in dict.fromkeys(one.paper for one in found):
        group = [one for one in found if one.paper == paper]
        heading = styled((f"{group[0].source} [{paper}]" if paper else "Other claims", "bold"))
        out.print(heading)  # a screen breaks them between words
        rows = table("", "", "", "")
        rows.show_header = False
        for one in group:
            cells = (f"{one.name:{names}}", f"{one.kind:{kinds}}", f"{_time(one.flops):>{TIME}}")
            if below:
                print_below((" " * GAP).join(cells), readable(one.statement))
            else:
                rows.add_row(*cells, readable(one.statement))
        if not below:
            out.print(rows)
        out.print()
    total = _time(sum(one.flops for one in found))
    count = f"{len(found)} claim{'s' if len(found) > 1 else ''}"
    out.print(f"{count}; verifying {'all' if len(found) > 1 else 'it'} takes about {total} here")


def _time(flops: float) -> str:
    from giantstep.studies import seconds_here, span  # what loads SciPy; a list as JSON does without

    return "" if math.isnan(flops) else span(seconds_here(flops))
