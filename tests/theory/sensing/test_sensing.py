"""The spectral matrix, final errors, refinement and phases of low-rank sensing, against sampling and linear algebra."""

from __future__ import annotations

import itertools
from math import log, sqrt

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.theory.sensing import (
    PopulationStart,
    Refinement,
    SpectralMatrix,
    alignment_time,
    error_exponent,
    error_plateau,
    escape_time,
    final_error,
    growth_time,
    largest_curvature,
    population_times,
    power_angle,
    power_method,
    talk_total,
    tangent_dimension,
    total_bound,
)
from giantstep.theory.sensing.balance import imbalance_at_start, lemma_ratio, second_line, third_line
from giantstep.theory.sensing.baselines import tangent_interpolant
from giantstep.theory.sensing.phase_laws import scalar_escape
from giantstep.theory.sensing.spectral_matrix import limit_exponent


def basis(d: int, rank: int, seed: int = 0) -> np.ndarray:
    return np.asarray(np.linalg.qr(np.random.default_rng(seed).standard_normal((d, rank)))[0])


@pytest.mark.slow
@pytest.mark.parametrize("symmetric", [True, False])
def test_spectral_matrix_against_sampling(symmetric: bool) -> None:
    d, rank, m = 70, 2, 1400
    law = SpectralMatrix.of(d, rank, m, symmetric=symmetric)
    tops, edges, overlaps = [], [], []
    for seed in range(4):
        random, left = np.random.default_rng(seed), basis(d, rank, seed + 50)
        right = left if symmetric else basis(d, rank, seed + 90)
        z = np.zeros((d, d))
        for _ in range(m):
            a = random.standard_normal((d, d))
            z += np.sum(a * (left @ right.T)) * ((a + a.T) / 2 if symmetric else a) / m
        u, values, _ = np.linalg.svd(z)
        tops.append(values[:rank].mean())
        edges.append(values[rank])
        overlaps.append(np.sum((left.T @ u[:, :rank]) ** 2) / rank)
    assert np.mean(tops) == pytest.approx(law.top, abs=0.05)
    assert np.mean(edges) == pytest.approx(law.edge, rel=0.12)  # at finite d the edge lies inside, by d^(-2/3)
    assert np.mean(overlaps) == pytest.approx(law.overlap2, abs=0.02)
    assert sqrt(1 - np.mean(overlaps)) < law.sine(d, rank) * 1.1


def test_noise_eigenvalues_have_the_moments_of_the_semicircle() -> None:
    values = SpectralMatrix(0.5).noise_eigenvalues(4000)
    assert values.mean() == pytest.approx(0, abs=1e-9)
    assert np.mean(values**2) == pytest.approx(0.25, rel=1e-4)
    assert np.mean(values**4) == pytest.approx(2 * 0.5**4, rel=1e-3)
    assert np.abs(values).max() < 1.0


@pytest.mark.parametrize("symmetric", [True, False])
def test_final_error_is_the_size_of_the_noise_that_has_grown(symmetric: bool) -> None:
    """The formula's fourth moments against sampled Gaussian factors in the eigenbasis of the noise."""
    d, rank, true_rank, m, step, scale = 14, 6, 2, 500, 0.25, 1e-2
    law = SpectralMatrix.of(d, true_rank, m, symmetric=symmetric)
    p, q = d - true_rank, rank - true_rank
    random = np.random.default_rng(0)
    squares = []
    if symmetric:
        time = growth_time(step, scale, law.top)
        growth = (1 + step * law.noise_eigenvalues(p)) ** time
        for _ in range(4000):
            n = growth[:, None] * random.standard_normal((p, q)) * scale / sqrt(rank)
            squares.append(np.sum((n @ n.T) ** 2))
    else:
        time = growth_time(step, scale / sqrt(2), law.top)
        values = law.noise_eigenvalues(2 * p)[p:]
        for _ in range(4000):
            u, v = (random.standard_normal((p, q)) * scale / sqrt(rank) for _ in range(2))
            plus = ((1 + step * values) ** time)[:, None] * (u + v) / 2
            minus = ((1 - step * values) ** time)[:, None] * (u - v) / 2
            squares.append(np.sum(((plus + minus) @ (plus - minus).T) ** 2))
    predicted = final_error(d, true_rank, rank, m, step, scale, symmetric=symmetric).value
    spread = np.std(squares) / np.sqrt(len(squares))
    assert abs(np.mean(squares) / true_rank - predicted**2) < 4 * spread / true_rank


