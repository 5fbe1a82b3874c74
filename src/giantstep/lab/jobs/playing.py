"""The playground: a two-layer network that takes giant steps, on the reduced engine, whose cost does not know d.

A worker keeps nothing between two requests: the state of a network comes in and goes out, and the same seed and step
draw the same batch, so that going back and on again shows the same.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError, TooLargeError
from giantstep.lab.jobs.directions import Stairs, stairs_of
from giantstep.lab.jobs.listed import Tell
from giantstep.lab.jobs.playground_settings import NUMBERS, Settings, changed, settings_of
from giantstep.lab.refusals import Refusal
from giantstep.learners.engines import GiantStep, ReducedState, initial_state, take_step
from giantstep.learners.networks import DKLPS23, DKLPS23_GAUSSIAN, Network, Scaling
from giantstep.learners.risk import feature_moments
from giantstep.studies import cores, seconds_here

MOST_SECONDS = 20.0  # of the steps of one request


@lru_cache(maxsize=32)
def _stairs(target: Any, activation: Any) -> Stairs:
    found = stairs_of(target, activation)
    if not found.directions:
        raise Refusal("nothing of this target shows up to a high degree; choose another", "input", "target")
    return found


def start(given: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """A network before its first step, and what theory says of its target."""
    begun = time.perf_counter()
    settings = settings_of(given["settings"])
    stairs = _stairs(settings.target, settings.activation)
    init = DKLPS23_GAUSSIAN if settings.second_layer == "gaussian" else DKLPS23
    state = initial_state(
        init,
        settings.activation,
        settings.d,
        settings.neurons,
        settings.target.directions,
        settings.streams.child("network"),
    )
    tell("state", packed(state))
    return {
        "settings": settings.model_dump(mode="json"),
        "directions": stairs.told(),
        "levels": stairs.levels(),
        "frames": [frame(state, settings, stairs, 0, None)],
        "seconds": round(time.perf_counter() - begun, 4),
    }


def step(given: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """So many steps of a network: its state after each is told, and what each shows is answered."""
    begun = time.perf_counter()
    settings = changed(settings_of(given["settings"]), given["changes"])
    stairs = _stairs(settings.target, settings.activation)
    refuse_long(settings, given["steps"])
    state = unpacked(given["state"], settings)
    frames = []
    for number in range(given["number"] + 1, given["number"] + 1 + given["steps"]):
        batch = settings.problem.sample(settings.samples, settings.streams.child(f"step {number}"), dtype=NUMBERS)
        state, seen = take_step(state, batch, GiantStep(settings.step), threads=cores())
        tell("state", packed(state))
        frames.append(frame(state, settings, stairs, number, float(seen.residual_norm2)))
    return {
        "settings": settings.model_dump(mode="json"),
        "frames": frames,
        "seconds": round(time.perf_counter() - begun, 4),
    }


def refuse_long(settings: Settings, steps: int) -> None:
    """Refuse what takes longer than a page should wait: samples cost, dimensions do not."""
    width = settings.neurons + settings.target.directions
    seconds = seconds_here(float(steps * settings.samples * (60 * width + 6 * width**2)))
    if seconds > MOST_SECONDS:
        raise TooLargeError(
            f"{steps} step{'' if steps == 1 else 's'} of {settings.samples} samples and {settings.neurons} neurons "
            f"take about {seconds:.0f} s, and the playground waits {MOST_SECONDS:.0f}; lower 'samples' or 'neurons'"
        )


def frame(state: ReducedState, settings: Settings, stairs: Stairs, number: int, loss: float | None) -> dict[str, Any]:
    """What one state shows: neurons along the directions of the staircase, and the risk of their best second layer."""
    norms = np.linalg.norm(state.local.weights, axis=1)
    along = state.overlaps @ stairs.unit.T
    cosines = along / np.where(norms > 0, norms, 1.0)[:, None]
    sizes = np.abs(cosines)
    return {
        "neurons": {
            "cosines": _rounded(cosines),
            "norms": _rounded(norms),
            "second_layer": _rounded(state.second_layer),
        },
        "entry": {
            "step": number,
            "overlaps": [
                {"mean": float(row.mean()), "low": float(np.quantile(row, 0.1)), "high": float(np.quantile(row, 0.9))}
                for row in sizes.T
            ],
            "singular_values": _rounded(np.linalg.svd(cosines, compute_uv=False) / len(norms) ** 0.5),
            "risk": least_risk(state, settings),
            "loss": loss,
            "samples": settings.samples,
            "step_size": settings.step,
        },
    }


def least_risk(state: ReducedState, settings: Settings) -> float | None:
    """E(f - f*)^2 with the second layer c that ridge regression finds from infinitely many samples.

    c = (Sigma + lambda t I)^(-1) k with t = tr(Sigma)/p: the penalty is relative to the size of the features.
    """
    try:
        moments = feature_moments(state, settings.problem)
    except InputError:  # the target's expansion is too large: no risk is told
        return None
    size = float(np.trace(moments.covariance)) / len(moments.cross)
    penalty = (settings.ridge * size + 1e-12 * size) * np.eye(len(moments.cross))
    try:
        best = np.linalg.solve(moments.covariance + penalty, moments.cross)
    except np.linalg.LinAlgError:
        return None
    return float(moments.risk(np.asarray(best, dtype=np.float64)))


def _rounded(values: Array) -> Any:
    return np.round(values, 5).tolist()


def packed(state: ReducedState) -> dict[str, Any]:
    """A state as text: its arrays to the last bit."""
    return {
        "weights": base64.b64encode(np.ascontiguousarray(state.local.weights).tobytes()).decode(),
        "second_layer": base64.b64encode(np.ascontiguousarray(state.second_layer).tobytes()).decode(),
        "axes": state.local.d,
    }


def unpacked(kept: Mapping[str, Any], settings: Settings) -> ReducedState:
    """The state that was packed so."""
    weights, second = (np.frombuffer(base64.b64decode(kept[name])) for name in ("weights", "second_layer"))
    net = Network(
        weights=weights.reshape(settings.neurons, int(kept["axes"])).copy(),
        second_layer=second.copy(),
        activation=settings.activation,
        scaling=Scaling.INVERSE_WIDTH,
    )
    return ReducedState(net, settings.target.directions, settings.d)
