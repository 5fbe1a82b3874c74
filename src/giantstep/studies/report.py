"""A plain page of verdicts and pictures that opens from a file, without a network."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from giantstep.claims import Judgement
from giantstep.claims.describe import number, source, story
from giantstep.errors import InputError
from giantstep.studies.results import Results
from giantstep.version import __version__

STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fdfdfc; --soft: #6a7076; --line: #d9dcdf; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e3; --paper: #17191b; --soft: #9aa0a6; --line: #34383c; } }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 62rem;
       margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; }
h2 { font-size: 1.2rem; margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.2rem; }
table { border-collapse: collapse; font-size: .9rem; display: block; overflow-x: auto; }
td, th { text-align: left; padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.holds { color: #1a7f4b; } .fails { color: #c4312b; } .undecided { color: #a06a00; }
.soft { color: var(--soft); font-size: .9rem; } code { font-size: .9em; overflow-wrap: anywhere; }
figure { margin: 1rem 0; background: #fff; padding: .5rem; border-radius: 6px; }
figure svg { max-width: 100%; height: auto; }
"""


def write_report(found: Sequence[Results], folder: Path) -> Path:
    """Write `index.html` into a folder, pictures inside it, and give its path."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        page = folder / "index.html"
        page.write_text(report_html(found), encoding="utf-8")
    except OSError as error:
        raise InputError(f"the report cannot be written to '{folder}': {error.strerror}") from None
    return page


def report_html(found: Sequence[Results]) -> str:
    """The whole page as text."""
    held = sum(r.verdict.status == "holds" for r in found)
    rows = "".join(
        f'<tr><td class="{r.verdict.status}">{r.verdict.status}</td><td><a href="#{_anchor(r)}">{r.claim.name}</a></td>'
        f"<td>{html.escape(r.verdict.sentence)}</td></tr>"
        for r in found
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>giantstep: {held} of {len(found)} claims hold</title><style>{STYLE}</style></head><body>"
        f"<h1>{held} of {len(found)} claims hold</h1>"
        f'<p class="soft">Theory against simulation, giantstep {__version__}.</p><table>{rows}</table>'
        + "".join(_section(r) for r in found)
        + "</body></html>\n"
    )


def _anchor(results: Results) -> str:
    return results.claim.name.replace("/", "-")


def _section(results: Results) -> str:
    claim = results.claim
    told = "".join(f"<p>{html.escape(p)}</p>" for p in story(type(claim)).split("\n\n"))
    finding = f"<p><strong>Finding.</strong> {html.escape(claim.info.finding)}</p>" if claim.info.finding else ""
    rows = "".join(_row(name, j) for name, j in results.judgements().items())
    parameters = ", ".join(f"{k} = {v}" for k, v in claim.parameters().items())
    return (
        f'<h2 id="{_anchor(results)}">{claim.name} <span class="{results.verdict.status}">'
        f"{results.verdict.status}</span></h2>{told}{finding}<p>{html.escape(results.verdict.sentence)}</p>"
        f"<figure>{_picture(results)}</figure>"
        "<table><tr><th>quantity</th><th>predicted</th><th>measured</th><th>std. error</th><th>relation</th><th></th>"
        f"</tr>{rows}</table>"
        f'<p class="soft">{html.escape(parameters)}; {len(results.cells)} points, '
        f"{results.provenance['seconds']:.1f} s.<br>Source: {html.escape(source(type(claim)))}.<br>"
        f"Again: <code>giantstep verify {claim.name} --seed {results.provenance['seed']}</code></p>"
    )


def _row(name: str, j: Judgement) -> str:
    predicted = j.predicted_finite if j.quantity.against == "finite" else j.predicted
    cells = (name, number(predicted), number(j.measured), number(j.stderr), j.quantity.relation)
    status = j.status if j.counts else "reported"
    return f"<tr>{''.join(f'<td>{html.escape(c)}</td>' for c in cells)}<td>{status}</td></tr>"


def _picture(results: Results) -> str:
    svg = results.figure().svg()
    return svg[svg.index("<svg") :]
