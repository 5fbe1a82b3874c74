"""Write docs/claims: one page per claim, made from the claim itself, so that pages cannot drift from the code.

Run `make docs` after changing a claim; a test compares the pages with what this script would write. With `--pictures`
the picture of the README is simulated and drawn again.
"""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path

import giantstep.claims
from giantstep.claims import (
    Claim,
    ListedClaim,
    claim,
    claim_class,
    claim_names,
    described,
    engine_words,
    formula_of,
    listing_text,
    statement,
    story,
)
from giantstep.figures import as_html
from giantstep.lab.jobs.describing import thumbnail
from giantstep.lab.small_pictures import FOLDER as CARDS
from giantstep.lab.small_pictures import card_of, cards_text, small_pictures
from giantstep.studies import Study

FOLDER = Path(__file__).parent / "claims"
LISTING = Path(giantstep.claims.__file__).with_name("listing.json")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _set(text: str) -> str:
    """Words with their mathematics set as HTML, which Markdown keeps; code stays between backticks."""
    return re.sub(r"<code>(.*?)</code>", lambda found: f"`{html.unescape(found[1])}`", as_html(text))


def _quantities(told: dict[str, dict[str, str]]) -> list[str]:
    lines = ["| quantity | relation | what it is | finite size | allowed for it |", "| --- | --- | --- | --- | --- |"]
    for name, about in told.items():
        words = [_cell(_set(about[column])) for column in ("relation", "help", "finite_size", "allowance")]
        lines.append(f"| `{name}` | {' | '.join(words)} |")
    return lines


def page(cls: type[Claim]) -> str:
    """One claim as a Markdown page."""
    facts = described(cls)
    known = (facts["kind"], engine_words(cls.engine), f"version {facts['version']}")
    lines = [f"# {facts['name']}", "", f"*{'; '.join(words for words in known if words)}*", ""]
    stated, _, more = story(cls).partition("\n\n")
    formula = formula_of(cls)
    lines += [_set(stated), ""]
    lines += [formula.marked_down(), ""] if formula else []
    lines += [_set(more), ""] if more else []
    lines += [f"**Source.** {_set(facts['source'])}.", ""]
    if facts["convention"]:
        lines += [f"**Convention.** {_set(facts['convention'])}.", ""]
    lines += [f"**Theory holds for** {_set(cls().predict().regime)}.", ""]
    if facts["hypotheses"]:
        lines += [f"**It supposes that** {_set('; '.join(facts['hypotheses']))}.", ""]
    if facts["finding"]:
        lines += [f"**Finding.** {_set(facts['finding'])}", ""]
    if facts["as_printed"]:
        lines += [f"**As printed** (`giantstep verify {facts['name']} --as-printed` judges both):", ""]
        lines += [*(f"- `{name}`: {_set(says)}" for name, says in facts["as_printed"].items()), ""]
    lines += ["## Run it", "", "```", f"giantstep run {facts['name']}", f"giantstep verify {facts['name']}", "```", ""]
    lines += ["## Parameters", "", "| parameter | default | what it is |", "| --- | --- | --- |"]
    for name, about in facts["parameters"].items():
        symbol = f" (${about['symbol']}$)" if about["symbol"] else ""
        path = " A grid over it costs one run." if about["path"] else ""
        lines.append(
            f"| `{name}` | `{_cell(str(about['default']))}` | {_cell(_set(about['help']) + symbol + '.' + path)} |"
        )
    here = {name: about for name, about in facts["quantities"].items() if about["here"]}
    elsewhere = {name: about for name, about in facts["quantities"].items() if not about["here"]}
    lines += ["", "## Quantities", "", *_quantities(here)]
    if elsewhere:
        lines += ["", "For other targets or settings than the defaults it also states:", "", *_quantities(elsewhere)]
    if facts["presets"]:
        lines += ["", "## Presets", "", "| preset | parameters |", "| --- | --- |"]
        for name, values in facts["presets"].items():
            lines.append(f"| `{name}` | {_cell(', '.join(f'`{k} = {v}`' for k, v in values.items()))} |")
    return "\n".join(lines) + "\n"


def index(classes: list[type[Claim]]) -> str:
    """The list of all claims."""
    lines = ["# Claims", "", "Each is one theorem, conjecture, example or figure, made executable.", ""]
    lines += ["| claim | kind | statement |", "| --- | --- | --- |"]
    for cls in classes:
        lines.append(f"| [{cls.info.name}]({cls.info.name}.md) | {cls.info.kind} | {_cell(_set(statement(cls)))} |")
    return "\n".join(lines) + "\n"


def listing(classes: list[type[Claim]]) -> str:
    """The list from which `giantstep claims` is told without loading any of them."""
    lines = [ListedClaim.of(cls, float(f"{Study.of_views(cls).flops():.1g}")) for cls in classes]
    return listing_text(lines)


def pages() -> dict[Path, str]:
    """All pages, and the list of claims, by their place."""
    classes = [claim_class(name) for name in claim_names()]
    made = {FOLDER / f"{cls.info.name}.md": page(cls) for cls in classes}
    return {LISTING: listing(classes), FOLDER / "index.md": index(classes), **made}


def cards() -> dict[Path, str]:
    """The small pictures of the lab's front page by their place; only those of new versions are computed."""
    known, made = small_pictures(), {}
    for name in claim_names():
        cls = claim_class(name)
        card = known.get(name)
        if card is None or card["version"] != cls.info.version:
            card = card_of(cls.info.version, bool(cls.info.finding), thumbnail(cls))
        made.setdefault(name.split("/")[0], {})[name] = card
    return {CARDS / f"{folder}.json": cards_text(found) for folder, found in made.items()}


def draw_pictures() -> None:
    """The picture of the README: the flagship theorem, simulated and drawn."""
    place = Path(__file__).parent / "pictures" / "weight-spike.svg"
    place.parent.mkdir(exist_ok=True)
    Study.of_views(claim("bes22/weight-spike")).run().figure().save(place)
    print(f"picture in {place}")


def main() -> None:
    if "--pictures" in sys.argv[1:]:
        draw_pictures()
    wanted = {**pages(), **cards()}
    for old in (*FOLDER.rglob("*.md"), *CARDS.glob("*.json")):
        if old not in wanted:
            old.unlink()
    for place, text in wanted.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    print(f"{len(wanted)} pages in {FOLDER}")


if __name__ == "__main__":
    main()
