"""[dklps23] with fewer than d^l samples no step size makes one giant step learn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Computed, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.dklps23._one_step import SHARE_ALLOWANCE, SHARE_REASON, OneStepClaim
from giantstep.claims.sizes import count
from giantstep.learners.engines import GiantStep, apply_gradient
from giantstep.problems import Activation, Target
from giantstep.theory.gradient import gradient_law
from giantstep.theory.visibility import GradientShare, share_after_step, share_of_law

MORE_DIRECTIONS = Computed(lambda point, _: (point.target.directions - 1) / point.d, "(r - 1)/d")


@named(
    "dklps23/no-step-size-helps",
    kind="theorem",
    cite="dklps23",
    version=2,
    where="slides 'Results: one gradient step', first case: batch size too small",
    finding=(
        "The gradient's own share is not the most that a step can give when E f* and mu_2(sigma) are not 0: the "
        "gradient then has the part mu_2 E f* w, which a step of the right size and sign cancels. The most is the "
        "share of g - <g, w> w, ten times as much for cos(x1) at d = 64 and n = d^2 (gradient_share, best_share)."
    ),
)
class NoStepSizeHelps(OneStepClaim):
    """With n = d^kappa samples, kappa below the information exponent l, no step size makes the first layer learn.

    After w1 = w + s a g the share |P_V* w1|^2/|w1|^2 goes from that of a random start, r/d, to that of the gradient as
    s = eta/p grows: a step moves the neuron within the plane of w and g. The best that any eta, of either sign and
    another for each neuron, can do is the largest share within this plane, that of g - <g, w> w and 1/d of the start.
    It falls to 0 with growing d when kappa < l, and grows when kappa > l and the activation sees the target.
    """

    sample_exponent: float = parameters.sample_exponent(0.5)
    step: float = parameters.step(1.0, help="step size eta over p", symbol=r"\eta/p", path=True)

    quantities = (
        quantity.equal(
            "share", SHARE_ALLOWANCE, SHARE_REASON, symbol=r"|P_{V^*} w^1|^2/|w^1|^2",
            help="share of the relevant directions in a neuron after the step, mean over neurons",
        ),
        quantity.equal(
            "best_share", SHARE_ALLOWANCE + MORE_DIRECTIONS,
            "as for the share; of one direction the start adds exactly 1/d, of r between 1/d and r/d",
            help="largest share that any step size gives, chosen for each neuron, mean over neurons",
            symbol=r"\sup_\eta |P_{V^*} w^1|^2/|w^1|^2",
        ),
        quantity.equal(
            "gradient_share", SHARE_ALLOWANCE, SHARE_REASON, symbol=r"|P_{V^*} g|^2/|g|^2",
            help="share of the relevant directions in the gradient, which endless steps give, mean over neurons",
        ),
        quantity.decreasing(
            "best_share", "d", "chance and signal both change this way with d", when=lambda point: not point.learns,
            help="what the best step size learns vanishes with growing dimension",
        ),
        quantity.increasing(
            "best_share", "d", "chance and signal both change this way with d", when=lambda point: point.learns,
            help="with more than d^l samples it does not",
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "step", "log:0.01:10000:13", ("share",), by="sample_exponent", by_values=(0.5, 1.25), log_x=True,
            log_y=True, title="information exponent 1, d = 1024",
        ),
        view.Curve(
            "step", "log:0.01:10000:13", ("share",), by="sample_exponent", by_values=(1.25, 2.25), log_x=True,
            log_y=True, at={"target": "He2(x1)", "d": 192}, title="information exponent 2, d = 192", seeds=96,
        ),
        view.Curve(
            "d", (64, 256, 1024, 4096), ("best_share",), by="sample_exponent", by_values=(0.5, 0.75, 1.25), log_x=True,
            log_y=True, title="information exponent 1, the best step", seeds=128,
        ),
        view.Curve(
            "d", (32, 64, 128, 256), ("best_share",), by="sample_exponent", by_values=(1, 1.5), log_x=True, log_y=True,
            at={"target": "He2(x1)"}, title="information exponent 2, too few samples", seeds=192,
        ),
        view.Curve(
            "d", (32, 64, 128, 256), ("best_share",), log_x=True, at={"target": "He2(x1)", "sample_exponent": 2.25},
            title="information exponent 2, enough samples",
        ),
        view.Curve(
            "d", (32, 64, 128), ("best_share", "gradient_share"), together=True, log_x=True, log_y=True, seeds=96,
            at={"target": "cos(x1)", "sample_exponent": 2},
            y_label="share of the relevant directions",
            title="a target with a mean",
        ),
    )  # fmt: skip
    presets = {
        "exponent-1": {"target": "x1", "d": 1024, "sample_exponent": 0.5},
        "exponent-1-enough": {"target": "x1", "d": 1024, "sample_exponent": 1.25},
        "exponent-2": {"target": "He2(x1)", "d": 192, "sample_exponent": 1.25},
        "exponent-2-enough": {"target": "He2(x1)", "d": 192, "sample_exponent": 2.25},
        "exponent-3": {"target": "He3(x1)", "activation": "tanh", "d": 64, "sample_exponent": 2},
        "mean": {"target": "cos(x1)", "d": 64, "sample_exponent": 2},
        "unseen": {"target": "He2(x1)", "activation": "tanh", "d": 128, "sample_exponent": 2.25},
    }
    default_seeds = 112

    @property
    def samples(self) -> int:
        return count(1, self.d, self.sample_exponent, least=2)

    @property
    def learns(self) -> bool:
        """Whether some step size learns: more than d^l samples, and an activation that sees the target."""
        return self.sees and self.sample_exponent > self.exponent

    def predict(self) -> Prediction:
        gradient, across = _after_endless_steps(self.target, self.activation, self.d, self.samples)
        return Prediction(
            {
                "share": share_after_step(self.law, self.d, self.samples, self.step),
                "best_share": min(1.0, across.value + 1 / self.d),
                "gradient_share": gradient.value,
            },
            regime="fresh Gaussian samples, f = 0 at the start; errors of order 1/d at any n and any step size",
            notes=(
                f"the information exponent of the target is {self.exponent}; the share of a random start is "
                f"{self.target.directions / self.d:.3g}, that of the gradient {gradient.value:.3g}",
                *([gradient.warning] if gradient.warning else []),
            ),
        )

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        start, seen = points[0].first_gradient(run)
        same = {
            "best_share": float(np.mean(best_shares(start.local.weights, seen.gradient, start.directions))),
            "gradient_share": float(np.nanmean(seen.share(start.directions))),
        }
        found = []
        for point in points:
            after = apply_gradient(start, seen, GiantStep(point.step))
            share = np.mean((after.overlaps**2).sum(axis=1) / np.diag(after.gram))
            found.append(Measurement({"share": float(share), **same}))
        return found


def best_shares(weights: Array, gradient: Array, directions: int) -> Array:
    """Largest |P u|^2/|u|^2 over u in the plane of w_i and g_i, P onto the first axes: every w_i + s g_i lies in it.

    The largest squared singular value of (P e, P e') for an orthonormal basis e, e' of the plane.
    """
    start = np.zeros_like(gradient)
    start[:, : weights.shape[1]] = weights
    first = start / np.linalg.norm(start, axis=1, keepdims=True)
    second = gradient - (gradient * first).sum(axis=1, keepdims=True) * first
    size = np.linalg.norm(second, axis=1, keepdims=True)
    np.divide(second, size, out=second, where=size > 0)
    inside = np.stack([first[:, :directions], second[:, :directions]], axis=1)
    return np.asarray(np.linalg.svd(inside, compute_uv=False)[:, 0] ** 2)


@lru_cache(maxsize=64)
def _after_endless_steps(
    target: Target, activation: Activation, d: int, samples: int
) -> tuple[GradientShare, GradientShare]:
    """The shares of the gradient and of its part across the neuron, the same for every step."""
    law = gradient_law(target, activation)
    return share_of_law(law, d, samples), share_of_law(law.across(), d, samples)
