"""How many samples each way of learning needs, as exponents of d, side by side.

`first` is the exponent from which on anything beyond the mean is learned, `all` the one for all directions (for
kernels: for the whole function). They come from different papers with different conditions, and leave out logarithms
and constants; None means that no power of d suffices, or that the result says nothing about this target.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from giantstep.problems.analysis.as_text import number
from giantstep.problems.analysis.from_labels import FromLabels
from giantstep.problems.analysis.landscape import Landscape

if TYPE_CHECKING:
    from giantstep.problems.analysis.hessian import Hessian


@dataclass(frozen=True)
class Method:
    """One way of learning; `note` says on what the exponents rest."""

    name: str
    first: float | None
    all: float | None
    note: str
    source: str


def methods(landscape: Landscape, ell: int | None, hessian: Hessian, labels: FromLabels) -> tuple[Method, ...]:
    """The exponents for a target with information exponent `ell`; nothing for a constant."""
    isoleap = landscape.isoleap
    if ell is None:
        return ()
    degree = landscape.target.degree
    spans = hessian.rank == len(landscape.space)
    rows = [
        Method(
            "kernel or lazy training",
            float(ell),
            None if degree is None else float(degree),
            "the degree of the target" if degree is not None else "not a polynomial: no power of d fits all of it",
            "mmm22",
        ),
        Method(
            "one giant step",
            float(ell),
            _float(landscape.one_step_exponent),
            "information exponent; directions of C_1, ..., C_m",
            "dklps23",
        ),
        Method("several giant steps", float(ell), _float(isoleap), "the staircase: isoleap (conjecture)", "dklps23"),
        Method(
            "one-pass SGD",
            max(1.0, ell - 1.0),
            None if isoleap is None else max(1.0, isoleap - 1.0),
            "information exponent; isoleap (conjecture)",
            "bagj21, abm23",
        ),
        Method(
            "one step on the Hessian, a head",
            2.0 if hessian.rank else None,
            2.0 if spans and degree is not None else None,
            _hessian_note(landscape, hessian, spans),
            "dls22",
        ),
        Method(
            "lower bound, correlational queries",
            max(1.0, ell / 2.0),
            None if isoleap is None else max(1.0, isoleap / 2.0),
            "half the information exponent; half the isoleap",
            "dls22, abm23",
        ),
    ]
    if labels.steps:
        first, last = labels.steps[0].exponent, labels.leap
        rows[-1:-1] = [
            Method(
                "spectral method", max(1.0, first / 2.0), _half(last), _spectral_note(labels), "mm19, tddlkp24, dlb25"
            ),
            Method(
                "SGD with reuse",
                1.0 if first <= 2 else None,
                1.0 if last is not None and last <= 2 else None,
                "each sample twice, if the generative leap is at most 2 (conjecture for several directions)",
                "addkp24",
            ),
        ]
        note, source = ("half the generative exponent", "dpvlb24")
        if len(labels.steps[0].directions) < len(landscape.space) or len(landscape.space) > 1:
            note, source = ("half the generative leap", "dlb25")
        rows.append(Method("lower bound, all statistical queries", max(1.0, first / 2.0), _half(last), note, source))
    return tuple(rows)


def _half(leap: int | None) -> float | None:
    return None if leap is None else max(1.0, leap / 2.0)


def _spectral_note(labels: FromLabels) -> str:
    paid = labels.paid
    if labels.leap == 1:
        return "of transformed labels: every direction is free at n ~ d"
    if paid is None or paid.threshold is None:
        return "of transformed labels: half the generative leap"
    return f"of transformed labels, from n/d = {number(paid.threshold, False, paid.error, 4)} on"


def _float(value: int | None) -> float | None:
    return None if value is None else float(value)


def _hessian_note(landscape: Landscape, hessian: Hessian, spans: bool) -> str:
    r, degree = len(landscape.space), landscape.target.degree
    if not spans:
        return f"for all it needs E[Hess f] of rank {r}; it has rank {hessian.rank}"
    if degree is None:
        return "the result is for polynomials"
    return f"n ~ d^2 r + d r^p, r = {r}, p = {degree}"
