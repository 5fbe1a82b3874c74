"""Random targets, sums and products under jumping, bending and steep functions: what is stated holds within its error.

Coarsely against a sample, and finely against the same target with its variables exchanged, which is integrated in
another order of the coordinates, with other cuts.
"""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Target
from giantstep.problems.analysis import Analysis, Basis, unit_rows

SAMPLES = 200_000
FUNCTIONS = ("sign", "step", "tanh", "abs", "cos", "relu")
COEFFICIENTS = ("1", "-1", "2", "0.5", "0.7")
DIGITS = 1e-13


def random_text(rng: np.random.Generator) -> str:
    directions = int(rng.choice([2, 3], p=[0.7, 0.3]))

    def one() -> str:
        terms = [
            "*".join([str(rng.choice(COEFFICIENTS)), *(f"x{i + 1}" for i in rng.choice(directions, size))])
            for size in rng.integers(1, 4 if directions == 2 else 3, size=rng.integers(1, 4))
        ]
        if rng.random() < 0.5:
            terms.append(str(rng.choice(["1", "-0.5", "-2"])))
        return f"{rng.choice(FUNCTIONS)}({' + '.join(terms)})"

    kind = rng.random()
    return f"{one()} + 0.5*{one()}" if kind < 0.25 else f"{one()}*{one()}" if kind < 0.4 else one()


def analysed(text: str) -> tuple[Target, Analysis] | None:
    """None for what is constant, a polynomial or refused in a sentence."""
    target = Target(text)
    if target.is_polynomial:
        return None
    try:
        return target, target.analyze()
    except InputError as refusal:
        if "cannot be decided" in str(refusal):
            return None
        raise


def exchanged(text: str) -> str:
    return text.replace("x1", "y").replace("x2", "x1").replace("y", "x2")


@pytest.mark.parametrize("seed", range(14))
def test_a_random_target_is_what_a_sample_says(seed: int) -> None:
    found = analysed(random_text(np.random.default_rng(seed)))
    if found is None:
        pytest.skip("nothing is stated of it")
    target, analysis = found
    rng = np.random.default_rng(1000 + seed)
    x, fresh = rng.standard_normal((2, SAMPLES, target.directions))
    y = target(x)

    def agrees(sample: np.ndarray, value: float, error: float) -> bool:
        return bool(abs(sample.mean() - value) <= 5 * sample.std() / np.sqrt(SAMPLES) + error + DIGITS)

    assert agrees(y, float(analysis.mean), analysis.mean_error)
    assert agrees(y**2, float(analysis.norm2), analysis.error)
    for i in range(target.directions):
        assert agrees(x[:, i] * y, target.linear[i], target.coefficient_error)
        assert agrees((x[:, i] ** 2 - 1) * y, target.hessian[i, i], 2 * target.coefficient_error)
    for step in analysis.staircase[1:]:
        # x and x' share what is known: E[f(x) f(x')] is the part of E f^2 that it explains.
        twin = target(shared(x, fresh, step.level.basis))
        assert agrees(y * twin, float(analysis.norm2) - float(step.spread.variance), 2 * step.spread.error)


def shared(x: np.ndarray, fresh: np.ndarray, basis: Basis) -> np.ndarray:
    rows = unit_rows(basis)
    return np.asarray(fresh + (x - fresh) @ rows.T @ rows)


@pytest.mark.parametrize("seed", range(14))
def test_exchanging_variables_changes_nothing_but_their_names(seed: int) -> None:
    text = random_text(np.random.default_rng(seed))
    one, other = analysed(text), analysed(exchanged(text))
    if one is None or other is None:
        pytest.skip("nothing is stated of it")
    here, there = one[1], other[1]
    assert abs(float(here.mean) - float(there.mean)) <= here.mean_error + there.mean_error + DIGITS
    allowed = here.error + there.error + DIGITS * float(here.norm2)
    assert abs(float(here.norm2) - float(there.norm2)) <= allowed
    for k in range(min(len(here.energies), len(there.energies))):
        gap = abs(float(here.energies[k]) - float(there.energies[k]))
        assert gap <= here.energy_errors[k] + there.energy_errors[k] + DIGITS * float(here.norm2)
    assert (here.information_exponent, here.leap, here.isoleap) == (
        there.information_exponent,
        there.leap,
        there.isoleap,
    )
    assert here.leap is None or here.isoleap is None or here.leap <= here.isoleap
    for a, b in zip(here.staircase, there.staircase, strict=True):
        assert abs(float(a.spread.variance) - float(b.spread.variance)) <= allowed
    for before, after in zip(here.staircase[:-1], here.staircase[1:], strict=True):
        assert float(after.spread.variance) <= float(before.spread.variance) + here.error


def test_a_space_that_is_known_through_other_vectors() -> None:
    """Given x1 + a x2 and then x2: two vectors whose span is that of the axes, up to rounding."""
    target = Target("relu(2*x3*x3*x1 + 0.5*x1*x2 - 2)")
    steps = target.analyze().staircase
    assert [len(step.level.basis) for step in steps] == [0, 1, 2]
    rng = np.random.default_rng(7)
    x, fresh = rng.standard_normal((2, 400_000, 3))
    product = target(x) * target(shared(x, fresh, ((1, 0, 0), (0, 1, 0))))
    explained = float(target.norm2) - float(steps[2].spread.variance)
    assert abs(product.mean() - explained) <= 5 * product.std() / np.sqrt(len(x)) + steps[2].spread.error
