"""How a network starts: laws of the two layers, pairing, biases."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from giantstep.checks import instance, whole_number
from giantstep.errors import InputError
from giantstep.learners.draws import random_directions
from giantstep.learners.networks.conventions import Scaling, named
from giantstep.learners.networks.network import Network
from giantstep.streams import Streams, check_streams

if TYPE_CHECKING:
    from giantstep.problems import Activation

FirstLayer = Literal["gaussian", "sphere"]
SecondLayer = Literal["gaussian", "gaussian/N", "signs", "signs/N", "ones", "ones/N", "uniform"]
Biases = Literal["gaussian"] | None


@dataclass(frozen=True)
class Initialisation:
    """The law of a network before training.

    Args:
        first: "gaussian": w_ij ~ N(0, 1/d);  "sphere": w_i uniform on the unit sphere.
        second: "gaussian": a_i ~ N(0, 1);  "signs": +1 or -1;  "ones": all 1;  "uniform": uniform on [-sqrt 3, sqrt 3],
            which has the variance 1 of the signs;  "gaussian/N", "signs/N", "ones/N": their squares are 1/N in mean.
        paired: whether w_i = w_{N+1-i}, b_i = b_{N+1-i}, a_i = -a_{N+1-i}, so that f = 0.
        biases: None or "gaussian": b_i ~ N(0, 1).
        scaling: of the output, unless `initialise` is told another one.
    """

    first: FirstLayer = "gaussian"
    second: SecondLayer = "gaussian"
    paired: bool = False
    biases: Biases = None
    scaling: Scaling = Scaling.INVERSE_ROOT_WIDTH

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("first layer", self.first, get_args(FirstLayer)),
            ("second layer", self.second, get_args(SecondLayer)),
            ("biases", self.biases, (None, "gaussian")),
        ):
            if value not in allowed:
                raise InputError(f"{name} = {value!r} is not allowed; it must be one of {allowed}")
        object.__setattr__(self, "scaling", named("the scaling of the output", Scaling, self.scaling))

    def independent_neurons(self, neurons: int) -> int:
        """How many neurons are drawn for a network of `neurons`: half of them when paired."""
        if self.paired and whole_number("the number of neurons", neurons) % 2:
            raise InputError(f"neurons = {neurons} is not allowed; it must be even, for they come in pairs")
        return neurons // 2 if self.paired else whole_number("the number of neurons", neurons)

    def mirror(self, rows: NDArray[np.float64], sign: float = 1.0) -> NDArray[np.float64]:
        """The drawn neurons, followed in reverse order by their partners when paired."""
        return np.concatenate([rows, sign * rows[::-1]]) if self.paired else rows


BES22 = Initialisation("gaussian", "gaussian/N")
"""[bes22]: w_ij ~ N(0, 1/d), a_i ~ N(0, 1/N), f = (1/sqrt N) sum."""
DKLPS23 = Initialisation("sphere", "signs", paired=True, scaling=Scaling.INVERSE_WIDTH)
"""[dklps23]: unit sphere, random signs, paired so that f = 0, f = (1/p) sum."""
DKLPS23_GAUSSIAN = Initialisation("sphere", "gaussian", paired=True, scaling=Scaling.INVERSE_WIDTH)
"""[dklps23] with a Gaussian second layer: signs let all neurons collapse onto two vectors when n ~ d."""
DLS22 = Initialisation("sphere", "signs", paired=True, scaling=Scaling.UNIT)
"""[dls22]: as dklps23, with f = sum_i a_i sigma(<w_i, x>) without a factor."""


def initialise(
    init: Initialisation,
    activation: Activation | str,
    d: int,
    neurons: int,
    streams: Streams,
    scaling: Scaling | str | None = None,
) -> Network:
    """Draw a network; first and second layer have streams of their own.

    Args:
        init: the law of the start, `BES22`, `DKLPS23`, `DLS22` or an `Initialisation` of your own.
        activation: sigma, an `Activation` or its text.
        d: the dimension of the inputs.
        neurons: N.
        streams: where the network is drawn from.
        scaling: of the output, unless that of `init`.

    >>> initialise(BES22, "tanh", 100, 50, Streams(0))
    Network(N=50, d=100, sigma='tanh(z)', f = 1/sqrt(N) * sum_i a_i sigma(<w_i, x>))
    """
    d = whole_number("d", d)
    drawn = check_initialisation(init).independent_neurons(neurons)
    own = check_streams(streams).child("first layer")
    if init.first == "sphere":
        weights = random_directions(d, drawn, own)
    else:
        weights = own.generator().standard_normal((drawn, d)) / math.sqrt(d)
    return Network(
        weights=init.mirror(weights),
        second_layer=draw_second_layer(init, neurons, streams),
        activation=activation,
        scaling=init.scaling if scaling is None else scaling,
        biases=draw_biases(init, neurons, streams),
    )


def check_initialisation(value: Any) -> Initialisation:
    """A law of the start that was given, or the sentence that names some."""
    return instance("the initialisation", value, Initialisation, "BES22, DKLPS23, DLS22 or Initialisation(...)")


def draw_second_layer(init: Initialisation, neurons: int, streams: Streams) -> NDArray[np.float64]:
    """a, of length `neurons`."""
    generator = streams.child("second layer").generator()
    drawn = init.independent_neurons(neurons)
    law, small = init.second.removesuffix("/N"), init.second.endswith("/N")
    if law == "ones":
        values = np.ones(drawn)
    elif law == "signs":
        values = generator.choice([-1.0, 1.0], size=drawn)
    elif law == "uniform":
        values = generator.uniform(-math.sqrt(3.0), math.sqrt(3.0), size=drawn)
    else:
        values = generator.standard_normal(drawn)
    if small:
        values /= math.sqrt(neurons)
    return init.mirror(values, -1.0)


def draw_biases(init: Initialisation, neurons: int, streams: Streams) -> NDArray[np.float64] | None:
    """b, of length `neurons`, or None."""
    if init.biases is None:
        return None
    return init.mirror(streams.child("biases").generator().standard_normal(init.independent_neurons(neurons)))
