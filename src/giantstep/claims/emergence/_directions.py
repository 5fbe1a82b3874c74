"""A student whose neurons carry their own mass, and a teacher of orthogonal directions: the setting, typical starts."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Claim, parameters
from giantstep.errors import InputError
from giantstep.theory.dynamics.scaling import EmergentDirections, first_overlaps, power_tail

PLACES = 25  # of a curve
LONGEST = 10.0  # times the end of a run, of which nothing more is to be seen
LEARNED = 0.5  # the share of a direction that counts as learned


@lru_cache(maxsize=256)
def typical(
    amplitude_exponent: float, directions: int, neurons: int, d: int, order: int, mass: float
) -> EmergentDirections:
    """Directions of strengths p^-beta with starts that are equally likely."""
    amplitudes = np.arange(1.0, directions + 1) ** -amplitude_exponent
    return EmergentDirections(amplitudes, order, first_overlaps(d, neurons, directions), mass)


@lru_cache(maxsize=256)
def typical_times(amplitude_exponent: float, directions: int, neurons: int, d: int, order: int, mass: float) -> Array:
    """When half of each direction is learned, on average over starts."""
    return typical(amplitude_exponent, directions, neurons, d, order, mass).times_of(LEARNED)


class DirectionsClaim(Claim):
    """f* = sum_p p^-beta s(<v_p, x>), f = sum_i |w_i|^2 s(<w_i, x>/|w_i|), s = He_k/sqrt(k!): the population's flow."""

    amplitude_exponent: float = parameters.own(
        1.0, "strengths of the directions fall like p^-beta", symbol=r"\beta", gt=0.5, le=3
    )
    directions: int = parameters.directions(12, symbol="P", le=256)
    neurons: int = parameters.neurons(48, symbol="N", le=512)
    d: int = parameters.dimension(512, le=10**6)
    order: int = parameters.order(4, help="degree of He_k, even: the information exponent", ge=4, le=8)
    mass: float = parameters.own(1e-3, "squared length of a neuron at the start", symbol=r"\rho_0", ge=1e-9, le=0.01)
    time: float = parameters.own(60.0, "time of the flow", symbol="t", path=True, gt=0)

    engine = "population"
    convention = "f = sum_i |w_i|^2 s(<w_i, x>/|w_i|), flow on E (f - f*)^2/2"

    @property
    def amplitudes(self) -> Array:
        return np.arange(1.0, self.directions + 1) ** -self.amplitude_exponent

    @property
    def setting(self) -> tuple[float, int, int, int, int, float]:
        return (self.amplitude_exponent, self.directions, self.neurons, self.d, self.order, self.mass)

    @property
    def first_overlap(self) -> float:
        """The typical largest overlap of a neuron with the first direction."""
        return float(self.theory().starts[0].mean())

    @property
    def times_p(self) -> Array:
        """When half of each direction is learned, on average over starts."""
        return typical_times(*self.setting)

    @property
    def tail(self) -> float:
        """What the directions beyond P hold."""
        return power_tail(2 * self.amplitude_exponent, self.directions)

    @property
    def end(self) -> float:
        return 1.6 * float(self.times_p[-1])

    def theory(self) -> EmergentDirections:
        """What theory says of typical starts."""
        return typical(*self.setting)

    def check(self) -> None:
        if self.order % 2:
            raise InputError(f"order = {self.order} is not allowed: s must be even; take 4, 6 or 8")
        if self.directions > min(self.neurons, self.d):
            raise InputError(f"{self.directions} directions need as many neurons and dimensions; raise neurons or d")
        if self.time > LONGEST * self.end:
            raise InputError(
                f"time = {self.time:g} is long after all is learned; take at most {LONGEST * self.end:.3g}"
            )

    @property
    def places(self) -> Array:
        """The times of the risk's curve, until the last direction comes."""
        return np.geomspace(0.5 * self.times_p[0], max(0.8 * self.times_p[-1], self.times_p[0]), PLACES)

    @property
    def scaled(self) -> Array:
        """The scaled times of the jumps: around the mean of all."""
        return np.linspace(0.2, 2.2, PLACES) * float((self.times_p * self.amplitudes).mean())
