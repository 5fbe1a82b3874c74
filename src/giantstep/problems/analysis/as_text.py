"""An analysis as a page of text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING

from giantstep.problems.analysis.as_dict import power_of_d
from giantstep.problems.analysis.fitted_regimes import Regime, series_text
from giantstep.problems.analysis.splitting import Exact
from giantstep.problems.analysis.subspaces.spans import Basis, Vector
from giantstep.problems.analysis.visibility import COMMON
from giantstep.sources import SOURCES

if TYPE_CHECKING:
    from giantstep.problems.analysis.analysis import Analysis, Visibility

_PAGE = 110  # columns
_LABEL = 22
_MOST = 8  # so many degrees fit in a line


def page(analysis: Analysis, exact: bool = False) -> str:
    """The whole page."""
    parts = [
        _summary(analysis, exact),
        _staircase(analysis, exact),
        _one_step(analysis),
        _regimes(analysis, exact),
        _methods(analysis),
    ]
    if analysis.visibility is not None:
        parts.insert(2, _activation(analysis.visibility, analysis.information_exponent))
    notes = [line for note in (*analysis.notes, _accuracy(analysis)) for line in wrap(note, _PAGE)]
    return "\n\n".join("\n".join(lines) for lines in [*parts, notes] if lines)


def _accuracy(a: Analysis) -> str:
    """The last sentence: it covers every number above it."""
    strengths = "; strengths are rounded to four digits" if a.generative.strengths else ""
    if any(step.threshold is not None for step in a.labels.steps):
        strengths += "; n/d of transformed labels is right to its last digit or two"
    if a.is_exact:
        rounded = "; condition numbers are rounded" if a.hessian.condition is not None else ""
        return f"all numbers are exact{rounded}{strengths}"
    of_h = ", those of H to a share of " + _power_of_ten(a.hessian.relative_error) if a.hessian.relative_error else ""
    return f"numbers are right to {_power_of_ten(a.error)}{of_h}, and to the digits that are printed{strengths}"


def _power_of_ten(error: float) -> str:
    """An error, rounded upwards to one digit."""
    if error < 1e-15:
        return "1e-15"
    exponent = math.floor(math.log10(error))
    return f"{math.ceil(error / 10.0**exponent * (1 - 1e-12)) * 10.0**exponent:.0e}"


# --- words and numbers ------------------------------------------------------------------------------------


def number(value: Exact, exact: bool, error: float = 0.0, digits: int = 10) -> str:
    """A number to so many digits, and no further than its `error` allows.

    >>> number(Fraction(2, 3), False), number(Fraction(2, 3), True), number(2 / 3, False, error=3e-4)
    ('0.6666666667', '2/3', '0.6667')
    """
    if exact and isinstance(value, Fraction):
        return str(value)
    x = float(value)
    if x and error > 0.0:
        digits = min(digits, max(1, math.floor(math.log10(abs(x))) - math.floor(math.log10(error)) + 1))
    return f"{x:.{digits}g}"


def _or_bound(value: Exact, exact: bool, error: float) -> str:
    """A number, or if it cannot be told from zero how small it is."""
    if value and abs(float(value)) <= error:
        return f"below {_power_of_ten(abs(float(value)) + error)}"
    return number(value, exact, error)


def direction_text(vector: Vector) -> str:
    """A direction as text in x1, x2, ...; `vector` has an entry for each of the r variables.

    >>> direction_text((1, 0, -2))
    'x1 - 2*x3'
    """
    n = len(vector)
    axes = {tuple(int(i == j) for j in range(n)): x for i, x in enumerate(vector) if x != 0}
    return series_text({a: float(f"{x:.6g}") if isinstance(x, float) else x for a, x in axes.items()})


def directions_text(basis: Basis) -> str:
    return ", ".join(map(direction_text, basis)) or "none"


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns as wide as they need to be; what is too long in the last one goes on below."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    room = max(_PAGE - sum(widths) - 2 * len(widths) - 2, 40)
    lines = []
    for row in rows:
        tail = wrap(row[-1], room) or [""]
        head = "  " + "".join(f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False))
        lines.append((head + tail[0]).rstrip())
        lines.extend(" " * len(head) + more for more in tail[1:])
    return lines


def _line(label: str, words: str) -> str:
    return f"{label:<{_LABEL}}{words}".rstrip()


def _short(value: Exact, exact: bool, error: float = 0.0) -> str:
    """A number in a table: rational ones in full, others to five digits."""
    return number(value, exact) if isinstance(value, Fraction) else number(value, exact, error, 5)


def _by_degree(energies: Iterable[Exact], exact: bool, error: float) -> str:
    parts = [f"{k}: {_short(e, exact, error)}" for k, e in enumerate(energies) if float(e) > error] or ["0"]
    return "  ".join(parts if len(parts) <= _MOST else [*parts[: _MOST - 1], "..."])


def _coefficients(orders: Sequence[int], joint: str) -> str:
    names = [f"mu{k}" for k in orders]
    return joint.join(names if len(names) <= 3 else [*names[:3], "..."])


# --- parts ----------------------------------------------------------------------------------------------


def _summary(a: Analysis, exact: bool) -> list[str]:
    ell, count = a.information_exponent, a.relevant_dimension
    lines = [
        _line("target", a.target),
        _line("directions", str(count) if count == a.directions else f"{count}: {directions_text(a.space)}"),
        _line("norm2  E f^2", number(a.norm2, exact, a.error)),
        _line("mean   E f", _or_bound(a.mean, exact, a.mean_error)),
        _line("energy by degree", ""),
    ]
    for k, (e, error) in enumerate(zip(a.energies, a.energy_errors, strict=True)):
        share = 100 * float(e) / (float(a.norm2) or 1.0)
        if float(e) > error:
            lines.append(f"  {k:3d}   {number(e, exact, error):<16} {share:6.2f} %")
        elif error > 1e-15 * float(a.norm2):
            lines.append(f"  {k:3d}   below {_power_of_ten(float(e) + error)}")
    if a.tail:
        share = 100 * float(a.tail) / float(a.norm2)
        lines.append(f"  {'>' + str(len(a.energies) - 1):>3s}   {number(a.tail, exact, a.error):<16} {share:6.2f} %")
    if ell is None:
        highest = len(a.energies) - 1
        none = f"none up to degree {highest}" if highest else "none: the target is constant"
        lines.append(_line("information exponent", none))
        return lines
    lines.append(
        _line("information exponent", f"{ell}: one giant step needs of the order of {power_of_d(ell)} samples")
    )
    lines.append(_line("leap, isoleap", f"{a.leap} in these coordinates, {a.isoleap} in the worst ones"))
    strengths = ", ".join(f"{s:.4f}" for s in a.generative.strengths)
    value = "none" if a.generative.exponent is None else str(a.generative.exponent)
    lines.append(_line("generative exponent", f"{value} ({a.generative.reason})"))
    if strengths:
        lines.append(_line("", f"strengths of degree 1, 2, ...: {strengths}"))
    lines.extend(_labels(a))
    h = a.hessian
    words = f"rank {h.rank} of {count}"
    if h.condition is not None and h.kappa is not None:
        condition, kappa = (number(v, False, v * h.relative_error, 6) for v in (h.condition, h.kappa))
        words += f", condition number {condition}, |f| |H^+| / sqrt(rank) = {kappa}"
    lines.append(_line("H = E[Hess f]", words))
    return lines


def _labels(a: Analysis) -> list[str]:
    """How transformed labels show the directions: the leap if there are several, and the steps."""
    found, words = a.labels, []
    for step in found.steps:
        names = directions_text(step.directions)
        if step.exponent == 1:
            words.append(f"{names} free at n ~ d")
        elif step.threshold is not None:
            words.append(f"{names} from n/d = {number(step.threshold, False, step.error, 4)} on")
        else:
            words.append(f"{names} with n ~ {_exponent(step.exponent / 2)}")
    lines = []
    if a.relevant_dimension > 1:
        lines.append(_line("generative leap", f"{found.leap or 'none'} ({found.reason})"))
    for number_of, line in enumerate(wrap("; then ".join(words), _PAGE - _LABEL)):
        lines.append(_line("" if number_of else "transformed labels", line))
    return lines


def _staircase(a: Analysis, exact: bool) -> list[str]:
    if not a.space:
        return [a.stop]
    rows = [("t", "new directions", "through", "E Var(f|U_t)", "energy by degree outside U_t")]
    for t, step in enumerate(a.staircase):
        fresh = [(direction_text(d.vector), _coefficients(d.orders, " ")) for d in step.level.new] or [("", "")]
        spread = step.spread
        variance = _short(spread.variance, exact, spread.error)
        rows.append((str(t), *fresh[0], variance, _by_degree(spread.energies, exact, spread.error)))
        rows.extend(("", *one, "", "") for one in fresh[1:])
    lines = ["Staircase: n ~ d samples a step", *table(rows), f"  {a.stop}"]
    seen_by = {d.orders: names for step in a.staircase for d, names in zip(step.level.new, step.seen_by, strict=True)}
    for orders, seen in seen_by.items():
        blind = [name for name in COMMON if name not in seen]
        words = f"  {_coefficients(orders, ' or ')}: seen by {', '.join(seen) or 'none of the common activations'}"
        lines.append(words + (f"; not by {', '.join(blind)}" if blind else ""))
    return lines


def _activation(v: Visibility, ell: int | None) -> list[str]:
    names = ", ".join(f"mu{k}" for k in v.vanishing) or "none"
    lines = [_line("activation", f"{v.activation}; of mu1 to mu{v.up_to} vanish: {names}")]
    if ell is None:
        return lines
    if v.exponent is None:
        words = "sees nothing: where the target has energy, the activation has none"
    elif v.exponent == ell:
        words = f"sees the target with of the order of {power_of_d(v.exponent)} samples"
    else:
        words = (
            f"does not see degree {ell}, because mu{ell} = 0; degree {v.exponent} is seen with of the order of "
            f"{power_of_d(v.exponent)} samples"
        )
    lines.append(_line("one giant step", words))
    view = v.sight
    climbed = "; ".join(directions_text(level.basis) for level in view.staircase.levels[1:]) or "nothing"
    lines.append(_line("its staircase", climbed))
    if view.missed:
        because = f", because {_coefficients(view.needed, ' = ')} = 0" if view.needed else ""
        lines.append(_line("it misses", directions_text(view.missed) + because))
    else:
        lines.append(_line("it misses", "nothing of the staircase"))
    return lines


def _one_step(a: Analysis) -> list[str]:
    if not a.space:
        return []
    rows = [("n", "directions learned")]
    for exponent, level in enumerate(a.one_step, 1):
        rows.append((power_of_d(exponent), directions_text(level.basis)))
    lines = ["One giant step", *table(rows)]
    ell = a.information_exponent or 1
    if any(len(level.basis) > len(a.one_step[ell - 1].basis) for level in a.one_step[ell:]):
        lines.append(
            f"  directions beyond those at n ~ {power_of_d(ell)} are weaker in each neuron by a power of d: they show\n"
            "  in the span of all gradients together, or after lower degrees have been taken off the target"
        )
    return lines


def _regimes(a: Analysis, exact: bool) -> list[str]:
    if not a.regimes or not a.space:
        return []
    steps = len(a.regimes[0].bounds)
    rows: list[tuple[str, ...]] = [("n", "p", "learned", *(f"T={t}" for t in range(steps)), "fitted after one step")]
    shown: list[Regime] = []
    for row in a.regimes:
        # What more samples or neurons do not change is said once.
        if any(_same(row, other) for other in shown):
            continue
        shown.append(row)
        bounds = [_short(b, exact, a.error) for b in row.bounds]
        rows.append((power_of_d(row.samples), power_of_d(row.neurons), directions_text(row.basis), *bounds, row.fitted))
    return [
        "After T steps and a ridge head: least risk (Conjecture 3; T=0: kernels and random features)",
        *table(rows),
        *(["  rows that change nothing are left out"] if len(shown) < len(a.regimes) else []),
    ]


def _same(row: Regime, other: Regime) -> bool:
    return row.samples >= other.samples and row.neurons >= other.neurons and row.bounds == other.bounds


def _methods(a: Analysis) -> list[str]:
    if not a.methods:
        return []
    rows: list[tuple[str, ...]] = [("method", "first", "all", "")]
    for m in a.methods:
        rows.append((m.name, *(_exponent(e) for e in (m.first, m.all)), f"{m.note} [{m.source}]"))
    keys = dict.fromkeys(key for m in a.methods for key in m.source.split(", "))
    cited = "; ".join(f"[{key}] {SOURCES[key].short}" for key in keys)
    return [
        "Samples needed for a first direction and for all, up to logarithms",
        *table(rows),
        *wrap(cited, _PAGE, initial_indent="  ", subsequent_indent="  "),
    ]


def _exponent(value: float | None) -> str:
    if value is None:
        return "-"
    return power_of_d(int(value)) if value.is_integer() else f"d^{value:g}"
