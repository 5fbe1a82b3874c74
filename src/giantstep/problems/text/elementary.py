"""The elementary functions of the language on arrays: value, slope, and both at once with shared work.

Every function keeps the dtype of its argument (float32 stays float32), writes only into arrays it made itself, and
is stable for large arguments. At the kink of a piecewise function: relu'(0) = step(0) = 0 and abs'(0) = sign(0) = 0.
Slopes are the classical derivatives, hence zero for `sign` and `step`: their jumps carry no slope.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Floats

MAX_HERMITE = 20
"""Highest He_k of the language."""

_ROOT_HALF = math.sqrt(0.5)
_TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)
_DENSITY = 1.0 / math.sqrt(2.0 * math.pi)
_ERF_BLOCK = 1 << 14
# Abramowitz & Stegun 7.1.28: erf(x) = 1 - (1 + a1 x + ... + a6 x^6)^-16 for x >= 0, to 3e-7.
_ERF_POLYNOMIAL = (0.0705230784, 0.0422820123, 0.0092705272, 0.0001520143, 0.0002765672, 0.0000430638)


@dataclass(frozen=True)
class Elementary:
    """One function of the language: how to evaluate it, and where it is not smooth."""

    name: str
    value: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats]
    both: Callable[[Floats], tuple[Floats, Floats]]
    kinks: tuple[float, ...] = ()
    jumps: tuple[float, ...] = ()


def fast_erf(z: Floats) -> Floats:
    """erf; for float32 the rational approximation 7.1.28 in cache-sized blocks, several times faster than scipy.

    The float32 error is below 3e-6: the sixteenth power amplifies the rounding of its base.
    """
    import scipy

    if z.dtype != np.float32:
        return np.asarray(scipy.special.erf(z))
    source = np.ascontiguousarray(z)
    result = np.empty_like(source)
    flat_in, flat_out = source.reshape(-1), result.reshape(-1)
    magnitude = np.empty(min(_ERF_BLOCK, flat_in.size), dtype=np.float32)
    for start in range(0, flat_in.size, _ERF_BLOCK):
        x = flat_in[start : start + _ERF_BLOCK]
        q = flat_out[start : start + _ERF_BLOCK]
        m = magnitude[: x.size]
        np.abs(x, out=m)
        np.minimum(m, np.float32(8.0), out=m)  # erf(8) is 1 in float32; keeps the sixteenth power finite
        np.multiply(m, np.float32(_ERF_POLYNOMIAL[-1]), out=q)
        for coefficient in _ERF_POLYNOMIAL[-2::-1]:
            q += np.float32(coefficient)
            q *= m
        q += np.float32(1.0)
        for _ in range(4):
            np.multiply(q, q, out=q)
        np.divide(np.float32(-1.0), q, out=q)
        q += np.float32(1.0)
        np.copysign(q, x, out=q)
    return result.reshape(z.shape)


def _square_exp(z: Floats, factor: float) -> Floats:
    """exp(factor * z^2) in one temporary."""
    out = np.multiply(z, z)
    out *= factor
    return np.exp(out, out=out)


def _relu(z: Floats) -> Floats:
    return np.maximum(z, 0.0)


def _step(z: Floats) -> Floats:
    return np.greater(z, 0.0).astype(z.dtype)


def _zero(z: Floats) -> Floats:
    return np.zeros_like(z)


def _tanh_slope(z: Floats) -> Floats:
    return _tanh_both(z)[1]


def _tanh_both(z: Floats) -> tuple[Floats, Floats]:
    t = np.tanh(z)
    slope = np.multiply(t, t)
    return t, np.subtract(1.0, slope, out=slope)


def _erf_slope(z: Floats) -> Floats:
    out = _square_exp(z, -1.0)
    out *= _TWO_OVER_ROOT_PI
    return out


def _minus_sin(z: Floats) -> Floats:
    out = np.sin(z)
    return np.negative(out, out=out)


def _exp_both(z: Floats) -> tuple[Floats, Floats]:
    e = np.exp(z)
    return e, e.copy()


def _decay(z: Floats) -> Floats:
    """exp(-|z|), from which softplus and sigmoid follow without overflow or cancellation."""
    out = np.abs(z)
    np.negative(out, out=out)
    return np.exp(out, out=out)


def _softplus_of(decay: Floats, z: Floats) -> Floats:
    """max(z, 0) + log(1 + exp(-|z|)), written over exp(-|z|)."""
    np.log1p(decay, out=decay)
    decay += np.maximum(z, 0.0)
    return decay


def _sigmoid_of(decay: Floats, z: Floats) -> Floats:
    """1/(1 + exp(-z)), as e/(1 + e) with e = exp(-|z|) where z < 0."""
    out = np.where(z < 0.0, decay, z.dtype.type(1.0))
    out /= decay + 1.0
    return out


def _softplus(z: Floats) -> Floats:
    return _softplus_of(_decay(z), z)


def _softplus_both(z: Floats) -> tuple[Floats, Floats]:
    decay = _decay(z)
    slope = _sigmoid_of(decay, z)
    return _softplus_of(decay, z), slope


def _sigmoid(z: Floats) -> Floats:
    return _sigmoid_of(_decay(z), z)


def _sigmoid_both(z: Floats) -> tuple[Floats, Floats]:
    """s and s(1 - s) = e/(1 + e)^2, which keeps its digits in both tails."""
    decay = _decay(z)
    s = _sigmoid_of(decay, z)
    below = decay + 1.0
    decay /= below
    decay /= below
    return s, decay


def _normal_cdf(z: Floats) -> Floats:
    import scipy

    if z.dtype == np.float32:
        out = fast_erf(z * np.float32(_ROOT_HALF))
        out += 1.0
        out *= 0.5
        return out
    return np.asarray(scipy.special.ndtr(z))


def _gelu(z: Floats) -> Floats:
    out = _normal_cdf(z)
    out *= z
    return out


def _gelu_slope(z: Floats) -> Floats:
    return _gelu_both(z)[1]


def _gelu_both(z: Floats) -> tuple[Floats, Floats]:
    """z Phi(z) and Phi(z) + z phi(z)."""
    cdf = _normal_cdf(z)
    slope = _square_exp(z, -0.5)
    slope *= _DENSITY
    slope *= z
    slope += cdf
    cdf *= z
    return cdf, slope


def _pair(
    value: Callable[[Floats], Floats], slope: Callable[[Floats], Floats]
) -> Callable[[Floats], tuple[Floats, Floats]]:
    return lambda z: (value(z), slope(z))


def hermite_value(k: int, z: Floats) -> Floats:
    """He_k(z) by the recurrence He_{j+1} = z He_j - j He_{j-1}, in three arrays."""
    return hermite_pair(k, z)[0]


def hermite_pair(k: int, z: Floats) -> tuple[Floats, Floats]:
    """(He_k(z), He_{k-1}(z)); the second is zero for k = 0."""
    if k == 0:
        return np.ones_like(z), np.zeros_like(z)
    if k == 1:
        return z.copy(), np.ones_like(z)
    below, here = z.copy(), np.multiply(z, z)
    here -= 1.0
    for j in range(2, k):
        below *= -j
        step = np.multiply(z, here)
        below += step
        below, here = here, below
    return here, below


def _hermite(k: int) -> Elementary:
    def both(z: Floats) -> tuple[Floats, Floats]:
        here, below = hermite_pair(k, z)
        below *= k
        return here, below

    return Elementary(f"He{k}", lambda z: hermite_value(k, z), lambda z: both(z)[1], both)


FUNCTIONS: dict[str, Elementary] = {
    f.name: f
    for f in (
        Elementary("relu", _relu, _step, _pair(_relu, _step), kinks=(0.0,)),
        Elementary("tanh", np.tanh, _tanh_slope, _tanh_both),
        Elementary("erf", fast_erf, _erf_slope, _pair(fast_erf, _erf_slope)),
        Elementary("sin", np.sin, np.cos, _pair(np.sin, np.cos)),
        Elementary("cos", np.cos, _minus_sin, _pair(np.cos, _minus_sin)),
        Elementary("exp", np.exp, np.exp, _exp_both),
        Elementary("abs", np.abs, np.sign, _pair(np.abs, np.sign), kinks=(0.0,)),
        Elementary("sign", np.sign, _zero, _pair(np.sign, _zero), kinks=(0.0,), jumps=(0.0,)),
        Elementary("softplus", _softplus, _sigmoid, _softplus_both),
        Elementary("sigmoid", _sigmoid, lambda z: _sigmoid_both(z)[1], _sigmoid_both),
        Elementary("gelu", _gelu, _gelu_slope, _gelu_both),
        Elementary("step", _step, _zero, _pair(_step, _zero), kinks=(0.0,), jumps=(0.0,)),
    )
}
FUNCTIONS.update((f"He{k}", _hermite(k)) for k in range(MAX_HERMITE + 1))
