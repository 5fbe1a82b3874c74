"""Noisy descent of independent particles in a potential with two wells, and on which side they are.

    w' = w - h V'(w) + sqrt(2 lambda h) (xi + xi')/2,     V = r w^2/2 + A exp(-w^2/2),

xi' being the noise of the next step too: Langevin dynamics whose law at rest is right up to order h^2 (Leimkuhler and
Matthews 2013). All particles start in the right well.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from giantstep.arrays import Array
from giantstep.streams import Streams


def sides(
    neurons: int, step: float, ridge: float, bump: float, temperature: float, times: Sequence[int], streams: Streams
) -> Array:
    """The mean sign of the particles after each of several numbers of steps, (times,).

    Args:
        neurons: how many particles.
        step: h.
        ridge: r.
        bump: A, above r.
        temperature: lambda.
        times: the numbers of steps, increasing.
        streams: where the noise is drawn from.
    """
    generator = streams.generator()
    w = np.full(neurons, sqrt(2 * np.log(bump / ridge)))
    before, spread = generator.standard_normal(neurons), sqrt(temperature * step / 2)
    found, done = [], 0
    for time in times:
        for _ in range(time - done):
            noise = generator.standard_normal(neurons)
            w -= step * w * (ridge - bump * np.exp(-0.5 * w * w))
            w += spread * (before + noise)
            before = noise
        done = time
        found.append(float(np.mean(np.sign(w))))
    return np.array(found)
