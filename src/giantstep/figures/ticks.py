"""Ticks and limits that stay readable: short logarithmic axes, constant curves, single points."""

from __future__ import annotations

import re

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import (
    FixedLocator,
    FuncFormatter,
    LogFormatterMathtext,
    LogLocator,
    MaxNLocator,
    NullFormatter,
    NullLocator,
    ScalarFormatter,
)

from giantstep.arrays import Array

_AS_MATHEMATICS = re.compile(r"\$\\mathdefault\{([^{}\\]*)\}\$")
_FEW = 8  # so many distinct places of measurement may be ticks themselves
_FAR = 3.0  # decades; on a longer axis ticks between powers of ten would be a fence
_LONG = 2.0  # decades; on a shorter axis powers of ten alone would be one tick or two
_SHORT = 0.7  # decades; on a still shorter one so would 1, 2, 5
_LEAST = 1.5  # a factor: a logarithmic axis that shows less would make much of nothing


class Numbers(ScalarFormatter):
    """matplotlib's ticks as words where they are numbers alone: mathematics takes ten times as long to lay out."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return _AS_MATHEMATICS.sub(r"\1", super().__call__(x, pos))


def plain(value: float, _position: int | None = None) -> str:
    """A tick's number as a reader would write it.

    >>> plain(1024.0), plain(0.05), plain(20000.0), plain(100000.0), plain(-2.0)
    ('1024', '0.05', '20000', '$10^{5}$', '−2')
    """
    if value and (abs(value) >= 1e5 or abs(value) < 1e-3):
        exponent = int(np.floor(np.log10(abs(value)) + 1e-9))
        lead = value / 10.0**exponent
        factor = "" if np.isclose(lead, 1) else "-" if np.isclose(lead, -1) else rf"{lead:.3g}\times"
        return rf"${factor}10^{{{exponent}}}$"
    return f"{value:.{5 if abs(value) >= 1e4 else 4}g}".replace("-", "\N{MINUS SIGN}")


def set_ticks(axis: Axis, places: Array, log: bool, *, every_place: bool = False) -> None:
    """Ticks of an axis whose limits are set, given the places where something stands.

    A short logarithmic axis has its ticks at these places if they are few and go along it, and `every_place` asks the
    same of any axis (the cells of a heat map); whole numbers get whole ticks.
    """
    places = np.unique(places[np.isfinite(places) & ((places > 0) | (not log))])
    low, high = axis.get_view_interval()
    length = np.log10(high / low) if log else high - low
    # Neighbours closer than a twelfth of the axis would run into each other.
    steps = np.diff(np.log10(places) if log else places)
    few = 0 < places.size <= _FEW and steps.min(initial=np.inf) > length / 12
    if not log:
        axis.set_major_formatter(Numbers())
        if few and every_place:
            axis.set_major_locator(FixedLocator(places.tolist()))
            axis.set_major_formatter(FuncFormatter(plain))
        elif places.size and np.array_equal(places, np.round(places)):
            axis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 2.5, 5, 10]))
        return
    if length > _LONG:
        axis.set_major_locator(LogLocator(numticks=9))
        axis.set_major_formatter(LogFormatterMathtext())
        axis.set_minor_formatter(NullFormatter())
        if length > _FAR:
            axis.set_minor_locator(NullLocator())
        return
    along = steps.sum() > length / 2 or length < _SHORT  # one mark on a long line gives it no scale
    if few and (along or every_place):
        axis.set_major_locator(FixedLocator(places.tolist()))
    elif length > _SHORT:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=12))
    else:
        axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(FuncFormatter(plain))
    axis.set_minor_locator(NullLocator())


def open_limits(axes: Axes, name: str, shown: Array, log: bool) -> None:
    """Give an axis some width where rounding errors would be all there is to see: constants, lone points."""
    shown = shown[np.isfinite(shown)]
    if shown.size == 0:
        return
    low, high = float(shown.min()), float(shown.max())
    size = max(abs(low), abs(high))
    if high - low > 1e-9 * size:
        return
    middle = (low + high) / 2
    if log:
        limits = (middle / 2, middle * 2)
    elif name == "y" and middle >= 0:  # how large a constant is, its distance from 0 tells
        limits = (-0.05 * (size or 1), 1.25 * (size or 1))
    else:
        limits = (middle - (0.25 * size or 1), middle + (0.25 * size or 1))
    axes.autoscale(enable=False, axis="x" if name == "x" else "y")  # its own attempt at a lone point would warn
    (axes.set_xlim if name == "x" else axes.set_ylim)(*limits)


def widen_short_scale(axes: Axes) -> None:
    """Let a logarithmic vertical axis that spans hardly anything show a factor of 1.5 all the same."""
    low, high = axes.get_ylim()
    if 0 < low < high < _LEAST * low:
        middle = np.sqrt(low * high)
        axes.set_ylim(middle / np.sqrt(_LEAST), middle * np.sqrt(_LEAST))
