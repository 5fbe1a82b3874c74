"""Named random streams: one root seed per run, a child for every purpose, a generator for every block.

A stream is identified by the root seed and the path of names that leads to it, never by the order in
which streams are asked for. Hence a result does not depend on the number of threads, the executor
or the order of work, and the same data can be drawn again instead of being kept.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from giantstep.checks import instance, whole_number

if TYPE_CHECKING:
    import numpy as np


def _words(name: str) -> tuple[int, ...]:
    """Four 32-bit words that stand for a name in a `SeedSequence` key."""
    digest = hashlib.blake2b(name.encode(), digest_size=16).digest()
    return tuple(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))


@dataclass(frozen=True)
class Streams:
    """A place in the tree of random streams.

    >>> root = Streams(7)
    >>> a = root.child("weights").generator().standard_normal()
    >>> root.child("noise").generator().standard_normal() == a
    False
    >>> Streams(7).child("weights").generator().standard_normal() == a
    True
    """

    seed: int
    path: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", whole_number("seed", self.seed, least=0))

    def child(self, name: str) -> Streams:
        """The stream called `name` below this one."""
        instance("the name of a stream", name, str, "a text such as 'weights'")
        return Streams(self.seed, (*self.path, name))

    def generator(self) -> np.random.Generator:
        """A fresh generator at the start of this stream: asking twice gives the same numbers twice."""
        return self._generator(())

    def block(self, number: int) -> np.random.Generator:
        """The generator of one numbered block of this stream."""
        return self._generator((whole_number("block", number, least=0) + 1,))

    def _generator(self, tail: tuple[int, ...]) -> np.random.Generator:
        import numpy as np

        key = tuple(word for name in self.path for word in _words(name)) + tail
        # SFC64 is NumPy's fastest bit generator for normals; SeedSequence makes its streams independent.
        return np.random.Generator(np.random.SFC64(np.random.SeedSequence(self.seed, spawn_key=key)))


def check_streams(value: Any) -> Streams:
    """Random streams that were given, or the sentence that says how they are made.

    >>> check_streams(0)
    Traceback (most recent call last):
    giantstep.errors.InputError: the random streams must be Streams of a seed such as Streams(0), not 0
    """
    return instance("the random streams", value, Streams, "Streams of a seed such as Streams(0)")
