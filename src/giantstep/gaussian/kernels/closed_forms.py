"""Closed forms of E[f(u) g(v)] for elementary functions of a centred Gaussian pair with any variances.

Every elementary function is first written with parity-pure atoms,

    relu(x) = (x + |x|)/2,      step(x) = (1 + sign(x))/2,      constant = He_0,   identity = He_1,

and the scale of a term goes into the variance, so that each pair of atoms needs one formula in
Vx = Var x, Vy = Var y, C = Cov(x, y), D = Vx Vy - C^2:

* sign and |.|: the arcsine law and its integral, the arc-cosine kernel;
* erf: erf(x) = E_n sign(sqrt(2) x + n) with n ~ N(0,1) independent, i.e. sign with more variance;
* exp: tilting, E e^x g(y) = e^{Vx/2} E g(y + C);  sin and cos: the same with C replaced by iC;
* polynomials: He_k(x) is expanded in He_j(x / sd x), then E He_j(z) g(y) = rho^j E He_j(z_y) g(y).

All of it is derived; D is carried along rather than recomputed because it cancels when |rho| is near 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import factorial, pi, sqrt

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.functions import Term
from giantstep.gaussian.hermite.polynomials import hermite, rescaled_coefficients


@dataclass(frozen=True)
class Pair:
    """Variances x and y, covariance c and determinant d = x y - c^2 of the two arguments."""

    x: Array
    y: Array
    c: Array
    d: Array


Law = Callable[[Pair], Array]


@dataclass(frozen=True)
class Atoms:
    """A sum of terms, sorted: Hermite polynomials of scaled arguments, and the non-polynomial atoms."""

    polynomials: tuple[Term, ...]
    others: tuple[Term, ...]

    @property
    def degree(self) -> int:
        """Degree of the polynomial part."""
        return max((t.order for t in self.polynomials), default=0)


def atoms_of(terms: Sequence[Term]) -> Atoms:
    """Write the families through He_k, sign, abs, erf, exp, sin and cos."""
    polynomials: list[Term] = []
    others: list[Term] = []
    for t in terms:
        half = 0.5 * t.coefficient
        match t.family:
            case "constant":
                polynomials.append(Term(t.coefficient, "hermite", 1.0, 0))
            case "identity":
                polynomials.append(Term(t.coefficient, "hermite", t.scale, 1))
            case "hermite":
                polynomials.append(t)
            case "relu":
                polynomials.append(Term(half, "hermite", t.scale, 1))
                others.append(Term(half, "abs", t.scale))
            case "step":
                polynomials.append(Term(half, "hermite", 1.0, 0))
                others.append(Term(half, "sign", t.scale))
            case _:
                others.append(t)
    return Atoms(tuple(polynomials), tuple(others))


def polynomial_coefficients(polynomials: Sequence[Term], sd: Array) -> Array:
    """p_j with sum of terms at (sd z) = sum_j p_j He_j(z); shape (degree + 1, *sd.shape)."""
    degree = max((t.order for t in polynomials), default=0)
    out = np.zeros((degree + 1, *sd.shape))
    for t in polynomials:
        out[: t.order + 1] += t.coefficient * rescaled_coefficients(t.order, t.scale * sd)
    return out


def atom_coefficient(family: str, sd: Array, j: int) -> Array:
    """E[atom(sd z) He_j(z)], z ~ N(0,1); sd may be negative (the sign of a term's scale)."""
    match family:
        case "exp":  # the j-th derivative of e^{sd z} has mean sd^j e^{sd^2/2}
            return np.asarray(sd**j * np.exp(0.5 * sd * sd))
        case "sin" | "cos":  # the same with i sd: Im or Re of (i sd)^j e^{-sd^2/2}
            phase = (1, 1j, -1, -1j)[j % 4]
            part = complex(phase).imag if family == "sin" else complex(phase).real
            return np.asarray(part * sd**j * np.exp(-0.5 * sd * sd))
        case "sign":
            return np.sign(sd) * _sign_coefficient(j)
        case "abs":  # |z|'' = 2 delta_0, so two integrations by parts leave He_{j-2}(0)
            if j == 0:
                return np.abs(sd) * sqrt(2.0 / pi)
            return np.abs(sd) * (sqrt(2.0 / pi) * float(hermite(j - 2, 0.0)) if j >= 2 else 0.0)
        case "erf":
            return (sqrt(2.0) * sd / np.sqrt(1.0 + 2.0 * sd * sd)) ** j * _sign_coefficient(j)
        case _:
            raise AssertionError(family)


def _sign_coefficient(j: int) -> float:
    """E sign(z) He_j(z) = 2 phi(0) He_{j-1}(0)."""
    return sqrt(2.0 / pi) * float(hermite(j - 1, 0.0)) if j >= 1 else 0.0


def closed_kernel(f: Atoms, g: Atoms, var_u: Array, var_v: Array, rho: Array) -> Array:
    """E[f(u) g(v)]; the variances may be narrower than rho and are broadcast late: outer products stay cheap."""
    sd_u, sd_v = np.sqrt(var_u), np.sqrt(var_v)
    cov, det = rho * sd_u * sd_v, var_u * var_v * ((1.0 - rho) * (1.0 + rho))
    total = np.zeros_like(cov)
    p_f = polynomial_coefficients(f.polynomials, sd_u)
    p_g = polynomial_coefficients(g.polynomials, sd_v)
    power = np.ones_like(cov)
    for j in range(max(len(p_f), len(p_g))):
        # The j-th Hermite modes of u meet only those of v: with weight rho^j j! for coefficients of He_j.
        c_f = p_f[j] if j < len(p_f) else np.zeros_like(sd_u)
        c_g = p_g[j] if j < len(p_g) else np.zeros_like(sd_v)
        if np.any(c_f):
            total += power * c_f * (factorial(j) * c_g + _modes(g.others, sd_v, j))
        if np.any(c_g):
            total += power * c_g * _modes(f.others, sd_u, j)
        power *= rho
    for s in f.others:
        for t in g.others:
            law, swap = _law(s.family, t.family)
            if law is None:
                continue
            x, y = s.scale**2 * var_u, t.scale**2 * var_v
            c, d = s.scale * t.scale * cov, (s.scale * t.scale) ** 2 * det
            total += s.coefficient * t.coefficient * law(Pair(y, x, c, d) if swap else Pair(x, y, c, d))
    return total


def _modes(atoms: Sequence[Term], sd: Array, j: int) -> Array:
    out = np.zeros_like(sd)
    for t in atoms:
        out = out + t.coefficient * atom_coefficient(t.family, t.scale * sd, j)
    return out


def _law(first: str, second: str) -> tuple[Law | None, bool]:
    """The formula for a pair of atoms, whether its arguments are swapped, None when parity makes it zero."""
    if (first, second) in _LAWS:
        return _LAWS[first, second], False
    if (second, first) in _LAWS:
        return _LAWS[second, first], True
    return None, False


def _ratio(numerator: Array, denominator: Array) -> Array:
    """numerator / denominator where a vanishing variance makes both zero: 0."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def _sign_sign(p: Pair) -> Array:
    return np.asarray(2.0 / pi * np.arctan2(p.c, np.sqrt(p.d)))


def _abs_abs(p: Pair) -> Array:
    root = np.sqrt(p.d)
    return np.asarray(2.0 / pi * (root + p.c * np.arctan2(p.c, root)))


def _erf_erf(p: Pair) -> Array:
    return _sign_sign(Pair(1 + 2 * p.x, 1 + 2 * p.y, 2 * p.c, 1 + 2 * p.x + 2 * p.y + 4 * p.d))


def _erf_sign(p: Pair) -> Array:
    return _sign_sign(Pair(1 + 2 * p.x, p.y, sqrt(2.0) * p.c, p.y + 2 * p.d))


def _exp_exp(p: Pair) -> Array:
    return np.asarray(np.exp(0.5 * (p.x + p.y) + p.c))


def _exp_sin(p: Pair) -> Array:
    return np.asarray(np.exp(0.5 * (p.x - p.y)) * np.sin(p.c))


def _exp_cos(p: Pair) -> Array:
    return np.asarray(np.exp(0.5 * (p.x - p.y)) * np.cos(p.c))


def _exp_sign(p: Pair) -> Array:
    import scipy

    return np.asarray(np.exp(0.5 * p.x) * scipy.special.erf(_ratio(p.c, np.sqrt(2.0 * p.y))))


def _exp_abs(p: Pair) -> Array:
    import scipy

    t = _ratio(p.c, np.sqrt(2.0 * p.y))
    return np.asarray(np.exp(0.5 * p.x) * (p.c * scipy.special.erf(t) + np.sqrt(2.0 * p.y / pi) * np.exp(-t * t)))


def _exp_erf(p: Pair) -> Array:
    import scipy

    return np.asarray(np.exp(0.5 * p.x) * scipy.special.erf(p.c / np.sqrt(1.0 + 2.0 * p.y)))


def _sin_sin(p: Pair) -> Array:
    # e^{-(x+y)/2} sinh c, without overflow and without cancellation at small c.
    size = np.abs(p.c)
    return np.asarray(-0.5 * np.sign(p.c) * np.exp(size - 0.5 * (p.x + p.y)) * np.expm1(-2.0 * size))


def _cos_cos(p: Pair) -> Array:
    return np.asarray(0.5 * (np.exp(p.c - 0.5 * (p.x + p.y)) + np.exp(-p.c - 0.5 * (p.x + p.y))))


# sin and cos against sign, abs, erf: erfi(t) e^{-Vx/2} = (2/sqrt pi) dawsn(t) e^{t^2 - Vx/2}, the exponent <= 0.
def _sin_sign(p: Pair) -> Array:
    import scipy

    t = _ratio(p.c, np.sqrt(2.0 * p.y))
    return np.asarray(2.0 / sqrt(pi) * scipy.special.dawsn(t) * np.exp(-_ratio(p.d, 2.0 * p.y)))


def _cos_abs(p: Pair) -> Array:
    import scipy

    t = _ratio(p.c, np.sqrt(2.0 * p.y))
    return np.asarray(
        np.exp(-_ratio(p.d, 2.0 * p.y)) * (np.sqrt(2.0 * p.y / pi) - 2.0 / sqrt(pi) * p.c * scipy.special.dawsn(t))
    )


def _sin_erf(p: Pair) -> Array:
    import scipy

    t = p.c / np.sqrt(1.0 + 2.0 * p.y)
    return np.asarray(2.0 / sqrt(pi) * scipy.special.dawsn(t) * np.exp(-(p.x + 2.0 * p.d) / (2.0 * (1.0 + 2.0 * p.y))))


# Pairs that are missing here (one atom odd, the other even) vanish by the symmetry (u, v) -> (-u, -v).
_LAWS: dict[tuple[str, str], Law] = {
    ("sign", "sign"): _sign_sign,
    ("abs", "abs"): _abs_abs,
    ("erf", "erf"): _erf_erf,
    ("erf", "sign"): _erf_sign,
    ("exp", "exp"): _exp_exp,
    ("exp", "sin"): _exp_sin,
    ("exp", "cos"): _exp_cos,
    ("exp", "sign"): _exp_sign,
    ("exp", "abs"): _exp_abs,
    ("exp", "erf"): _exp_erf,
    ("sin", "sin"): _sin_sin,
    ("cos", "cos"): _cos_cos,
    ("sin", "sign"): _sin_sign,
    ("cos", "abs"): _cos_abs,
    ("sin", "erf"): _sin_erf,
}
