"""Named random streams: one root seed per run, a child for every purpose, a generator for every block.

A stream is identified by the root seed and the path of names that leads to it, never by the order in
which streams are asked for. Hence a result does not depend on the number of threads, the executor
or the order of work, and the same data can be drawn again instead of being kept.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

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

    def child(self, name: str) -> Streams:
        """The stream called `name` below this one."""
        return Streams(self.seed, (*self.path, name))

    def generator(self) -> np.random.Generator:
        """A fresh generator at the start of this stream: asking twice gives the same numbers twice."""
        return self._generator(())

    def block(self, number: int) -> np.random.Generator:
        """The generator of one numbered block of this stream."""
        return self._generator((number + 1,))

    def _generator(self, tail: tuple[int, ...]) -> np.random.Generator:
        import numpy as np

        key = tuple(word for name in self.path for word in _words(name)) + tail
        # SFC64 is NumPy's fastest bit generator for normals; SeedSequence makes its streams independent.
        return np.random.Generator(np.random.SFC64(np.random.SeedSequence(self.seed, spawn_key=key)))
