"""What can be said about a target before any simulation: how much of what is in it, and who can learn it when."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from giantstep.problems.analysis.as_dict import record
from giantstep.problems.analysis.as_text import page
from giantstep.problems.analysis.climb import Level, gains, leap
from giantstep.problems.analysis.conditional import Spread
from giantstep.problems.analysis.fitted_regimes import Regime, regimes
from giantstep.problems.analysis.from_labels import FromLabels, from_labels
from giantstep.problems.analysis.generative_exponent import Generative, generative
from giantstep.problems.analysis.hessian import Hessian, hessian_of
from giantstep.problems.analysis.landscape import Landscape
from giantstep.problems.analysis.sample_needs import Method, methods
from giantstep.problems.analysis.splitting import Exact
from giantstep.problems.analysis.subspaces.spans import Basis, FloatGeometry
from giantstep.problems.analysis.visibility import Sight, common_activations, has_coefficient
from giantstep.problems.forms.linear_forms import direction_space

if TYPE_CHECKING:
    from giantstep.problems.activation import Activation
    from giantstep.problems.target import Target

ROUNDING = 1e-14
"""Of E f^2: what sums of rounded coefficients lose."""
NEAR = 100.0
"""A rank decision within this factor of its tolerance is called near."""
FAINT = 1e-9
"""Of E f^2: a lowest part below it is a matter of principle only."""


@dataclass(frozen=True)
class Visibility:
    """What one giant step of a network can see of a target.

    At a neuron w the gradient has, inside the span of the target's directions, the parts mu_k C_k[w, ..., w] / (k-1)!
    with mu_k = E[s He_k], C_k = E[grad^k f]: a degree k is seen only if neither vanishes, and then with of the order
    of d^k samples ([dklps23], the theorems on one giant step).

    Args:
        activation: its text.
        vanishing: the k from 1 to `up_to` with mu_k = 0.
        up_to: the highest degree that was looked at.
        exponent: the lowest degree of the target that it sees; None if it sees nothing.
        sight: the staircase as it climbs it.
    """

    activation: str
    vanishing: tuple[int, ...]
    up_to: int
    exponent: int | None
    sight: Sight


@dataclass(frozen=True)
class Step:
    """One level of the staircase.

    Args:
        level: U_t, and which directions are new in it.
        spread: what knowing P_U x leaves open of the target.
        seen_by: for each new direction of the level, the common activations that can learn it here.
    """

    level: Level
    spread: Spread
    seen_by: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, repr=False)
class Analysis:
    """A target's norm, energies, exponents, staircase and sample sizes, made by `Target.analyze`.

    Norms and energies are in units of f^2; they are exact or right to `error`. Exponents are powers of d.

    Args:
        target: its text.
        directions: r, the number of its variables.
        norm2, mean: E f^2 and E f.
        mean_error: a bound on the error of the mean.
        energies: |P_k f|^2 for k = 0, 1, ...
        energy_errors: a bound on the error of each; an energy of 0 with an error above it is not known to vanish.
        tail: the energy of higher degrees.
        space: an orthogonal basis of V*, the directions f really depends on.
        information_exponent, leap, isoleap: None for a constant.
        generative: the generative exponent, and how it was decided.
        labels: how transformed labels show the directions, step by step: what is free, and thresholds of n/d.
        hessian: E[Hess f]: its rank, eigenvalues and condition.
        staircase: U_0, U_1, ... with n ~ d samples a step.
        stop: where it ends and why, in words.
        one_step: what a single step learns; number m - 1 with n ~ d^m samples.
        regimes: the least risk after some steps, by samples and neurons.
        methods: the samples that several ways of learning need.
        is_exact: whether all numbers are (but for those of `generative` and `hessian`, which have their own digits).
        error: a bound on the error of norm2, mean, energies, tail, conditional variances and least risks.
        notes: what a careful reader should know about how the numbers were found.
        visibility: what one activation sees, if one was given.
    """

    target: str
    directions: int
    norm2: Exact
    mean: Exact
    mean_error: float
    energies: tuple[Exact, ...]
    energy_errors: tuple[float, ...]
    tail: Exact
    space: Basis
    information_exponent: int | None
    leap: int | None
    isoleap: int | None
    generative: Generative
    labels: FromLabels
    hessian: Hessian
    staircase: tuple[Step, ...]
    stop: str
    one_step: tuple[Level, ...]
    regimes: tuple[Regime, ...]
    methods: tuple[Method, ...]
    is_exact: bool
    error: float
    notes: tuple[str, ...] = ()
    visibility: Visibility | None = None

    @property
    def relevant_dimension(self) -> int:
        """dim V*, the number of directions f really depends on."""
        return len(self.space)

    @property
    def kernel_floor(self) -> tuple[Exact, ...]:
        """|P_{>k} f|^2: what kernels and random features leave with n, p ~ d^k, k = 0, 1, ..."""
        spread = self.staircase[0].spread
        return tuple(spread.above(k) for k in range(len(self.energies)))

    def to_dict(self, exact: bool = False) -> dict[str, Any]:
        """Plain numbers and lists, ready for JSON; with `exact`, rational numbers and roots as text like "2/3"."""
        return record(self, exact)

    def text(self, exact: bool = False) -> str:
        """The analysis as a page to read or print; with `exact`, rational numbers as fractions."""
        return page(self, exact)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        text = self.target if len(self.target) <= 60 else self.target[:57] + "..."
        return (
            f"Analysis({text}: |f|^2 = {float(self.norm2):.4g}, information exponent {self.information_exponent}, "
            f"leap {self.leap}, isoleap {self.isoleap}; print() shows all)"
        )

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text())}</pre>"


def analyze(target: Target, activation: Activation | None = None) -> Analysis:
    """The analysis of a `target`, and with an `activation` what a network that has it would miss.

    >>> from giantstep.problems import Target
    >>> found = analyze(Target("x1 + He2(x1) + x2 - He2(x2)"))
    >>> [step.level.basis for step in found.staircase]
    [(), ((1, 1),), ((1, 1), (1, -1))]
    >>> found.to_dict()["energies"]
    [0.0, 2.0, 4.0]
    >>> found
    Analysis(x1 + He2(x1) + x2 - He2(x2): |f|^2 = 6, information exponent 1, leap 1, isoleap 1; print() shows all)
    """
    landscape = Landscape(target)
    stairs = landscape.staircase()
    steps = tuple(
        Step(level, landscape.spread(level.basis), tuple(common_activations(d.orders) for d in level.new))
        for level in stairs.levels
    )
    # By degree outside {0} is by degree; the target's own way is slower for polynomials of many terms.
    energies = steps[0].spread.energies if target.is_polynomial else target.energies()
    errors = tuple(0.0 if target.is_polynomial else target.energy_error(k) for k in range(len(energies)))
    left, left_error = target.norm2 - sum(energies), sum(errors) + target.norm2_error
    ell = (
        next((k for k, e in enumerate(energies) if k and e), None)
        if target.is_polynomial
        else target.information_exponent
    )
    rows = regimes(landscape)
    rounding = 0.0 if target.is_exact else ROUNDING * float(target.norm2)
    hessian, found = hessian_of(landscape), generative(landscape)
    labels = from_labels(target, found, landscape.space)
    highest = max(2, landscape.one_step_exponent or 0)
    return Analysis(
        target=target.text,
        directions=target.directions,
        norm2=target.norm2,
        mean=target.mean,
        mean_error=target.mean_error,
        energies=energies,
        energy_errors=errors,
        tail=0 if target.is_polynomial or left <= left_error else left,
        space=landscape.space,
        information_exponent=ell,
        leap=leap(landscape.terms),
        isoleap=landscape.isoleap,
        generative=found,
        labels=labels,
        hessian=hessian,
        staircase=steps,
        stop=_stop(landscape),
        one_step=tuple(landscape.staircase(m).after(1) for m in range(1, highest + 1)),
        regimes=rows,
        methods=methods(landscape, ell, hessian, labels),
        is_exact=target.is_exact,
        error=max(target.error, left_error, *(one.error for one in landscape.spreads), rounding),
        notes=tuple(_notes(landscape)),
        visibility=None if activation is None else _visibility(landscape, activation, energies),
    )


def _visibility(landscape: Landscape, activation: Activation, energies: tuple[Exact, ...]) -> Visibility:
    degrees = range(1, max(len(energies), 2))
    vanishing = tuple(k for k in degrees if not has_coefficient(activation, k))
    seen = (k for k in degrees if k < len(energies) and energies[k] and k not in vanishing)
    return Visibility(activation.text, vanishing, degrees[-1], next(seen, None), landscape.seen_by(activation))


def _stop(landscape: Landscape) -> str:
    """Where the staircase ends, and why."""
    stairs, target = landscape.staircase(), landscape.target
    count, steps = len(stairs.top.basis), len(stairs.levels) - 1
    if not landscape.space:
        if target.form.constant is not None:
            return "the target is constant: there is nothing to learn"
        return (
            f"nothing of the target shows up to degree {len(target.energies()) - 1}: "
            "who can learn it, and with how many samples, cannot be decided"
        )
    if stairs.is_complete:
        directions = {1: "the only direction is", 2: "both directions are"}.get(count, f"all {count} directions are")
        return f"{directions} learned after {steps} {'step' if steps == 1 else 'steps'} of n ~ d samples"
    where = f"it stops at U_{steps}: " + ("given the learned directions, the" if count else "the")
    lowest = next((m for m in range(2, landscape.terms.degree + 1) if _learns(landscape, m)), None)
    if lowest is None:
        return f"{where} rest has no part of low degree in the unlearned directions"
    rest = "target" if not count else "rest"
    return f"{where} {rest} has no linear part; its lowest degree is {lowest}, which takes n ~ d^{lowest} samples"


def _learns(landscape: Landscape, order: int) -> bool:
    """Whether n ~ d^order samples would take the staircase further than it came: decided as every step of it is."""
    return bool(gains(landscape.terms, landscape.staircase().top.basis, order)[0])


def _notes(landscape: Landscape) -> list[str]:
    """What a careful reader should know about how the numbers were found."""
    target, geometry = landscape.target, landscape.terms.geometry
    notes: list[str] = []
    if not isinstance(geometry, FloatGeometry):
        return notes
    size = math.sqrt(float(target.norm2)) or 1.0
    scale = geometry.tolerance / size
    if target.is_polynomial:
        notes.append(f"coefficients are rounded numbers: below {scale:.0e} of |f| they count as zero")
    else:
        degree = len(target.energies()) - 1
        notes.append(
            f"not a polynomial: directions are found from its Hermite series to degree {degree}, "
            f"coefficients and singular values below {scale:.0e} of |f| counting as zero"
        )
        written = len(direction_space(target.form, target.directions))
        hidden = written - len(landscape.space)
        if hidden:
            notes.append(
                f"it is written with {written} direction{'s' * (written > 1)}, of which {hidden} "
                f"{'does' if hidden == 1 else 'do'} not show above that up to degree {degree}"
            )
        notes.extend(_beyond(landscape))
    climbed = (landscape.staircase(m).closest for m in range(1, max(2, landscape.isoleap or 1) + 1))
    closest = min(landscape.terms.relevant.closest, *climbed)
    if closest < NEAR:
        notes.append(f"a rank decision was within a factor {closest:.2g} of its tolerance: do not rely on it")
    return notes


def _beyond(landscape: Landscape) -> list[str]:
    """What the series does not reach."""
    target, notes = landscape.target, []
    beyond = max(one.beyond or 0.0 for one in landscape.spreads)
    if beyond:
        notes.append(f"up to {beyond:.1e} of E f^2 lies beyond that degree; least risks count it as not learned")
    missing = max(one.missing for one in landscape.spreads)
    if missing > 10.0 * target.error:
        notes.append(
            f"energies outside U_t are those of the series: up to {missing:.1e} may be missing in them, "
            "and least risks may be too high by as much"
        )
    ell = target.information_exponent
    share = float(target.energy(ell)) / float(target.norm2) if ell is not None else 1.0
    if share < FAINT:
        notes.append(
            f"the part of degree {ell}, which decides about the samples, has "
            + (f"{share:.0e} of E f^2" if share else "less than 1e-300 of E f^2")
            + ": no sample size in practice will show it"
        )
    return notes
