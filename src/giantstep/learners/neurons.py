"""What one neuron, or one direction, can make of a target of one direction, found from samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.streams import Streams

_SAMPLES = 100_000  # of the regression on one direction
_DEGREE = 15
_PLACES, _SHIFTS = 300, 150  # strata of the input and of the neuron's independent part
_GAINS = np.concatenate([[0.0], np.geomspace(0.2, 80.0, 20), [1e6]])  # the last stands for no end


def unseen_part(link: Callable[[Array], Any], overlap: float, streams: Streams, *, slopes: bool = False) -> float:
    """Mean square of what is left of s*(<b, x>) after least squares on polynomials of <g, x> and a linear function.

    Args:
        link: s* of the target.
        overlap: <b, g> of two unit vectors; the target lies in the plane that they span.
        streams: draw the samples.
        slopes: whether the linear function may have a slope that is a polynomial of <g, x> too.
    """
    u, v = streams.generator().standard_normal((2, _SAMPLES))
    wanted = np.asarray(link(overlap * u + (1 - overlap**2) ** 0.5 * v), dtype=np.float64)
    powers = np.polynomial.hermite_e.hermevander(u / 1.5, _DEGREE)
    columns = np.column_stack([powers, v[:, None] * powers if slopes else v])
    columns /= np.linalg.norm(columns, axis=0)
    left = wanted - columns @ np.linalg.lstsq(columns, wanted, rcond=None)[0]
    return float(left @ left / (_SAMPLES - columns.shape[1]))


def smoothed_misfit(link: Callable[[Array], Any], activation: Callable[[Array], Any], streams: Streams) -> float:
    """The least mean square of s*(x) - S(x) over gains k, S(x) the mean of s(k x + z) over many neurons.

    Inputs and neurons are stratified samples of N(0,1); two independent sets of neurons make the square unbiased.

    Args:
        link: s* of the target.
        activation: s of the neurons.
        streams: draw inputs and neurons.
    """
    generator = streams.generator()
    x, *shifts = (_stratified(size, generator) for size in (_PLACES, _SHIFTS, _SHIFTS))
    wanted = np.asarray(link(x), dtype=np.float64)

    def error(gain: float) -> float:
        first, second = (wanted - np.mean(activation(gain * x[:, None] + z), axis=1) for z in shifts)
        return float(np.mean(first * second))

    errors = [error(gain) for gain in _GAINS]
    best = int(np.argmin(errors))
    around = _GAINS[max(best - 1, 0)], _GAINS[min(best + 1, len(_GAINS) - 1)]
    return min(errors[best], float(scipy.optimize.minimize_scalar(error, bounds=around, method="bounded").fun))


def _stratified(size: int, generator: np.random.Generator) -> Array:
    """One sample of N(0,1) from each of `size` equally probable intervals."""
    return np.asarray(scipy.special.ndtri((np.arange(size) + generator.random(size)) / size))
