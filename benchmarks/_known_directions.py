"""Directions that are known beforehand: what each method finds of them, beside the laws for Gaussian inputs.

The overlap of k true directions with what was found is sum cos^2/k over the angles between both spaces. Laws
(`giantstep.theory.spectra`), for n/d and moments of the target (`giantstep.problems.labels`), no moment of the sample:

    linear            the direction of E[y x]; of k directions it finds this one
    sliced means      one direction with E[z | slice]
    spectral          directions in which E[z^2 | slice] moves, each with its best transform of 8 slices
    curvature         likewise, with the transform rank(y)

Beside others' directions at finite d these are limits: an aim is met within 3 % and two standard errors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep import estimators
from giantstep.arrays import Array
from giantstep.problems import Target
from giantstep.problems.labels import LabelLaw, label_law
from giantstep.theory.spectra.labels import best_transform, inverse_regression, linear_overlap, spectral_law

SIZES = {(1500, 30): 6, (4000, 200): 3, (20000, 100): 2}
"""(n, d) and how many tables of it are drawn."""
SLOW = ("gradients", "one step")
"""Methods that get one table of each kind: they have no law."""
NOISE = 0.5  # beside targets of variance 1
CLOSE, LEAST = 0.03, 0.1
METHODS = {
    "linear": "LinearDirection",
    "sliced means": "SlicedInverseRegression",
    "staircase": "StaircaseDirections",
    "sliced variances": "SlicedAverageVariance",
    "sliced moments": "DirectionalRegression",
    "curvature": "HessianDirections",
    "spectral": "SpectralDirections",
    "one step": "OneStepDirections",
    "gradients": "GradientOuterProduct",
}
ROOT = 0.5**0.5


@dataclass(frozen=True)
class Case:
    """A target, how many directions it has, whether they are turned away from the columns, and which laws hold.

    Args:
        text: the target, brought to variance 1.
        directions: k.
        turned: whether its variables are random directions instead of columns.
        linear: the share of the k directions that the linear method finds at best, for its law; 0 without a law.
        is_odd_index: whether the law of sliced means holds: one direction with a mean that moves.
        even: rows in the space of the target along which second moments move; empty without a law.
        is_curved: whether the rank of the label moves with them too.
    """

    text: str
    directions: int
    turned: bool = False
    linear: float = 0.0
    is_odd_index: bool = False
    even: tuple[tuple[float, ...], ...] = ()
    is_curved: bool = False

    @property
    def scale(self) -> float:
        return float(Target(self.text).variance) ** -0.5 if self.directions else 1.0


DIAGONALS = ((ROOT, ROOT), (ROOT, -ROOT))
CASES = (
    Case("x1", 1, linear=1.0, is_odd_index=True),
    Case("He2(x1)", 1, even=((1.0,),), is_curved=True),
    Case("x1*x2", 2, even=DIAGONALS, is_curved=True),
    Case("x1 + x1*x2 + x1*x2*x3", 3, linear=1 / 3),
    Case("abs(x1)*x2", 2, turned=True, linear=1 / 2, even=((1.0, 0.0), (0.0, 1.0))),
    Case("sign(x1*x2)", 2, even=DIAGONALS, is_curved=True),
    Case("0", 0),
)


def inputs_of(kind: str, n: int, d: int, generator: np.random.Generator) -> Array:
    """Rows of independent columns of variance 1: Gaussian, or uniform, exponential, t6 and +-1 in turn."""
    if kind == "Gaussian":
        return generator.standard_normal((n, d))
    x = np.empty((n, d))
    x[:, 0::4] = generator.uniform(-(3**0.5), 3**0.5, x[:, 0::4].shape)
    x[:, 1::4] = generator.exponential(1.0, x[:, 1::4].shape) - 1
    x[:, 2::4] = generator.standard_t(6, x[:, 2::4].shape) / 1.5**0.5
    x[:, 3::4] = generator.choice([-1.0, 1.0], x[:, 3::4].shape)
    return x


def drawn(case: Case, kind: str, n: int, d: int, seed: int) -> tuple[Array, Array, Array]:
    """Inputs, labels and true directions, orthonormal rows."""
    generator = np.random.default_rng([seed, n, d])
    x = inputs_of(kind, n, d, generator)
    noise = generator.standard_normal(n)
    basis = np.eye(d)[: max(case.directions, 1)]
    if case.turned:
        basis = np.linalg.qr(generator.standard_normal((d, case.directions)))[0].T
    if not case.directions:
        return x, noise, basis[:0]
    return x, case.scale * np.asarray(Target(case.text)(x @ basis.T)) + NOISE * noise, basis


def overlap(found: Array, truth: Array) -> float:
    """sum cos^2 over the number of true directions."""
    return float((np.linalg.svd(found @ truth.T, compute_uv=False) ** 2).sum() / len(truth)) if len(found) else 0.0


def law_of(case: Case, method: str, n: int, d: int) -> float | None:
    """What theory says of the overlap with Gaussian inputs; None where it does not speak."""
    if not case.directions:
        return None
    second = 1 + NOISE**2
    if method == "linear" and case.linear:
        first = case.scale * float(np.linalg.norm(Target(case.text).linear))
        return case.linear * float(linear_overlap(first, second, n / d))
    law = label_law(Target(f"{case.scale!r}*({case.text})"), NOISE)
    if method == "sliced means" and case.is_odd_index:
        sliced = law.sliced(10)
        return inverse_regression(float(sliced.weight @ sliced.mean[:, 0] ** 2), n / d, 10, d).overlap
    if method == "spectral" and case.even:
        return float(np.mean([_spectral(law.sliced(8), np.array(row), n / d) for row in case.even]))
    if method == "curvature" and case.is_curved:
        return float(np.mean([_curved(law, np.array(row), n / d) for row in case.even]))
    return None


def _along(law: LabelLaw, row: Array) -> Array:
    return np.asarray(np.einsum("i,hij,j->h", row, law.second, row))


def _spectral(law: LabelLaw, row: Array, delta: float) -> float:
    second = _along(law, row)
    return spectral_law(best_transform(np.maximum(second, LEAST)), law.weight, second, delta).overlap


def _curved(law: LabelLaw, row: Array, delta: float) -> float:
    second, place = _along(law, row), np.cumsum(law.weight) - law.weight / 2
    rank = 2 * place - 1
    sign = 1.0 if float(law.weight @ (rank * (second - 1))) > 0 else -1.0
    return spectral_law(sign * rank, law.weight, second, delta).overlap


def show_overlaps(sizes: dict[tuple[int, int], int] = SIZES, methods: dict[str, str] = METHODS) -> None:
    """One line a target, method and size: overlaps of Gaussian and other inputs, and the law."""
    print(
        f"{'target':<24}{'method':<18}{'n':>6}{'d':>5}  {'Gaussian':>16} {'law':>7} {'ratio':>7}  {'other inputs':>16}"
    )
    met = asked = 0
    for (n, d), tables in sizes.items():
        for case in CASES:
            for method, name in methods.items() if case.directions else ():
                many = 1 if method in SLOW else tables
                said = {kind: _measured(case, name, kind, n, d, many) for kind in ("Gaussian", "other")}
                law, (mean, error) = law_of(case, method, n, d), said["Gaussian"]
                beside, verdict = "", ""
                if law is not None:
                    allowed = CLOSE * law + 2 * error
                    if law < 2 * case.directions / d:  # below the threshold chance gives k/d
                        allowed += 2 * case.directions / d
                    is_met = abs(mean - law) <= allowed
                    met, asked = met + is_met, asked + 1
                    beside, verdict = f"{law:>7.3f} {mean / max(law, 1e-9):>7.3f}", "met" if is_met else "MISSED"
                numbers, other = (_told(*said[kind]) for kind in ("Gaussian", "other"))
                print(f"{case.text:<24}{method:<18}{n:>6}{d:>5}  {numbers} {beside:>15}  {other} {verdict}", flush=True)
    print(f"laws met within {CLOSE:.0%} and two standard errors: {met} of {asked}")


def _told(mean: float, error: float) -> str:
    return f"{mean:>7.3f} " + (f"± {error:<6.3f}" if error else " " * 8)


def _measured(case: Case, name: str, kind: str, n: int, d: int, tables: int) -> tuple[float, float]:
    found = []
    for seed in range(tables):
        x, y, truth = drawn(case, kind, n, d, seed)
        fit = getattr(estimators, name)(len(truth), permutations=0, random_state=seed).fit(x, y)
        found.append(overlap(fit.directions_, truth))
    return float(np.mean(found)), float(np.std(found, ddof=1) / tables**0.5) if tables > 1 else 0.0


def show_counts(n: int = 1500, d: int = 30) -> None:
    """How many directions permutations of the labels count, for each target and method, beside the truth."""
    for kind in ("Gaussian", "other"):
        print(f"directions counted at n = {n}, d = {d}, {kind} inputs (one table each; the truth in brackets)")
        print(f"{'':<30}" + "".join(f"{method:>18}" for method in METHODS))
        for case in CASES:
            x, y, _ = drawn(case, kind, n, d, 0)
            counts = [getattr(estimators, name)(random_state=0).fit(x, y).n_directions_ for name in METHODS.values()]
            print(
                f"{case.text + f' ({case.directions})':<30}" + "".join(f"{count:>18}" for count in counts), flush=True
            )
