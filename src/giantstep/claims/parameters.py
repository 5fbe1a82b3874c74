"""The parameters that many claims share: one name, one symbol, one set of bounds; each claim only chooses a default."""

from __future__ import annotations

from typing import Any

from giantstep.claims.base import parameter
from giantstep.problems import Activation, Target


def activation(default: str) -> Any:
    return parameter(Activation(default), "activation of the network", symbol=r"\sigma")


def target(default: str) -> Any:
    return parameter(Target(default), "what is learned, of x1, x2, ...", symbol="f^*")


def dimension(default: int, least: int = 16) -> Any:
    return parameter(default, "input dimension", symbol="d", ge=least)


def samples_per_dim(default: float) -> Any:
    return parameter(default, "samples per dimension", symbol=r"\psi_1 = n/d", gt=0)


def neurons_per_dim(default: float) -> Any:
    return parameter(default, "neurons per dimension", symbol=r"\psi_2 = N/d", gt=0)


def neurons(default: int, least: int = 1) -> Any:
    return parameter(default, "neurons", symbol="p", ge=least)


def sample_exponent(default: float) -> Any:
    return parameter(default, "exponent of the batch size", symbol=r"\kappa,\ n = d^\kappa", gt=0, le=8)


def noise(default: float) -> Any:
    return parameter(default, "standard deviation of label noise", symbol=r"\sigma_\varepsilon", ge=0)


def step(default: float, *, path: bool = True) -> Any:
    return parameter(default, "step size in the paper's convention", symbol=r"\eta", path=path, ge=0)


def step_exponent(default: float, *, path: bool = True) -> Any:
    return parameter(
        default, "exponent of the step size", symbol=r"\alpha,\ \eta \propto N^\alpha", path=path, ge=0, le=1
    )


def steps(default: int) -> Any:
    return parameter(default, "number of gradient steps", symbol="T", ge=1, le=1000)


def ridge(default: float) -> Any:
    return parameter(default, "ridge penalty", symbol=r"\lambda", path=True, gt=0)
