"""`giantstep lab`: the claims in a browser."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from giantstep.cli.options import StorePath, whole
from giantstep.errors import InputError


def lab(
    claim: Annotated[str, Parameter(help="the claim whose page is opened (default: the front page)")] = "",
    /,
    *,
    host: Annotated[str, Parameter(help="listen at this address too; the link that is printed then has a token")] = "",
    port: Annotated[int, Parameter(converter=whole, help="the port (default: a free one)")] = 0,
    browser: Annotated[bool, Parameter(help="open a browser", negative="--no-browser", show_default=False)] = True,
    store: StorePath = None,
) -> int:
    """Open the lab: theory under your hand, simulations that stream, verdicts, in the browser.

    Every claim has a page: sliders move its theory, Simulate runs it beside the line, and the verdict changes as the
    seeds come in. The analyser draws the staircase of a target, the playground trains a network while you watch, and
    tours tell the stories. Nothing leaves this machine. The address is printed when it is ready; Ctrl-C ends it.

    Needs pip install 'giantstep[lab]'.
    """
    from giantstep.claims import claim_names

    if claim and claim not in claim_names():
        from giantstep.claims import claim_class

        if ":" in claim:
            raise InputError("the lab shows giantstep's own claims; name one of them, or none")
        claim_class(claim)
    from giantstep.lab import open_lab

    open_lab(claim, host=host, port=port, browser=browser, store=store)
    return 0
