"""The parts of the report's pages: words and numbers of a claim as HTML."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping, Sequence

from giantstep import figures
from giantstep.claims import Claim, engine_words, formula_of, parameter_table
from giantstep.errors import InputError
from giantstep.report.script import policy
from giantstep.sources import Source, source_key
from giantstep.studies import Results
from giantstep.verdicts import Judgement, place_of
from giantstep.verdicts.stating import Curve, Value, number_text

escape = html.escape

MOST_DECIMALS = 6  # a number with more is told in powers of ten
LONGEST_NUMBER = 10
ROUNDING = 1e-13  # an error that is smaller, relative to its number, is none


_ENDS = re.compile(r"</(?:td|th|tr|thead|tbody)>")  # of cells and rows, which the next one ends: HTML needs none
PLACES = {"index": "Claims", "guide": "How to read", "findings": "Findings", "papers": "Papers"}


def page(title: str, body: str, home: str, places: Mapping[str, str] = PLACES, script: str = "", file: str = "") -> str:
    """A whole page.

    Args:
        title: of its window.
        body: HTML.
        home: leads from it to the folder's top.
        places: the pages there that it leads to, with words.
        script: that it runs.
        file: a script at the folder's top that it runs instead.
    """
    run = f'<script src="{home}{file}"></script>' if file else f"<script>{script}</script>" if script else ""
    links = "".join(f'<a href="{home}{place}.html">{words}</a>' for place, words in places.items())
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(script, bool(file))}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="{home}style.css"></head><body>'
        f"<nav><div><b>giantstep</b>{links}</div></nav><main>{_ENDS.sub('', body)}</main>{run}</body></html>\n"
    )


def badge(status: str, word: str = "") -> str:
    """The verdict as a small label, or another word in its colour."""
    return f'<span class="badge {status}">{word or status}</span>'


def prose(text: str) -> str:
    """A sentence as HTML: its mathematics is set, and what stands between backticks is code."""
    return figures.as_html(text)


def formula(tex: str, display: bool = False) -> str:
    """A formula, set by the browser; what cannot be set is shown as it is written."""
    try:
        return figures.formula_mathml(tex, display=display)
    except InputError:
        return f"<code>{escape(tex)}</code>"


def formula_block(cls: type[Claim]) -> str:
    """The formula of a claim, line by line, and the words that define its symbols; nothing if it has none."""
    own = formula_of(cls)
    if own is None:
        return ""
    lines = "".join(f"<div>{formula(line, display=True)}</div>" for line in own.lines)
    parts = own.words.split("$")  # words and symbols in turn
    words = "".join(formula(part) if n % 2 else escape(part) for n, part in enumerate(parts))
    return f'<div class="display">{lines}</div><p class="soft">{words}</p>'


def told(text: str) -> str:
    """A docstring as paragraphs; indented lines are formulas and stay as they are."""
    parts = []
    for block in re.split(r"\n\s*\n", text):
        lines = block.splitlines()
        if all(line.startswith("    ") for line in lines):
            parts.append("<pre>" + escape("\n".join(line[4:] for line in lines)) + "</pre>")
        else:
            parts.append(f"<p>{prose(' '.join(line.strip() for line in lines))}</p>")
    return "".join(parts)


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]], below: Sequence[str] = ()) -> str:
    """A table of ready-made HTML cells; words `below` a row go over its whole width.

    On a narrow screen each row is a list, in which every cell says what it is: the table tells its labels once.
    """
    parts = []
    for number, row in enumerate(rows):
        cells = "".join(f"<td>{cell}</td>" for _, cell in zip(head, row, strict=True))
        more = below[number] if below else ""
        first = ' class="first"' if more else ""
        parts.append(f"<tr{first}>{cells}</tr>")
        if more:
            parts.append(f'<tr><td class="about" colspan="{len(head)}">{more}</td></tr>')
    names = "".join(f"<th>{escape(h)}</th>" for h in head)
    top = f"<thead><tr>{names}</tr></thead>" if any(head) else ""
    plain = "" if any(head) else ' class="plain"'  # its first column is what its rows are called
    return f'<div class="wide"><table{plain}{_labels(head)}>{top}<tbody>{"".join(parts)}</tbody></table></div>'


def _labels(head: tuple[str, ...]) -> str:
    r"""The words above columns as values that the style sheet sets before cells; nothing for a column without any.

    >>> _labels(("", "gap", "for the draws"))
    ' style="--c2:\'gap\';--c3:\'for the draws\'"'
    """
    quoted = (re.sub(r"(['\\])", r"\\\1", words) for words in head)
    told = ";".join(f"--c{number}:'{words}'" for number, words in enumerate(quoted, 1) if words)
    return f' style="{escape(told).replace("&#x27;", chr(39))}"' if told else ""


def rounded(value: Value | None, error: Value | None) -> str:
    """A number to the digits that its standard error leaves: two of the error's own.

    >>> rounded(2.87621, 0.02814), rounded(0.00981823, 8.2e-05), rounded(14.5, 0.0), rounded(123456.0, 789.0)
    ('2.876', '0.009818', '14.5', '123460')
    """
    if value is None or isinstance(value, Curve) or error is None or isinstance(error, Curve):
        return number_text(value)
    if not (math.isfinite(value) and math.isfinite(error)) or error <= 0 or value == 0:
        return number_text(value)
    digits = 1 - math.floor(math.log10(error))
    shown = f"{round(value, digits):.{max(0, digits)}f}"
    return shown if digits <= MOST_DECIMALS and len(shown) <= LONGEST_NUMBER else f"{value:.4g}"


def quantities_table(results: Results) -> str:
    """Each quantity at the claim's own point: prediction, measurement, gap, what is said of it."""
    judged = results.judgements()
    on_draws = any(j.for_draws is not None for j in judged.values())
    rows, below = [], []
    for name, j in judged.items():
        symbol = formula(j.quantity.symbol) if j.quantity.symbol else ""
        status = f'<span class="{j.word}">{j.word}</span>'
        allowed = f"allowed {_allowed(j)}" if j.counts else ""
        words = prose("; ".join(w for w in (j.quantity.help, j.quantity.reason, allowed) if w))
        gap, error = (j.gap_finite, j.gap_error) if j.quantity.against == "finite" else (j.gap, j.stderr)
        draws = [rounded(j.for_draws, j.stderr)] if on_draws else []
        cells = [rounded(j.predicted, j.stderr), *draws, with_error(j.measured, j.stderr), rounded(gap, error)]
        notices = "" if j.resolution is None else str(j.resolution)
        told = (*cells, j.quantity.relation, notices)
        rows.append((f"<b>{escape(name)}</b> {symbol}", *map(prose, told), status))
        below.append(words)
    numbers = ("predicted", *(["for the draws"] if on_draws else []), "measured", "gap")
    return table(("quantity", *numbers, "relation", "notices", "verdict"), rows, below)


