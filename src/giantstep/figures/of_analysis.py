"""The staircase of a target as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from giantstep.figures.data import StaircasePicture
from giantstep.problems.analysis import direction_text

if TYPE_CHECKING:
    from giantstep.problems.analysis import Analysis

_DEGREES = 4  # so many degrees have a shade of their own


def staircase_picture(analysis: Analysis) -> StaircasePicture:
    """What giant steps with n ~ d samples learn: U_0, U_1, ... with E Var(f | U_t) by degree outside U_t.

    Args:
        analysis: of the target, as `Target.analyze` gives it.

    >>> from giantstep.problems import Target
    >>> staircase_picture(Target("x1 + x1*x2").analyze()).levels
    ('nothing', '+ x1', '+ x2')
    """
    levels, rows = [], []
    for step in analysis.staircase:
        fresh = [direction_text(d.vector) for d in step.level.new]
        levels.append("\n".join(f"+ {text}" for text in fresh) or "nothing")
        energies = [float(e) for e in step.spread.energies[1 : _DEGREES + 1]]
        above = float(step.spread.above(_DEGREES))
        rows.append([*energies, *[0.0] * (_DEGREES - len(energies)), above])
    labels = ["linear", *(f"degree {k}" for k in range(2, _DEGREES + 1)), "higher"]
    parts = np.array(rows)
    # Of kinds that never occur the legend says nothing.
    shown = np.flatnonzero(parts.max(axis=0) > 0) if parts.max(initial=0.0) > 0 else np.array([0])
    return StaircasePicture(
        title=f"What giant steps learn of {analysis.target}",
        x_label="giant steps, with the directions that each one adds",
        y_label=r"$E\,\mathrm{Var}(f^*\,|\,U_t)$",
        levels=levels,
        parts=parts[:, shown],
        part_labels=[labels[i] for i in shown],
        highlight=labels[0],
        caption=(
            "Height: what knowing the learned directions leaves open, by degree in the unlearned ones. With n ~ d "
            f"samples a step only what is linear there can be learned next. Here {analysis.stop}."
        ),
    )
