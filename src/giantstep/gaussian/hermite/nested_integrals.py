"""E[h_a(u) K(u)] for all |a| <= N at once, u ~ N(0, I_k), by quadrature that refines itself coordinate by coordinate.

Coordinates are integrated one inside the other. Along each, panels begin and end where the integrand is known not to
be smooth, and are halved until the last Legendre coefficients of what stands on them have died out: those coefficients
are the error of a panel, and errors of inner integrals are integrated along. A piece that ends at such a place is
mapped by s^2 (3 - 2 s): where a line is tangent to a surface on which K jumps, the integral along it has a square-root
end, and the map makes that smooth. h_a = prod_i He_{a_i}(u_i)/sqrt(a_i!).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.hermite.integrands import Integrals, Integrand, Pass, multi_indices
from giantstep.gaussian.hermite.panels import Panels, add_by_line, unresolved
from giantstep.gaussian.hermite.polynomials import hermite_table
from giantstep.gaussian.quadrature.lines import EPS, gauss_legendre, normal_density

_CHUNK = 1 << 16  # places whose integrands are held at once
_FEW = 256


class TooManyEvaluations(Exception):
    """The budget of an integral is used up."""


def nested_moments(
    integrand: Integrand,
    degree: int,
    passes: Sequence[Pass],
    budget: int,
    known: int = 0,
    kept: Array | None = None,
    enough: float = 0.0,
) -> Integrals:
    """E[h_a K] in the order of `multi_indices`, or what is known of K given its first coordinates.

    With `known` = q > 0 the columns are the energies sum_{|b| = m} E[ E[h_b(u_q, ...) K | u_0, ..., u_{q-1}]^2 ] for
    m = 0, ..., degree, b over the coordinates from q on.

    A pass states the sum of all its panels' errors, which is far more than the error where panels are resolved. Two
    passes with different nodes say more: the error of the finer one is at most ten times their difference, and a
    thousandth of the sum for what both may have missed in the same way.

    Args:
        integrand: K.
        degree: N, the highest.
        passes: two or more, from coarse to fine; those after the second are tried as long as the budget lasts.
        budget: most evaluations of K; if the first pass needs twice as many, the error is infinite.
        known: q, the number of outer coordinates that are given.
        kept: 0 for columns E[h_b K | u_0, ..., u_{q-1}] that vanish by symmetry, else 1; they matter if coordinates
            are halved.
        enough: an error, in units of E|K|, below which no finer pass is tried.
    """
    found: list[Integrals] = []
    spent, error = 0, math.inf
    for one in passes:
        run = _Run(integrand, degree, known, kept, one, budget - spent if found else 2 * budget)
        try:
            values, errors, masses = run.level(0, np.zeros((0, 1)), np.ones(1))
        except TooManyEvaluations:
            break
        spent += run.evaluations
        last = Integrals(values[0], float(errors[0]), float(masses[0]))
        error = last.error
        if found:
            gap = float(np.abs(last.values - found[-1].values).max())
            error = min(error, 10.0 * gap + 1e-3 * error)
        found.append(last)
        if error <= enough * last.mass:
            break
    if not found:
        return Integrals(np.zeros(run.columns(0)), math.inf, math.inf)
    last = found[-1]
    return Integrals(last.values, error + 32.0 * EPS * last.mass, last.mass)


@dataclass
class _Run:
    """One pass with one tolerance."""

    integrand: Integrand
    degree: int
    known: int
    kept: Array | None
    look: Pass
    budget: float
    evaluations: int = field(default=0, init=False)

    @property
    def order(self) -> int:
        return self.look.order

    def level(self, j: int, u: Array, weight: Array) -> tuple[Array, Array, Array]:
        """What the coordinates from j on integrate to at outer places u (j, m): values (m, columns), errors, masses."""
        if j == self.integrand.axes - 1:
            self._spend(self.integrand.cut_cost * u.shape[1])
        cuts = self.integrand.cuts(j, u)
        if self.integrand.pieces is not None and j == self.integrand.axes - 1:
            return self._between(u, cuts)
        panels = self._first_panels(j, cuts)
        per_line = max(1, len(panels.line) // u.shape[1]) * (self.order + 2 * self.look.ends)
        lines = max(1, _CHUNK // per_line)
        if u.shape[1] <= lines:
            return self._refined(j, u, weight, panels)
        parts = []
        for begin in range(0, u.shape[1], lines):
            rows = slice(begin, begin + lines)
            part = panels.where((panels.line >= begin) & (panels.line < begin + lines))
            part.line = part.line - begin
            parts.append(self._refined(j, u[:, rows], weight[rows], part))
        values, errors, masses = (np.concatenate(one) for one in zip(*parts, strict=True))
        return values, errors, masses

    def _first_panels(self, j: int, cuts: Array) -> Panels:
        reach = self.integrand.reach
        low = 0.0 if self.integrand.halves[j] else -reach
        # On the innermost line everything between two cuts is smooth up to the ends: no map is needed there.
        return Panels.between(low, reach, self.look.panel, cuts, smooth_ends=j == self.integrand.axes - 1)

    def _refined(self, j: int, u: Array, weight: Array, panels: Panels) -> tuple[Array, Array, Array]:
        lines = u.shape[1]
        columns = self.columns(j)
        values, errors, masses = np.zeros((lines, columns)), np.zeros(lines), np.zeros(lines)
        factor = 2.0 if self.integrand.halves[j] else 1.0
        for attempt in range(self.look.rounds):
            parts, error, mass, rough = self._on(j, u, weight, panels)
            bad = (rough * weight[panels.line] > self.look.tolerance) & (attempt < self.look.rounds - 1)
            bad &= panels.stop - panels.start > 2.0**-44
            good = ~bad
            add_by_line(values, panels.line[good], factor * parts[good])
            add_by_line(errors, panels.line[good], factor * (error[good] + rough[good]))
            add_by_line(masses, panels.line[good], factor * mass[good])
            if not bad.any():
                break
            panels = panels.where(bad).halved()
        return self._finished(j, values, errors, masses)

    def _finished(self, j: int, values: Array, errors: Array, masses: Array) -> tuple[Array, Array, Array]:
        if j != self.known:
            return values, errors, masses
        if self.kept is not None:
            values = values * self.kept
        if not self.known:
            return values, errors, masses
        return self._squared(values), self._square_errors(values, errors), masses

    def _between(self, u: Array, cuts: Array) -> tuple[Array, Array, Array]:
        """The last coordinate in closed form, for a K that is constant or linear between its cuts.

        With G_n the integral of h_n phi over a piece, that of z h_n phi is sqrt(n+1) G_{n+1} + sqrt(n) G_{n-1}.
        """
        j, reach = self.integrand.axes - 1, self.integrand.reach
        low = 0.0 if self.integrand.halves[j] else -reach
        ends = np.full((len(cuts), 1), low)
        edges = np.concatenate([ends, np.sort(np.clip(cuts, low, reach), axis=1), 0.0 * ends + reach], axis=1)
        width = np.diff(edges, axis=1)
        linear = self.integrand.pieces == 1
        first = self._heights(u, edges[:, :-1] + (0.25 if linear else 0.5) * width)
        table = _normal_integrals(self.degree + linear, edges)
        n = np.arange(self.degree + 1.0)[:, None, None]
        if linear:
            second = self._heights(u, edges[:, :-1] + 0.75 * width)
            slope = np.divide(second - first, 0.5 * width, out=np.zeros_like(width), where=width > 0.0)
            constant = first - slope * (edges[:, :-1] + 0.25 * width)
            below = np.concatenate([0.0 * table[:1], table[: self.degree]])
            pieces = constant * table[:-1] + slope * (np.sqrt(n + 1.0) * table[1:] + np.sqrt(n) * below)
        else:
            pieces = first * table
        factor = 2.0 if self.integrand.halves[j] else 1.0
        masses = factor * (table[0] * np.abs(first)).sum(axis=1)
        return self._finished(j, factor * pieces.sum(axis=2).T, np.zeros(len(cuts)), masses)

    def _heights(self, u: Array, z: Array) -> Array:
        """K at last coordinates z (lines, places)."""
        self._spend(z.size)
        places = np.concatenate([np.repeat(u, z.shape[1], axis=1), z.reshape(1, -1)])
        values = self.integrand.value(places).reshape(z.shape)
        # Where a K of finite norm overflows, the normal law has no mass.
        return np.where(np.isfinite(values), values, 0.0)

    def _spend(self, evaluations: int) -> None:
        self.evaluations += evaluations
        if self.evaluations > self.budget:
            raise TooManyEvaluations

    def _on(self, j: int, u: Array, weight: Array, panels: Panels) -> tuple[Array, Array, Array, Array]:
        """On each panel the integrals (panels, columns), the error and mass from inside, and how unresolved it is."""
        z, measure = panels.places(self.order, self.look.ends)
        density = normal_density(z)
        # A coordinate that is given has no polynomial of its own.
        degree = self.degree if j >= self.known else 0
        # |h_n| phi is at most 0.4335 exp(-z^2/4) (Cramer's inequality).
        envelope = density if degree == 0 else 0.4335 * np.exp(-0.25 * z * z)
        if j == self.integrand.axes - 1:
            inner = self._heights(u[:, panels.line], z)[..., None]
            errors, masses = np.zeros(z.shape), np.abs(inner[..., 0])
        else:
            carried = (weight[panels.line][:, None] * envelope).ravel()
            outer = np.repeat(u[:, panels.line], z.shape[1], axis=1)
            found, errors_, masses_ = self.level(j + 1, np.concatenate([outer, z.reshape(1, -1)]), carried)
            inner = found.reshape(*z.shape, -1)
            errors, masses = errors_.reshape(z.shape), masses_.reshape(z.shape)
        _, weights = gauss_legendre(self.order)
        scaled = inner * (measure * density)[..., None]
        table = hermite_table(degree, z, normalised=True)
        rough = self._roughness(scaled, table)
        nodes = slice(0, self.order)
        weighted = measure[:, nodes] * weights
        moments = np.matmul(table[:, :, nodes].transpose(1, 0, 2) * weights, scaled[:, nodes])
        parts = moments[:, self._own(j), self._inner(j)] if j >= self.known else moments[:, 0]
        error = (weighted * envelope[:, nodes] * errors[:, nodes]).sum(axis=1)
        mass = (weighted * density[:, nodes] * masses[:, nodes]).sum(axis=1)
        return parts, error, mass, rough

    def _roughness(self, scaled: Array, table: Array) -> Array:
        """How far the integrals of the columns, and of the first times the highest h_n, may be off on each panel."""
        rough = unresolved(scaled, self.order)
        for n in {len(table) - 1, len(table) - 2} - {0, -1}:
            rough = np.maximum(rough, unresolved(scaled[..., :1] * table[n][..., None], self.order))
        return rough

    # -- columns ------------------------------------------------------------------------------------------

    def columns(self, j: int) -> int:
        if j < self.known:
            return self.degree + 1
        return len(multi_indices(self.integrand.axes - j, self.degree))

    def _own(self, j: int) -> list[int]:
        return [a[0] for a in multi_indices(self.integrand.axes - j, self.degree)]

    def _inner(self, j: int) -> list[int]:
        places = {b: i for i, b in enumerate(multi_indices(self.integrand.axes - j - 1, self.degree))}
        return [places[a[1:]] for a in multi_indices(self.integrand.axes - j, self.degree)]

    def _squared(self, values: Array) -> Array:
        degrees = np.array([sum(b) for b in multi_indices(self.integrand.axes - self.known, self.degree)])
        return np.stack([(values[:, degrees == m] ** 2).sum(axis=1) for m in range(self.degree + 1)], axis=1)

    def _square_errors(self, values: Array, errors: Array) -> Array:
        count = values.shape[1]
        size = np.sqrt((values**2).sum(axis=1))
        return np.asarray(2.0 * math.sqrt(count) * size * errors + count * errors**2)


def _normal_integrals(degree: int, edges: Array) -> Array:
    """G_0, ..., G_degree between edges: differences of -h_{n-1} phi/sqrt(n), and for n = 0 of probabilities."""
    table = hermite_table(max(degree - 1, 0), edges, normalised=True)
    below = -table * normal_density(edges) / np.sqrt(np.arange(1.0, len(table) + 1.0))[:, None, None]
    return np.diff(np.concatenate([_probabilities(edges)[None], below])[: degree + 1], axis=2)


def _probabilities(z: Array) -> Array:
    """P(N(0,1) <= z); a few of them without loading scipy, which takes longer than all the rest of a short command."""
    if z.size <= _FEW:
        return np.array([0.5 * math.erfc(-x * math.sqrt(0.5)) for x in z.ravel().tolist()]).reshape(z.shape)
    import scipy

    return np.asarray(scipy.special.ndtr(z))
