"""[ss21] gradient descent from a small start begins as the power method on Z = A* A (X X^T)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile
from math import exp, log, sqrt
from typing import Self

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import (
    Allowance,
    Computed,
    Curve,
    Density,
    Measurement,
    Prediction,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.sensing._sensing import SensingClaim
from giantstep.learners.sensing import Factors, SensingDescent, SensingState, sine, top_eigenspace, top_left_space
from giantstep.theory.sensing import growth_time, power_angle, power_iterates, power_method, tangent_dimension

SMALL = 0.1  # the first phase ends when U is this large
SETTLED = 1e-3  # after it, the local rate must have shrunk distances by this much before the end is judged
ENOUGH = 5  # measurements per dimension of the tangent space from which on the end is predicted
ARRIVED = "by then the local rate has brought U_t within 0.001 of the truth, up to the scatter of that rate"
ANGLES, SINE = ("angle_gd", "angle_power", "angle_truth"), "sine of the angle"
LARGE = 30  # sides from which on the law of the spectrum of Z is judged
FRAMES = 100
WAYS = ("gradient descent", "power method")
UNEQUAL = {"condition": 2, "d": 60, "true_rank": 2, "rank": 10, "oversampling": 20, "step": 0.6}
TOY = {"d": 2, "true_rank": 1, "rank": 1, "oversampling": 3, "scale": 1e-3, "step": 0.05}


@named(
    "sensing/power-method",
    kind="theorem",
    cite="ss21",
    where="slides 'Key idea: implicit spectral bias of GD', 'Role of randomness+overparameterization', 'Is this true?'",
    finding=(
        "Gradient descent is the power method on Z only while |U_t| is small. The power method ends in the leading "
        "eigenspace of Z, at an angle of sine s(1 + sqrt(r*/d)), s^2 = d r*/(2m), from the truth; gradient descent "
        "turns back from there and ends in the column space of the truth. An angle to the eigenspace of Z is the right "
        "one in the first phase only."
    ),
    version=2,
    flagship=True,
)
class PowerMethod(SensingClaim):
    """From a small start, gradient descent first is the power method on the spectral matrix, then leaves it for the
    truth.

    U_t = (I + mu Z)^t U_0 up to O(|U_t|^3), with Z = A* A (X X^T). `angle_gd` is the sine of the largest angle between
    the r* leading left singular vectors of U_t and the r* leading eigenvectors of Z, `angle_power` the same for the
    power method; they agree while |U_t| < 0.1. Later gradient descent goes to the column space of X (`angle_truth` ->
    0), so that its angle to the eigenvectors of Z becomes that of X itself (`angle_end`). The eigenvalues of Z are a
    semicircle up to 2 s, `noise_edge`, and outliers, on average `outlier`: l + s^2/l for each eigenvalue l of X X^T.
    """

    condition: float = parameters.condition(1.0)
    steps: int = parameters.steps(110, path=True, ge=0, le=20_000)

    quantities = (
        quantity.equal(
            "angle_gd",
            Computed(lambda point, _: point.size_at_most**2, "the square of a bound of |U_t|"),
            "gradient descent departs from the power method by a share |U_t|^2",
            help="gradient descent with eigenvectors of Z: sine of the angle with U_t; predicted: the power method",
            symbol=r"\sin\theta_{GD}",
            against="finite",
            when=lambda point: point.steps <= point.first_phase,
        ),
        quantity.reported(
            "angle_power", help="power method with eigenvectors of Z, (I + mu Z)^t U_0", symbol=r"\sin\theta_P"
        ),
        quantity.equal(
            "angle_end",
            Allowance(0.01),
            ARRIVED,
            help="the sine with Z's eigenvectors at the end; predicted: that of X",
            against="finite",
            limit=Allowance(0.1, of="prediction") + Computed(lambda _, predicted: predicted**3, "its cube"),
            when=lambda point: point.is_settled,
        ),
        quantity.equal(
            "angle_truth",
            Allowance(0.01),
            ARRIVED,
            help="gradient descent with the truth: sine of the angle of U_t with the column space of X",
            symbol=r"\sin\theta_X",
            when=lambda point: point.is_settled,
        ),
        quantity.equal(
            "outlier",
            Allowance(lambda point: point.spectrum.s**3, of="prediction"),
            "the noise of Z is not quite Gaussian, and depends on the truth at the next order in s",
            help="mean of the r* leading eigenvalues of Z",
            symbol=r"\lambda_{1..r_*}(Z)",
            when=lambda point: point.is_large,
        ),
        quantity.equal(
            "noise_edge",
            Allowance(2, of="prediction", power=-2 / 3, size="d"),
            "at a finite d the largest eigenvalue of the noise lies below the edge, and r* directions are the signal's",
            help="the next eigenvalue of Z, where its noise ends",
            symbol=r"\lambda_{r_*+1}(Z)",
            when=lambda point: point.is_large,
        ),
        quantity.equal(
            "bulk_distance",
            Computed(lambda point, _: 2 * (1 + point.true_rank) / point.d, "2 (1 + r*)/d"),
            "eigenvalues are rigid, of order 1/d; r* directions of d are the signal's",
            help="largest distance between the distribution of the other eigenvalues and the semicircle",
            when=lambda point: point.is_large,
        ),
    )
    views = (
        view.Curve(
            "steps", "0:110:23", ANGLES, together=True, y_label=SINE, log_y=True,
            title="angles with the eigenvectors of Z, and with the truth",
        ),
        view.Curve(
            "steps", (1, 3, 8, 16, 24, 32, 50, 75, 125, 200, 350, 600), ANGLES, together=True, log_y=True, log_x=True,
            y_label=SINE, seeds=60, at=TOY, title="d = 2, six measurements",
        ),
        view.Curve(
            "steps", (2, 5, 8, 130), ANGLES, together=True, y_label=SINE, log_y=True, log_x=True, seeds=16, at=UNEQUAL,
            title="condition number $\\kappa$ = 2",
        ),
        view.Spectrum("Z", "eigenvalue of Z", title="spectrum of $Z = A^* A(X X^T)$"),
        view.Trajectory(
            WAYS, "along X", "across", references=("truth", "leading eigenvector of Z"), at={**TOY, "steps": 600},
            seeds=60, title="d = 2, six measurements: the way of $U_t$, and of the power method until its size is 1",
        ),
    )  # fmt: skip
    presets = {"toy": {**TOY, "steps": 24}, "large": {"d": 400, "oversampling": 10, "rank": 20, "steps": 110}}
    default_seeds = 40

    @property
    def horizon(self) -> int:
        return self.steps + 1

    @property
    def largest_growth(self) -> float:
        """What the leading eigenvalue of Z hardly exceeds: 1 + s^2 and three deviations of the sampled |A(x x')|^2."""
        return 1 + self.spectrum.s**2 + 3 * sqrt(2 / self.measurements)

    @property
    def size_at_most(self) -> float:
        """A bound of |U_t| by the growth of the power method, with |U_0| <= 2 alpha max(1, sqrt(d/r))."""
        start = 2 * self.scale * max(1.0, sqrt(self.d / self.rank))
        return start * exp(min(self.steps * log(1 + self.step * self.largest_growth), 50.0))

    @property
    def first_phase(self) -> int:
        """The last t with |U_t| <= 0.1."""
        room = SMALL / (2 * self.scale * max(1.0, sqrt(self.d / self.rank)))
        return int(log(room) / log(1 + self.step * self.largest_growth)) if room > 1 else -1

    @property
    def is_large(self) -> bool:
        """Whether the law of the spectrum of Z is judged: d is large and every signal stands out from the noise."""
        return self.d >= LARGE and self.spectrum.s < self.weakest**2 / 2

    @property
    def is_settled(self) -> bool:
        """Whether t is long after the weakest signal has grown, in a setting with measurements enough."""
        if self.measurements < ENOUGH * tangent_dimension(self.d, self.true_rank) or self.scale > 1e-2:
            return False
        grown = growth_time(self.step, self.scale, self.weakest**2)
        return self.steps >= grown + log(1 / SETTLED) / (-self.refinement.rate * self.weakest**2)

    def predict(self) -> Prediction:
        spectrum = self.spectrum
        values: dict[str, float] = {}
        if self.is_settled:
            values["angle_truth"] = 0.0
        if self.is_settled and self.weakest == 1:
            values["angle_end"] = spectrum.sine(self.d, self.true_rank)
        outliers = [spectrum.outlier(float(value) ** 2) for value in self.singular]
        if self.is_large:
            values |= {"outlier": float(np.mean(outliers)), "noise_edge": spectrum.edge, "bulk_distance": 0.0}
        return Prediction(
            values,
            regime="alpha -> 0; s^2 = d |X X'|^2/(2m) small",
            notes=(
                f"the first phase, |U| <= {SMALL:g}, lasts {max(0, self.first_phase)} iterations at least",
                f"Z has its leading eigenvalues at {spectrum.top:.4g} and its noise up to {spectrum.edge:.4g}",
            ),
            densities={"Z": Density.of(spectrum, tuple(sorted(set(outliers))))},
        )

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first, wanted = points[0], sorted({p.steps for p in points})
        basis, count = first.basis(run.streams), first.true_rank
        problem, start = first.problem(run.streams), first.start(run.streams)
        spectral = problem.spectral_matrix()
        leading = top_eigenspace(spectral, count)

        def angles(state: SensingState) -> tuple[float, float]:
            space = top_left_space(state.factors.left, count)
            return sine(space, leading), sine(space, basis)

        descent = SensingDescent(problem, first.step)
        by_descent = learners.run(descent, start, times=wanted, watch={"angles": angles})["angles"]
        powers = islice(power_method(spectral, start.left, first.step), wanted[-1] + 1)
        by_power = {t: power_angle(power, count) for t, power in enumerate(powers) if t in wanted}
        seen = {t: (gd, by_power[t], truth) for t, (gd, truth) in zip(wanted, by_descent.tolist(), strict=True)}
        end, eigenvalues = sine(basis, leading), np.asarray(np.linalg.eigvalsh(spectral), dtype=float)
        noise = eigenvalues[:-count]
        of_z = {
            "outlier": float(eigenvalues[-count:].mean()),
            "noise_edge": float(noise[-1]),
            "bulk_distance": learners.distance_to_law(noise, first.spectrum.cdf),
        }
        return [
            Measurement(
                {"angle_gd": gd, "angle_power": power, "angle_end": gd, "angle_truth": truth, **of_z},
                finite={"angle_gd": power, "angle_end": end},
                spectra={"Z": eigenvalues},
                paths=point.ways(spectral, basis, start, descent) if point.is_drawn(wanted) else {},
            )
            for point, (gd, power, truth) in ((p, seen[p.steps]) for p in points)
        ]

    def is_drawn(self, times: list[int]) -> bool:
        """Whether ways in a plane are kept, of the longest of the runs to these times."""
        return self.d == 2 and self.rank == 1 and self.steps == times[-1]

    def ways(self, spectral: Array, basis: Array, start: Factors, descent: SensingDescent) -> dict[str, list[Curve]]:
        """How U_t and (I + mu Z)^t U_0 go in the plane of X and what is orthogonal to it, for rank 1."""
        across = np.array([-basis[1, 0], basis[0, 0]])
        times = range(0, self.steps + 1, max(1, self.steps // FRAMES))
        gone = learners.run(descent, start, times=times, watch={"u": lambda state: state.factors.left[:, 0]})["u"]
        powers = takewhile(lambda u: float(np.linalg.norm(u)) < 1, power_iterates(spectral, start.left, self.step))
        by_power = np.array([u[:, 0] for u in islice(powers, self.steps + 1)])
        top = top_eigenspace(spectral, 1)[:, 0]
        side = np.sign(gone[-1] @ basis[:, 0]) * basis[:, 0]  # X and -X are one truth: the one that was found is drawn
        ways = dict(zip(WAYS, (gone, by_power), strict=True))
        ways |= {"truth": np.outer([0, 1], side), "leading eigenvector of Z": np.outer([0, np.sign(top @ side)], top)}
        return {name: [Curve(way @ side, way @ across, "along X")] for name, way in ways.items()}
