"""`giantstep claims` and `giantstep show`: what there is."""

from __future__ import annotations

from giantstep.claims import claim_class, claim_names, described, engine_words, statement, story
from giantstep.cli.options import ClaimName, Json
from giantstep.cli.output import console, heading, parameters_line, print_json, table


def claims(*, json: Json = False) -> None:
    """List the claims: what each says and where it comes from."""
    classes = [claim_class(name) for name in claim_names()]
    if json:
        print_json([described(cls) for cls in classes])
        return
    rows = table("claim", "kind", "statement")
    for cls in classes:
        rows.add_row(cls.info.name, cls.info.kind, statement(cls))
    console().print(rows)


def show(claim: ClaimName, /, *, json: Json = False) -> None:
    """Tell one claim in full: statement, source, findings, parameters."""
    cls = claim_class(claim)
    if json:
        print_json(described(cls))
        return
    out = console()
    facts = described(cls)
    known = (cls.info.kind, f"version {cls.info.version}", engine_words(cls.engine))
    out.print(heading(claim, f"({', '.join(words for words in known if words)})\n"))
    out.print(story(cls))
    out.print(f"\nSource: {facts['source']}")
    if cls.convention:
        out.print(f"Convention: {cls.convention}")
    if facts["hypotheses"]:
        out.print(f"Supposes that {'; '.join(facts['hypotheses'])}")
    if cls.info.finding:
        out.print(f"\nFinding: {cls.info.finding}")
    for name, says in facts["as_printed"].items():
        out.print(f"As printed (run --as-printed), {name}: {says}")
    rows = table("parameter", "default", "what it is", title="\nParameters")
    for name, about in facts["parameters"].items():
        path = " (a grid over it costs one run)" if about["path"] else ""
        rows.add_row(f"--{name.replace('_', '-')}", str(about["default"]), f"{about['help']}{path}")
    out.print(rows)
    for here, title in ((True, "Quantities"), (False, "Stated for other targets or settings than these defaults")):
        rows = table("quantity", "relation", "what it is; what finite size does", "allowed for it", title=f"\n{title}")
        for name, about in facts["quantities"].items():
            words = "; ".join(w for w in (about["help"], about["finite_size"]) if w)
            if about["here"] == here:
                rows.add_row(name, about["relation"], words, about["allowance"])
        if rows.row_count:
            out.print(rows)
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
