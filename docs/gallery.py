"""Simulate the default studies of all claims, then judge and draw them for the site.

    python docs/gallery.py [--only bes22 structured/warm-start] [--store FILE] [--presets] [--keep]
    python docs/gallery.py --draw-only --stored [--keep]

The study is stored: stopped at any moment, the same command does what is missing, and a later build only draws. A store
that `giantstep verify --all --store FILE` has filled serves as well, whatever its first seed: pages tell the seeds.
The second line simulates nothing: it draws the store, and for other claims the simulations that the tests keep.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from making.evidence import FOLDER, STORE, draw_all, known, preset_study, study_of, with_enough_seeds
from making.kept import keep
from making.stored import draw_stored

from giantstep.claims import claim_class, claim_names, matching_claims
from giantstep.errors import InputError
from giantstep.studies import Results, Study, run_all

ROUNDS = 3  # in which a preset may ask for more seeds


def simulate(studies: list[Study], workers: int | None, longest: float) -> None:
    """Run what the store lacks, and say each verdict as soon as it is known; presets get the seeds that decide them."""
    waiting = studies
    for _ in range(ROUNDS):
        asked, waiting = waiting, []
        for number, told in run_all(asked, workers):
            study = asked[number]
            words = str(told) if isinstance(told, InputError) else f"{told.verdict.status}: {told.verdict.sentence}"
            print(f"{study.name}: {words}", flush=True)
            if isinstance(told, Results) and not study.spec.get("views"):
                waiting += [more] if (more := with_enough_seeds(study, told, longest)) else []


def chosen(asked: argparse.Namespace, names: list[str]) -> list[Study]:
    """The studies that are asked for."""
    pairs = [(name, preset) for name in names for preset in claim_class(name).presets] if asked.presets else []
    presets = [preset_study(name, preset, asked.store, asked.seed, asked.longest) for name, preset in pairs]
    views = [] if asked.presets == "only" else [study_of(claim_class(name), asked.store, asked.seed) for name in names]
    return views + presets


def main() -> None:
    reader = argparse.ArgumentParser(description="Simulate, judge and draw the claims for the site.")
    reader.add_argument("--only", nargs="*", help="claims or folders of them; all by default")
    reader.add_argument("--store", type=Path, default=STORE, help="the file that keeps the records")
    reader.add_argument("--to", type=Path, default=FOLDER, help="where the pictures go")
    reader.add_argument("--seed", type=int, default=0, help="the first seed")
    reader.add_argument("--presets", nargs="?", const="too", choices=("too", "only"), help="the points of presets")
    reader.add_argument("--longest", type=float, default=60.0, help="seconds of one core that limit its seeds")
    reader.add_argument("--draw-only", action="store_true", help="simulate nothing")
    reader.add_argument("--stored", action="store_true", help="also draw what the tests keep of other claims")
    reader.add_argument("--keep", action="store_true", help="keep thumbnails and verdicts in docs/pictures/claims")
    reader.add_argument("--workers", type=int, help="how many processes; all cores by default")
    asked = reader.parse_args()
    names = [cls.info.name for cls in matching_claims(asked.only)] if asked.only else claim_names()
    if not asked.draw_only:
        asked.store.parent.mkdir(parents=True, exist_ok=True)
        simulate(chosen(asked, names), asked.workers, asked.longest)
    print(f"{draw_all(names, asked.store, asked.to)} drawn in {asked.to}")
    if asked.stored:
        print(f"{draw_stored(names, asked.to)} drawn from what the tests keep")
    if asked.keep:
        size = keep(known(asked.to), asked.to)
        print(f"thumbnails and verdicts are kept in docs/pictures/claims: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
