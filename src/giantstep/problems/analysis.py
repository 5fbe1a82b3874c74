"""What can be said about a target before any simulation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial, sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from giantstep.problems.activation import Activation
    from giantstep.problems.target import Target

Exact = Fraction | float


@dataclass(frozen=True)
class Visibility:
    """What one giant step of a network can see of a target.

    At a neuron w the gradient has, inside the span of the target's directions, the parts mu_k C_k[w, ..., w] / (k-1)!
    with mu_k = E[s He_k], C_k = E[grad^k f]: a degree k is seen only if neither vanishes, and then with of the order
    of d^k samples ([dklps23], the theorems on one giant step).
    """

    activation: str
    vanishing: tuple[int, ...]
    up_to: int
    exponent: int | None


@dataclass(frozen=True)
class Analysis:
    """Norm, mean, energies by degree and information exponent of a target, with the error of these numbers."""

    target: str
    directions: int
    norm2: Exact
    mean: Exact
    energies: tuple[Exact, ...]
    tail: Exact
    information_exponent: int | None
    is_exact: bool
    error: float
    visibility: Visibility | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and lists, ready for JSON."""
        result: dict[str, Any] = {
            "target": self.target,
            "directions": self.directions,
            "norm2": float(self.norm2),
            "mean": float(self.mean),
            "energies": [float(e) for e in self.energies],
            "tail": float(self.tail),
            "information_exponent": self.information_exponent,
            "exact": self.is_exact,
            "error": self.error,
        }
        if self.visibility is not None:
            result["activation"] = self.visibility.activation
            result["vanishing_coefficients"] = list(self.visibility.vanishing)
            result["visible_exponent"] = self.visibility.exponent
        return result

    def __str__(self) -> str:
        lines = [
            f"target                {self.target}",
            f"directions            {self.directions}",
            f"norm2  E f^2          {_number(self.norm2)}",
            f"mean   E f            {_number(self.mean)}",
            f"information exponent  {self._exponent_sentence()}",
            "energy by degree",
        ]
        rows = [(str(k), e) for k, e in enumerate(self.energies)]
        for name, e in [*rows, (f">{len(self.energies) - 1}", self.tail)]:
            if e:
                lines.append(f"  {name:>3s}   {_number(e):<16} {100 * float(e) / float(self.norm2 or 1):6.2f} %")
        if self.visibility is not None:
            lines.extend(_visibility_lines(self.visibility, self.information_exponent))
        lines.append("all numbers are exact" if self.is_exact else f"numbers are right to {max(self.error, 1e-15):.0e}")
        return "\n".join(lines)

    def _exponent_sentence(self) -> str:
        ell = self.information_exponent
        if ell is None:
            return f"none up to degree {len(self.energies) - 1}"
        samples = "d" if ell == 1 else f"d^{ell}"
        return f"{ell}: one giant step needs of the order of {samples} samples"


def _visibility_lines(seen: Visibility, ell: int | None) -> list[str]:
    names = ", ".join(f"mu{k}" for k in seen.vanishing) or "none"
    lines = [f"activation            {seen.activation}; of mu1 to mu{seen.up_to} vanish: {names}"]
    if ell is None:
        return lines
    samples = "d" if seen.exponent == 1 else f"d^{seen.exponent}"
    if seen.exponent is None:
        lines.append("one giant step        sees nothing: where the target has energy, the activation has none")
    elif seen.exponent == ell:
        lines.append(f"one giant step        sees the target with of the order of {samples} samples")
    else:
        lines.append(
            f"one giant step        does not see degree {ell}, because mu{ell} = 0; "
            f"degree {seen.exponent} is seen with of the order of {samples} samples"
        )
    return lines


def _number(value: Exact) -> str:
    if isinstance(value, Fraction) and value.denominator < 10**6:
        return str(value)
    return f"{float(value):.10g}"


def analyze(target: Target, activation: Activation | None = None) -> Analysis:
    """The analysis of a target, and with an activation what one giant step can see of it.

    >>> from giantstep.problems.target import Target
    >>> analyze(Target("He2(x1) + x1*x2*x3")).to_dict()["energies"]
    [0.0, 0.0, 2.0, 1.0]
    """
    energies = target.energies()
    norm2 = target.norm2
    left = norm2 - sum(energies)
    tail: Exact = 0 if target.is_polynomial or left <= 4.0 * target.error else left
    visibility = None
    if activation is not None:
        degrees = range(1, max(len(energies), 2))
        vanishing = tuple(k for k in degrees if not has_coefficient(activation, k))
        seen = (k for k in degrees if k < len(energies) and energies[k] and k not in vanishing)
        visibility = Visibility(activation.text, vanishing, degrees[-1], next(seen, None))
    return Analysis(
        target=target.text,
        directions=target.directions,
        norm2=norm2,
        mean=target.mean,
        energies=energies,
        tail=tail,
        information_exponent=target.information_exponent,
        is_exact=target.is_exact,
        error=target.error,
        visibility=visibility,
    )


def has_coefficient(activation: Activation, k: int) -> bool:
    """Whether E[s He_k] is not zero: known from symmetry where possible, else decided numerically."""
    if activation.vanishes(k):
        return False
    size = sqrt(activation.moments.second_moment)
    # E[s He_k] is at most sqrt(k!) |s|; ten digits below that is rounding of the quadrature.
    return bool(abs(activation.hermite_coefficient(k)) > 1e-10 * size * sqrt(factorial(k)))
