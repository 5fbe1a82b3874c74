"""One example of each kind of picture."""

import numpy as np
import pytest

from giantstep.figures import (
    CurvePicture,
    HeatMapPicture,
    PanelPicture,
    Picture,
    Series,
    SpectrumPicture,
    StaircasePicture,
    TrajectoryPicture,
)

CAPTION = (
    r"Activation tanh, target relu(x1), $d = 1024$, $n/d = 4$, $N/d = 2$, noise 0, step convention with a long "
    r"name ($W_1 = W_0 + \eta \sqrt{N}\, G_0$); 12 seeds, bars are one standard error; full engine, float64."
)


def _curve() -> CurvePicture:
    x = np.linspace(0, 8, 81)
    marks = x[::10]
    return CurvePicture(
        "A curve",
        r"step $\eta$",
        "spike",
        [
            Series("theory", x, 2 + x**2 / 10),
            Series("simulation", marks, 2 + marks**2 / 10 + 0.1, error=np.full(9, 0.2), kind="simulation"),
            Series("edge", [0, 8], [2, 2], kind="reference"),
            Series("limit", [0, 8], [9, 9], kind="bound", forbidden="above"),
        ],
        caption=CAPTION,
        vertical_lines=((3.2, "threshold"),),
    )


def _spectrum() -> SpectrumPicture:
    x = np.linspace(-2, 2, 201)
    semicircle = np.sqrt(4 - x**2) / (2 * np.pi)
    draws = np.random.default_rng(3)
    sample = 4 * draws.beta(1.5, 1.5, size=4000) - 2  # the semicircle law
    return SpectrumPicture(
        "A spectrum",
        "eigenvalue",
        np.concatenate([sample, [2.9, 3.0, 3.1]]),
        x,
        semicircle,
        spikes=((3.05, "predicted", "predicted"), (3.0, "measured", "measured"), (2.0, "edge", "edge")),
        caption=CAPTION,
        before=sample,
    )


def _heat_map() -> HeatMapPicture:
    x, y = np.linspace(0, 8, 9), np.geomspace(0.5, 16, 6)
    values = np.add.outer(np.log(y), x)
    values[2, 3] = np.nan
    return HeatMapPicture("A map", "x", "y", x, y, values, "v", (x, 1 + x), CAPTION, log_y=True)


def _trajectory() -> TrajectoryPicture:
    t = np.linspace(0, 5, 100)
    paths = [Series("flow", 1 - np.exp(-t), t / 5), Series("SGD", 1 - np.exp(-t), t / 6, kind="simulation")]
    return TrajectoryPicture("Paths", "$m_1$", "$m_2$", paths, marks=((1, 1, "target"),), caption=CAPTION)


def _staircase() -> StaircasePicture:
    levels, parts = ["nothing", "+ x1", "+ x2"], [[1, 2], [1, 0.5], [0, 0]]
    return StaircasePicture("Stairs", "steps", "left", levels, parts, ["linear", "rest"], "linear", CAPTION)


def _panels() -> PanelPicture:
    return PanelPicture("Panels", (_curve(), _spectrum(), _heat_map(), _trajectory()), CAPTION)


_EXAMPLES = {
    "curve": _curve,
    "spectrum": _spectrum,
    "heat map": _heat_map,
    "trajectory": _trajectory,
    "staircase": _staircase,
    "panels": _panels,
}


@pytest.fixture(params=_EXAMPLES)
def picture(request: pytest.FixtureRequest) -> Picture:
    return _EXAMPLES[request.param]()


@pytest.fixture
def curve() -> CurvePicture:
    return _curve()


@pytest.fixture
def spectrum() -> SpectrumPicture:
    return _spectrum()


@pytest.fixture
def heat_map() -> HeatMapPicture:
    return _heat_map()
