"""Simulate the default studies of all claims, then judge and draw them for the site.

    python docs/gallery.py [--only bes22 structured/warm-start] [--store FILE] [--presets] [--draw-only]

The study is stored: stopped at any moment, the same command does what is missing, and a later build only draws. A store
that `giantstep verify --all --store FILE` has filled serves as well.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from making.evidence import FOLDER, STORE, draw_all, preset_study, study_of

from giantstep.claims import claim_class, claim_names, matching_claims
from giantstep.errors import InputError
from giantstep.studies import Study, run_all


def simulate(studies: list[Study], workers: int | None) -> None:
    """Run what the store lacks, and say each verdict as soon as it is known."""
    for number, told in run_all(studies, workers):
        words = str(told) if isinstance(told, InputError) else f"{told.verdict.status}: {told.verdict.sentence}"
        print(f"{studies[number].name}: {words}", flush=True)


def main() -> None:
    reader = argparse.ArgumentParser(description="Simulate, judge and draw the claims for the site.")
    reader.add_argument("--only", nargs="*", help="claims or folders of them; all by default")
    reader.add_argument("--store", type=Path, default=STORE, help="the file that keeps the records")
    reader.add_argument("--to", type=Path, default=FOLDER, help="where the pictures go")
    reader.add_argument("--presets", action="store_true", help="also the points of the presets")
    reader.add_argument("--draw-only", action="store_true", help="simulate nothing")
    reader.add_argument("--workers", type=int, help="how many processes; all cores by default")
    asked = reader.parse_args()
    names = [cls.info.name for cls in matching_claims(asked.only)] if asked.only else claim_names()
    if not asked.draw_only:
        asked.store.parent.mkdir(parents=True, exist_ok=True)
        studies = [study_of(claim_class(name), asked.store) for name in names]
        if asked.presets:
            pairs = [(name, preset) for name in names for preset in claim_class(name).presets]
            studies += [preset_study(name, preset, asked.store) for name, preset in pairs]
        simulate(studies, asked.workers)
    print(f"{draw_all(names, asked.store, asked.to)} drawn in {asked.to}")


if __name__ == "__main__":
    main()
