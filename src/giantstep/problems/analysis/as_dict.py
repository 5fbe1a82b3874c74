"""An analysis as plain numbers and lists, ready for JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from giantstep.problems.analysis.subspaces.packed import Number
from giantstep.problems.analysis.subspaces.roots import quotient
from giantstep.problems.analysis.subspaces.spans import Basis, Vector
from giantstep.problems.analysis.visibility import COMMON
from giantstep.problems.text.printing import number_text
from giantstep.problems.text.surds import Surd

if TYPE_CHECKING:
    from giantstep.problems.analysis.analysis import Analysis, Step, Visibility


def power_of_d(exponent: int) -> str:
    """
    >>> [power_of_d(k) for k in (0, 1, 2)]
    ['1', 'd', 'd^2']
    """
    return "1" if exponent == 0 else "d" if exponent == 1 else f"d^{exponent}"


def plain(value: Fraction | float, exact: bool) -> float | str:
    """A number for JSON: a float, or with `exact` a fraction as text where it is one."""
    return str(value) if exact and isinstance(value, Fraction | int) else float(value)


def entry(value: Number, exact: bool) -> int | float | str:
    """An entry of a direction: whole numbers stay, roots become floats or, with `exact`, text."""
    if isinstance(value, Surd):
        return number_text(value) if exact else quotient(value, 1)
    if isinstance(value, float):
        return int(value) if value.is_integer() else float(f"{value:.12g}")
    return int(value)


def record(analysis: Analysis, exact: bool = False) -> dict[str, Any]:
    """Everything an analysis says, by name."""

    def vectors(basis: Basis) -> list[list[int | float | str]]:
        return [_vector(v, exact) for v in basis]

    paid = analysis.labels.paid
    result: dict[str, Any] = {
        "target": analysis.target,
        "directions": analysis.directions,
        "norm2": plain(analysis.norm2, exact),
        "mean": plain(analysis.mean, exact),
        "mean_error": analysis.mean_error,
        "energies": [plain(e, exact) for e in analysis.energies],
        "energy_errors": list(analysis.energy_errors),
        "tail": plain(analysis.tail, exact),
        "relevant_dimension": analysis.relevant_dimension,
        "relevant_directions": vectors(analysis.space),
        "information_exponent": analysis.information_exponent,
        "leap": analysis.leap,
        "isoleap": analysis.isoleap,
        "generative_exponent": analysis.generative.exponent,
        "generative_strengths": list(analysis.generative.strengths),
        "generative_reason": analysis.generative.reason,
        "generative_leap": analysis.labels.leap,
        "generative_leap_reason": analysis.labels.reason,
        "weak_recovery_threshold": None if paid is None else paid.threshold,
        "weak_recovery_error": None if paid is None else paid.error,
        "label_steps": [
            {
                "exponent": step.exponent,
                "directions": [list(v) for v in step.directions],
                "threshold": step.threshold,
                "error": step.error,
            }
            for step in analysis.labels.steps
        ],
        "hessian": {
            "rank": analysis.hessian.rank,
            "condition": analysis.hessian.condition,
            "kappa": analysis.hessian.kappa,
            "eigenvalues": list(analysis.hessian.eigenvalues),
            "error": analysis.hessian.error,
            "relative_error": analysis.hessian.relative_error,
        },
        "staircase": [_step(number, step, exact) for number, step in enumerate(analysis.staircase)],
        "stop": analysis.stop,
        "common_activations": list(COMMON),
        "one_step": {
            str(exponent): {"directions": vectors(level.basis)} for exponent, level in enumerate(analysis.one_step, 1)
        },
        "kernel_floor": [plain(e, exact) for e in analysis.kernel_floor],
        "regimes": [
            {
                "samples": power_of_d(row.samples),
                "neurons": power_of_d(row.neurons),
                "directions": vectors(row.basis),
                "fitted": row.fitted,
                "bound": plain(row.bound, exact),
                "bounds_by_steps": [plain(b, exact) for b in row.bounds],
            }
            for row in analysis.regimes
        ],
        "methods": [
            {"method": m.name, "first": m.first, "all": m.all, "note": m.note, "source": m.source}
            for m in analysis.methods
        ],
        "exact": analysis.is_exact,
        "error": analysis.error,
        "notes": list(analysis.notes),
    }
    if analysis.visibility is not None:
        result |= _seen(analysis.visibility, exact)
    return result


def _vector(vector: Vector, exact: bool) -> list[int | float | str]:
    return [entry(x, exact) for x in vector]


def _step(number: int, step: Step, exact: bool) -> dict[str, Any]:
    return {
        "step": number,
        "directions": [_vector(v, exact) for v in step.level.basis],
        "new_directions": [_vector(d.vector, exact) for d in step.level.new],
        "through_coefficients": [list(d.orders) for d in step.level.new],
        "seen_by": [list(names) for names in step.seen_by],
        "conditional_variance": plain(step.spread.variance, exact),
        "conditional_variance_error": step.spread.error,
        "tail_energies": [plain(e, exact) for e in step.spread.energies],
        "tail_energies_missing": step.spread.missing,
    }


def _seen(visibility: Visibility, exact: bool) -> dict[str, Any]:
    view = visibility.sight
    return {
        "activation": visibility.activation,
        "vanishing_coefficients": list(visibility.vanishing),
        "visible_exponent": visibility.exponent,
        "visible_staircase": [[_vector(v, exact) for v in level.basis] for level in view.staircase.levels],
        "missed_directions": [_vector(v, exact) for v in view.missed],
        "needed_coefficients": list(view.needed),
    }