def test_exponents_and_their_limits() -> None:
    scales = np.array([1e-3, 1e-6])
    assert error_exponent(100, 2, 10, np.inf, 0.25, scales) == pytest.approx(2.0)
    found = [error_exponent(100, 2, 10, k * 200, 0.25, scales) for k in (5, 10, 20, 40)]
    assert all(a < b for a, b in itertools.pairwise(found))
    assert found[1] < 21 / 16 < found[2]
    tiny = error_exponent(5000, 2, 10, 100_000, 0.25, np.array([1e-100, 1e-120]))
    assert tiny == pytest.approx(limit_exponent(SpectralMatrix.of(100, 2, 2000), 0.25), abs=0.01)
    assert final_error(50, 2, 8, np.inf, 0.25, 1e-4).value == pytest.approx(error_plateau(50, 2, 8, 1e-4))
    assert final_error(50, 2, 2, 1000, 0.25, 1e-4).value == 0.0
    assert final_error(50, 20, 30, 400, 0.25, 1e-4).warning


@pytest.mark.parametrize("step", [0.25, 0.6])
def test_refinement_against_a_sampled_tangent_space(step: float) -> None:
    """h = A* A on T is a Wishart matrix. The course for its law is that of descent in T, sampled: U = u M + D, with M a
    unit vector of T and D orthogonal to it, and the error E = (u^2 - 1) M + u D."""
    size, m, draws = 200, 1000, 12
    theory = Refinement.of(200, 1, m, step)
    shown = [(error, misfit) for (error, misfit), _ in zip(theory.course(), range(90), strict=False)]
    errors, misfits = np.zeros((draws, 90)), np.zeros((draws, 90))
    for seed in range(draws):
        g = np.random.default_rng(seed).standard_normal((m, size)) / sqrt(m)
        h, signal = g.T @ g, 1e-3
        rest = signal * (h[0] - np.eye(size)[0])
        rest[0] = 0.0
        for t in range(90):
            error = signal * rest
            error[0] = signal**2 - 1
            errors[seed, t], misfits[seed, t] = np.linalg.norm(error), np.linalg.norm(g @ error)
            pull = h @ error
            rest, signal = rest - step * signal * pull, signal * (1 - step * pull[0])
            rest[0] = 0.0
    for rows, column in ((errors, 0), (misfits, 1)):
        low = np.array([row[column] for row in shown])
        times = [[np.argmax(row <= value) for value in (0.5, 0.1, 0.02, 0.005)] for row in rows]
        expected = [np.argmax(low <= value) for value in (0.5, 0.1, 0.02, 0.005)]
        assert (np.abs(np.mean(times, axis=0) - expected) < 0.7).all()


def test_refinement_ends_at_its_rate() -> None:
    theory = Refinement.of(40, 2, 400, 0.25)
    assert theory.rate == pytest.approx(log(1 - 0.25 * (1 - sqrt(79 / 400)) ** 2))
    assert theory.duration(1e-9, 1e-12) == pytest.approx(3 * log(10) / -theory.rate, rel=0.06)
    assert theory.duration(1e-2, 1e-6) == pytest.approx(theory.duration(1e-2, 1e-4) + theory.duration(1e-4, 1e-6))
    assert 1e-3 < theory.stopped(1e-3) < 1e-3 / (1 - sqrt(79 / 400))
    with pytest.raises(InputError, match="tangent"):
        Refinement.of(40, 2, 79, 0.25)


@pytest.mark.parametrize(("step", "factor"), [(0.1, 0.9), (0.25, 0.75), (0.6, 0.4), (0.7, 0.4), (0.9, 0.8)])
def test_the_slowest_factor_with_infinitely_many_measurements(step: float, factor: float) -> None:
    """max(1 - mu, |1 - 2 mu|): descent on the matrices themselves, from near the truth."""
    theory = Refinement.of(12, 2, np.inf, step)
    assert theory.rate == pytest.approx(log(factor))
    assert theory.is_led_by_the_rest == (step <= 2 / 3)
    x = basis(12, 2)
    u, sizes = x + 1e-4 * np.random.default_rng(7).standard_normal(x.shape), []
    for _ in range(60):
        u = u + step * (x @ x.T - u @ u.T) @ u
        sizes.append(np.linalg.norm(u @ u.T - x @ x.T))
    late = [s for s in sizes if s > 1e-11]
    assert log(late[-1] / late[-6]) / 5 == pytest.approx(log(factor), abs=0.02)