def _allowed(judged: Judgement) -> str:
    """What finite size is granted, and what that is here unless this says the same."""
    words, here = judged.quantity.allowance.in_words(), f"{judged.allowance:.3g}"
    return words if words in (here, "nothing") else f"{words}: {here} here"


def with_error(value: Value | None, error: Value | None) -> str:
    """A number with its standard error, to the digits that this leaves; the ends of a curve."""
    told = rounded(value, error)
    if value is None or isinstance(value, Curve) or error is None or isinstance(error, Curve):
        return told
    if error <= ROUNDING * abs(value):
        return told
    if not math.isfinite(error):
        return f"{told} (one seed)"
    return f"{told}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{rounded(error, error)}"  # on one line


def printed_table(results: Results) -> str:
    """What the source prints, the corrected statement, and the measurement that decides; nothing if all stands."""
    rows = []
    for one in results.as_printed():
        told = one.worst
        measured = with_error(told.measured, told.stderr) if told else ""
        words = (one.verdict.status, one.corrected)
        rows.append(
            (
                escape(one.printed.name),
                prose(number_text(told.predicted if told else None)),
                prose(number_text(one.own.reference if one.own else None)),
                prose(measured),
                *(f'<span class="{word}">{word}</span>' for word in words),
                f'<span class="about">{prose(one.printed.says)}</span>',
                escape(place_of(told, results.cells) if told else ""),
            )
        )
    head = ("quantity", "as printed", "corrected", "measured", "as printed", "corrected", "what is printed", "where")
    return table(head, rows) if rows else ""


def sharpness_line(results: Results) -> str:
    """What the verdict would notice; nothing if nothing holds."""
    sharpness = results.sharpness()
    others = f" Besides: {sharpness.others}." if sharpness.median is not None and sharpness.others else ""
    return f"<p>{prose(sharpness.in_words() + others)}</p>" if sharpness.resolutions else ""


def parameters_table(results: Results) -> str:
    """The parameters at the claim's own point."""
    values = results.base_cell.point.parameters()
    rows = []
    for name, about in parameter_table(type(results.claim)).items():
        symbol = formula(about["symbol"]) if about["symbol"] else ""
        rows.append((escape(name), symbol, f"<code>{escape(str(values[name]))}</code>", prose(about["help"])))
    return table(("parameter", "", "value", "what it is"), rows)


def provenance_table(results: Results) -> str:
    """Where the numbers come from."""
    elsewhere = ("convention", "engine")  # on the page
    facts = {k: v for k, v in results.provenance.items() if v not in ("", None) and k not in elsewhere}
    own = {"points": len(results.cells), "records": sum(len(c.measurements) for c in results.cells)}
    return table(("", ""), [(escape(k.replace("_", " ")), prose(str(v))) for k, v in {**own, **facts}.items()])


def regime(results: Results) -> str:
    """Where theory speaks, and its remarks at the claim's own point."""
    prediction = results.base_cell.prediction
    notes = "".join(f"<li>{prose(note)}</li>" for note in prediction.notes)
    return f"<p>Theory holds for: {prose(prediction.regime)}.</p>" + (f"<ul>{notes}</ul>" if notes else "")


def kind_and_source(results: Results, home: str) -> str:
    """`theorem, full engine. Source: J. Ba ... (2022); slides ...`, with links to the paper and its BibTeX."""
    info = results.claim.info
    kind = ", ".join(words for words in (info.kind, engine_words(results.claim.engine)) if words)
    words = prose(f"{kind}. Source: {'; '.join(words for words in (str(info.source), info.where) if words)}.")
    return f"{words} {source_links(info.source)} {_bibtex_link(info.source, home)}".strip()


def source_links(source: Source) -> str:
    """Links to where a paper can be read."""
    name = f"arXiv:{source.arxiv}" if source.arxiv else f"doi:{source.doi}"
    return f'<a href="{escape(source.link)}" rel="noreferrer">{escape(name)}</a>' if source.link else ""


def _bibtex_link(source: Source, home: str) -> str:
    return f'<a href="{home}papers.html#{escape(source_key(source))}">BibTeX</a>'
