"""The parts of the report's pages: words and numbers of a claim as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from giantstep import figures
from giantstep.claims import engine_words, parameter_table
from giantstep.report.style import STYLE
from giantstep.studies import Results
from giantstep.verdicts import number_text, place_of, shown

escape = html.escape

# Pages hold words, tables, pictures and one sheet of style: nothing in them runs, whatever a claim calls itself.
POLICY = (
    "default-src 'none'; img-src 'self' file: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)


def page(title: str, body: str, home: str) -> str:
    """A whole page; `home` leads from it to the folder's top."""
    links = f'<a href="{home}index.html">Claims</a><a href="{home}findings.html">Findings</a>'
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>"
        f"<nav><div><b>giantstep</b>{links}</div></nav><main>{body}</main></body></html>\n"
    )


def badge(status: str) -> str:
    """The verdict as a small label."""
    return f'<span class="badge {status}">{status}</span>'


def told(text: str) -> str:
    """A docstring as paragraphs; indented lines are formulas and stay as they are."""
    parts = []
    for block in re.split(r"\n\s*\n", text):
        lines = block.splitlines()
        if all(line.startswith("    ") for line in lines):
            parts.append("<pre>" + escape("\n".join(line[4:] for line in lines)) + "</pre>")
        else:
            parts.append(f"<p>{escape(' '.join(line.strip() for line in lines))}</p>")
    return "".join(parts)


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table of ready-made HTML cells."""
    top = "".join(f"<th>{escape(h)}</th>" for h in head)
    body = "".join("<tr>" + "".join(f'<td class="number">{c}</td>' for c in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{top}</tr>{body}</table></div>'


def quantities_table(results: Results) -> str:
    """Each quantity at the claim's own point: symbol, prediction, measurement, gap, what is said of it."""
    rows = []
    for name, j in results.judgements().items():
        on_draws = j.quantity.against == "finite"
        symbol = figures.formula_svg(j.quantity.symbol) if j.quantity.symbol else ""
        status = f'<span class="{j.word}">{j.word}</span>'
        allowed = f"allowed {j.quantity.allowance.in_words()}: {j.allowance:.3g} here" if j.counts else ""
        words = escape("; ".join(w for w in (j.quantity.help, j.quantity.reason, allowed) if w))
        cells = (
            number_text(j.reference),
            number_text(j.measured),
            j.error_text,
            number_text(j.gap_finite if on_draws else j.gap),
        )
        about = f'<span class="soft" style="white-space:normal;display:block;min-width:16rem">{words}</span>'
        notices = escape("" if j.resolution is None else str(j.resolution))
        relation = escape(j.quantity.relation)
        rows.append((f"{escape(name)} {symbol}", *map(escape, cells), relation, notices, status, about))
    numbers = ("predicted", "measured", "std. error", "gap")
    return table(("quantity", *numbers, "relation", "notices", "", "what it is; finite size"), rows)


def printed_table(results: Results) -> str:
    """What the source prints, the corrected statement, and the measurement that decides; nothing if all stands."""
    rows = []
    for one in results.as_printed():
        told = one.worst
        measured = "" if told is None or told.measured is None else shown(told.measured, told.stderr)
        words = (one.verdict.status, one.corrected)
        rows.append(
            (
                escape(one.printed.name),
                escape(number_text(told.predicted if told else None)),
                escape(number_text(one.own.reference if one.own else None)),
                escape(measured),
                *(f'<span class="{word}">{word}</span>' for word in words),
                f'<span style="white-space:normal;display:block;min-width:16rem">{escape(one.printed.says)}</span>',
                escape(place_of(told, results.cells) if told else ""),
            )
        )
    head = ("quantity", "as printed", "corrected", "measured", "as printed", "corrected", "what is printed", "where")
    return table(head, rows) if rows else ""


def sharpness_line(results: Results) -> str:
    """What the verdict would notice; nothing if nothing holds."""
    sharpness = results.sharpness()
    others = f" Besides: {sharpness.others}." if sharpness.median is not None and sharpness.others else ""
    return f"<p>{escape(sharpness.in_words() + others)}</p>" if sharpness.resolutions else ""


def judgements_table(results: Results) -> str:
    """Everything that was judged, point by point."""
    rows = [
        (escape(place_of(j, results.cells)), escape(j.sentence), f'<span class="{j.status}">{j.status}</span>')
        for j in results.verdict.judgements
        if j.counts
    ]
    return f"<details><summary>All {len(rows)} judgements</summary>{table(('where', 'what', ''), rows)}</details>"


def parameters_table(results: Results) -> str:
    """The parameters at the claim's own point."""
    values = results.base_cell.point.parameters()
    rows = []
    for name, about in parameter_table(type(results.claim)).items():
        symbol = figures.formula_svg(about["symbol"]) if about["symbol"] else ""
        rows.append((escape(name), symbol, f"<code>{escape(str(values[name]))}</code>", escape(about["help"])))
    return table(("parameter", "", "value", "what it is"), rows)


def provenance_table(results: Results) -> str:
    """Where the numbers come from."""
    facts = {k: v for k, v in results.provenance.items() if v not in ("", None)}
    own = {"points": len(results.cells), "records": sum(len(c.measurements) for c in results.cells)}
    return table(("", ""), [(escape(k.replace("_", " ")), escape(str(v))) for k, v in {**own, **facts}.items()])


def regime(results: Results) -> str:
    """Where theory speaks, and its remarks at the claim's own point."""
    prediction = results.base_cell.prediction
    notes = "".join(f"<li>{escape(note)}</li>" for note in prediction.notes)
    return f"<p>Theory holds for: {escape(prediction.regime)}.</p>" + (f"<ul>{notes}</ul>" if notes else "")


def kind_and_source(results: Results) -> str:
    """`theorem, full engine; J. Ba ... (2022); slides ...`."""
    info = results.claim.info
    kind = ", ".join(words for words in (info.kind, engine_words(results.claim.engine)) if words)
    return escape(f"{kind}. Source: {'; '.join(words for words in (str(info.source), info.where) if words)}.")