@pytest.mark.parametrize(("d", "rank", "m", "symmetric"), [(80, 5, 4000, True), (50, 4, 2500, False)])
def test_the_largest_curvature_at_the_truth(d: int, rank: int, m: int, symmetric: bool) -> None:
    size = tangent_dimension(d, rank, symmetric=symmetric)
    weight = np.ones(size)
    weight[: rank * (rank + 1) // 2 if symmetric else rank**2] = sqrt(2)
    found = []
    for seed in range(4):
        g = np.random.default_rng(seed).standard_normal((m, size)) * weight / sqrt(m)
        found.append(np.linalg.eigvalsh(g.T @ g)[-1])
    predicted = largest_curvature(d, rank, m, symmetric=symmetric)
    assert np.mean(found) == pytest.approx(predicted, rel=0.03)
    assert largest_curvature(d, rank, np.inf, symmetric=symmetric) == 2.0


def test_tangent_interpolant_is_the_least_change_that_fits() -> None:
    random = np.random.default_rng(0)
    d1, d2, rank, m = 5, 4, 6, 12
    left, right = random.standard_normal((d1, rank)), random.standard_normal((d2, rank))
    rows, labels = random.standard_normal((m, d1 * d2)), random.standard_normal(m)
    jacobian = []
    for number in range((d1 + d2) * rank):
        change = np.zeros((d1 + d2) * rank)
        change[number] = 1
        du, dv = change[: d1 * rank].reshape(d1, rank), change[d1 * rank :].reshape(d2, rank)
        jacobian.append((du @ right.T + left @ dv.T).ravel())
    columns = np.array(jacobian).T
    least = np.linalg.lstsq(rows @ columns, labels - rows @ (left @ right.T).ravel(), rcond=None)[0]
    expected = (left @ right.T).ravel() + columns @ least
    found = tangent_interpolant(rows, labels, left, right)
    assert np.allclose(found.ravel(), expected)
    assert np.allclose(rows @ found.ravel(), labels)


def test_power_method_is_repeated_multiplication() -> None:
    random = np.random.default_rng(0)
    a = random.standard_normal((9, 9))
    z, start, step = (a + a.T) / 2, random.standard_normal((9, 4)), 0.2
    values, vectors = np.linalg.eigh(z)
    for t, current in zip(range(6), power_method(z, start, step), strict=False):
        direct = np.linalg.matrix_power(np.eye(9) + step * z, t) @ start
        assert np.allclose(current.T @ current * (1 + step * values[-1]) ** (2 * t), direct.T @ direct)
        u = np.linalg.svd(direct)[0][:, :2]
        cosines = np.linalg.svd(vectors[:, -2:].T @ u, compute_uv=False)
        assert power_angle(current, 2) == pytest.approx(sqrt(1 - cosines.min() ** 2), abs=1e-7)
    t = alignment_time(z, start, 2, step, sine=0.5)
    angles = [power_angle(c, 2) for c, _ in zip(power_method(z, start, step), range(t + 1), strict=False)]
    assert angles[-1] <= 0.5 < min(angles[:-1])


@pytest.mark.parametrize("condition", [1.0, 1.5])
def test_population_course_against_the_matrices(condition: float) -> None:
    d, rank, true_rank, step = 25, 6, 3, 0.25
    x, singular = basis(d, true_rank), np.geomspace(1, 1 / condition, true_rank)
    u = 1e-5 * np.random.default_rng(1).standard_normal((d, rank)) / sqrt(rank)
    start, truth = PopulationStart.of(u, x, singular), (x * singular**2) @ x.T
    size = np.linalg.norm(truth)
    rows = np.linalg.svd(x.T @ u, full_matrices=False)[2]
    for t, now in zip(range(160), start.course(step), strict=False):
        assert now.weakest == pytest.approx(np.linalg.svd(x.T @ u, compute_uv=False)[-1], rel=1e-6), t
        assert now.error == pytest.approx(np.linalg.norm(u @ u.T - truth) / size, rel=1e-4), t
        signal = u @ rows.T
        assert now.signal_error == pytest.approx(np.linalg.norm(signal @ signal.T - truth) / size, rel=1e-3, abs=1e-12)
        assert now.noise == pytest.approx(np.linalg.norm(u - signal @ rows, 2), rel=1e-3), t
        u = u + step * (truth - u @ u.T) @ u
    if condition == 1:
        assert start.plateau == pytest.approx(np.linalg.norm(u @ u.T - truth) / size, rel=1e-3)
        escape, refine = population_times(start, step, 0.1**0.5, 2 * start.plateau)
        weakest = float(np.linalg.svd(start.signal, compute_uv=False)[-1])
        assert escape == scalar_escape(weakest, 0.1**0.5, step)
        assert escape < refine
        first = 1e-5 * np.random.default_rng(1).standard_normal((d, rank)) / sqrt(rank)
        assert abs(escape_time(truth, x, first, step, 0.1**0.5) - escape) <= 1


def test_plateau_is_the_fourth_moment_of_the_start() -> None:
    d, rank, true_rank = 20, 7, 3
    x = basis(d, true_rank)
    starts = [np.random.default_rng(k).standard_normal((d, rank)) / sqrt(rank) for k in range(600)]
    squares = [PopulationStart.of(u, x).plateau ** 2 for u in starts]
    assert abs(np.mean(squares) - error_plateau(d, true_rank, rank, 1.0) ** 2) < 4 * np.std(squares) / sqrt(600)


def test_the_slides_total() -> None:
    assert talk_total(200, 5, 10, 0.25, 1e-5) == pytest.approx(100.9, abs=0.05)
    assert talk_total(200, 5, 200, 0.25, 1e-5) == pytest.approx(94.9, abs=0.05)
    assert talk_total(200, 5, 5, 0.25, 1e-5) == np.inf
    assert talk_total(200, 5, 10, 0.25, 1e-5, condition=2.0) > 4 * talk_total(200, 5, 10, 0.25, 1e-5)


@pytest.mark.parametrize("step", [0.1, 0.5, 0.8, 0.95])
@pytest.mark.parametrize("scale", [0.01, 1e-5])
def test_the_total_with_the_rates_of_descent_is_a_bound(step: float, scale: float) -> None:
    """And a close one, where the slide's is not a bound at all."""
    d, true_rank, rank = 100, 4, 9
    bound, slide = (law(d, true_rank, rank, step, scale) for law in (total_bound, talk_total))
    times = []
    for seed in range(5):
        u = scale * np.random.default_rng(seed).standard_normal((d, rank)) / sqrt(rank)
        start = PopulationStart.of(u, basis(d, true_rank))
        times.append(population_times(start, step, 0.1**0.5, 2 * start.plateau)[1])
    assert max(times) <= bound <= 3 * np.mean(times)
    assert (np.mean(times) > slide) == (step > 0.7)
    assert total_bound(d, true_rank, true_rank, step, scale) == np.inf


def test_imbalance_of_a_gaussian_start() -> None:
    d1, d2, rank = 8, 5, 4
    random = np.random.default_rng(0)
    squares = []
    for _ in range(4000):
        u, v = random.standard_normal((d1, rank)), random.standard_normal((d2, rank))
        squares.append(np.sum((u.T @ u - v.T @ v) ** 2))
    assert abs(np.mean(squares) - imbalance_at_start(d1, d2, rank) ** 2) < 4 * np.std(squares) / sqrt(4000)
    assert lemma_ratio(0.1, 3.0, 0.5) == pytest.approx(2.2)
    with pytest.raises(InputError, match="balanced"):
        lemma_ratio(0.1, 3.0, 0.0)


def test_factors_of_the_symmetrisation() -> None:
    """<Sym A, Sym D> = 2 <A, D>, and W W' - W~ W~' = 2 Sym(U V')."""
    random = np.random.default_rng(0)
    a, u, v = random.standard_normal((4, 3)), random.standard_normal((4, 2)), random.standard_normal((3, 2))

    def sym(x: np.ndarray) -> np.ndarray:
        return np.block([[np.zeros((4, 4)), x], [x.T, np.zeros((3, 3))]])

    inner = np.sum(a * (u @ v.T))
    once = np.sum(sym(a) * sym(u @ v.T))
    plus, minus = np.vstack([u, v]), np.vstack([u, -v])
    twice = np.sum(sym(a) * (plus @ plus.T - minus @ minus.T))
    assert inner**2 / 2 == pytest.approx(second_line() * once**2)
    assert inner**2 / 2 == pytest.approx(third_line() * twice**2)


def test_the_spectrum_of_a_rectangular_spectral_matrix() -> None:
    """Outlier and edge of x y^T plus Gaussian noise of the scales that the law has."""
    rows, columns, measurements = 400, 150, 4000
    law = SpectralMatrix.of(rows, 1, measurements, symmetric=False, columns=columns)
    noise = np.random.default_rng(0).standard_normal((rows, columns)) / sqrt(measurements)
    values = np.linalg.svd(np.eye(rows, 1) @ np.eye(1, columns) + noise, compute_uv=False)
    assert values[0] == pytest.approx(law.top, rel=0.02)
    assert values[1] == pytest.approx(law.edge, rel=0.03)
    square = SpectralMatrix.of(rows, 1, measurements, symmetric=False, columns=rows)
    assert square == SpectralMatrix.of(rows, 1, measurements, symmetric=False)


def test_the_semicircle_is_a_density() -> None:
    law = SpectralMatrix(0.3)
    x = np.linspace(*law.edges, 20_001)
    assert np.trapezoid(law.density(x), x) == pytest.approx(1, abs=1e-4)
    middle = x <= 0.1
    assert np.trapezoid(law.density(x[middle]), x[middle]) == pytest.approx(
        float(law.cdf(np.array([0.1]))[0]), abs=1e-3
    )
