"""How long the formulas behind a slider take: a risk curve, a kernel density, and the rest, in milliseconds.

Printed beside the time of one 400 x 400 symmetric eigendecomposition on one BLAS thread, which is what a single
simulated spectrum of that size would cost. Aims: 200 points of the risk and 400 of the density below 20 ms each.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections.abc import Callable
from time import perf_counter

import numpy as np

from giantstep.problems import Activation, Target
from giantstep.theory import OneStep, Student, Teacher
from giantstep.theory.ridge import asymptotic_risk, equivalent_spectrum, ridge_risk
from giantstep.theory.ridge.large import misspecification
from giantstep.theory.spectra import ConjugateKernel, kernel_spike, weight_spike
from giantstep.theory.visibility import gradient_share


def milliseconds(call: Callable[[], object], repeats: int = 15) -> float:
    """Median wall time of a call after one warm-up."""
    call()
    times = []
    for _ in range(repeats):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return 1e3 * float(np.median(times))


def main() -> None:
    """Print the table."""
    tanh = Activation("tanh")
    student, teacher = Student.of(tanh), Teacher.of(Target("tanh(x1)"))
    steps, ridges = np.linspace(0, 8, 200), np.geomspace(1e-8, 1e8, 200)
    one = OneStep(student, teacher, 2.0, 1.0, 4.0, 0.2)
    path = OneStep(student, teacher, 2.0, 1.0, steps, 0.2)
    edge = ConjugateKernel.of(student, 1.5, 1.25).edge
    grid = np.linspace(0, edge, 402)[1:-1]
    rng = np.random.default_rng(0)
    square = rng.standard_normal((400, 400))
    square = square + square.T
    weights = rng.standard_normal((600, 400)) / 20
    he2, relu = Target("He2(x1)"), Activation("relu")
    spectrum = equivalent_spectrum(student, teacher, weights)
    penalties = np.geomspace(1e-3, 1e2, 31)

    reference = milliseconds(lambda: np.linalg.eigh(square), 5)
    rows: list[tuple[str, Callable[[], object], float | None]] = [
        ("risk (b), 200 step sizes", lambda: asymptotic_risk(path, 0.1), 20.0),
        ("risk (b), 200 penalties 1e-8..1e8", lambda: asymptotic_risk(one, ridges), 20.0),
        ("kernel density, 400 points", lambda: ConjugateKernel.of(student, 1.5, 1.25).density(grid), 20.0),
        ("kernel cdf, 400 points", lambda: ConjugateKernel.of(student, 1.5, 1.25).cdf(grid), None),
        ("kernel spike", lambda: kernel_spike(one), None),
        ("weight spike", lambda: weight_spike(one), None),
        ("risk (a), 31 penalties, spectrum known", lambda: ridge_risk(spectrum, 800, penalties), None),
        ("risk (a), 31 penalties, from 600 x 400 weights",
         lambda: ridge_risk(equivalent_spectrum(student, teacher, weights), 800, penalties), None),
        ("share of V in the gradient, r = 1", lambda: gradient_share(he2, relu, 256, 65536), None),
        ("tau*", lambda: misspecification(tanh, tanh), None),
    ]  # fmt: skip
    print(f"{'':48s}{'ms':>9s}{'ratio':>9s}   aim")
    print(f"{'one 400 x 400 eigendecomposition':48s}{reference:9.2f}{1.0:9.2f}")
    for name, call, aim in rows:
        time = milliseconds(call)
        verdict = "" if aim is None else f"   < {aim:g} ms: {'met' if time < aim else 'missed'}"
        print(f"{name:48s}{time:9.2f}{time / reference:9.2f}{verdict}")


if __name__ == "__main__":
    main()
