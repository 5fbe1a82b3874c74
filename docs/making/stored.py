"""The simulations that the tests keep, as results: most claims can be judged and drawn without simulating anything.

They are the claims' default studies, some with fewer seeds than a claim has now.
"""

from __future__ import annotations

import sys
from pathlib import Path

from giantstep.claims import claim_class
from giantstep.studies import Results, Study
from making.evidence import draw_one, known
from making.staging import ROOT

sys.path.append(str(ROOT))


def stored_results(name: str) -> Results | None:
    """What the tests keep of a claim, if it is of the claim's present version."""
    from tests.mutations.simulations import place_of, predicted, stored_cells

    cls = claim_class(name)
    if not place_of(name).exists():
        return None
    version, cells = stored_cells(name)
    if version != cls.info.version:
        return None
    where = f"tests/mutations/simulations/{place_of(name).name}"
    facts = {"claim_version": version, "seed": min(cells[0].seeds), "kept_in": where, "convention": cls().convention}
    return Results(cls(), tuple(predicted(cells)), facts, Study.of_views(cls()).views)


def draw_stored(names: list[str], folder: Path) -> int:
    """Judge and draw what the tests keep of these claims, where nothing is known yet; says how many."""
    folder.mkdir(parents=True, exist_ok=True)
    before, count = known(folder), 0
    for name in names:
        results = None if name in before else stored_results(name)
        if results is not None:
            draw_one(name, results, f"version {results.claim.info.version}, kept with the tests", folder)
            count += 1
    return count
