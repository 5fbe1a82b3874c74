"""Fitted terms: where few neurons are many."""

from __future__ import annotations

import pytest

from giantstep.claims.dklps23.fitted_terms import FittedTerms

pytestmark = pytest.mark.agreement


def test_few_smooth_neurons_are_not_many() -> None:
    """64 of cos(z) + z/2 fit half of He2 on U, 1000 nine tenths: the limit of many neurons is not judged at 64."""
    point = FittedTerms(activation="cos(z) + z/2", d=76)
    assert "kink" in str(point.outside("fit_on_U"))
    assert not point.outside("terms")
    assert not FittedTerms(d=76).outside("fit_on_U")
    results = point.run(seeds=4, workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence  # terms, against the equivalent as drawn
    assert max(m.values["fit_on_U"] for m in results.cells[0].measurements) < 0.8
