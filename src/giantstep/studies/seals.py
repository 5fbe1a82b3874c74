"""Seals: a checksum over what a row of the store holds, so that a flipped bit is never taken for a number."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any


def seal(*parts: bytes | int | float | None) -> bytes:
    """The checksum of `parts`, with their types and lengths; text is given as its bytes."""
    content = [part for part in parts if type(part) is bytes]
    told = [len(part) for part in content], [part for part in parts if type(part) is not bytes]
    return hashlib.blake2b(b"".join([repr(told).encode(), *content]), digest_size=16).digest()


def is_sound(row: Sequence[Any]) -> bool:
    """Whether a row whose last column is its seal holds what was sealed."""
    return bool(row[-1] == seal(*row[:-1]))


def is_study_sound(numbers: Sequence[Any], sealed: Sequence[Any]) -> bool:
    """Whether what is said of a study can be trusted: what was sealed is as it was, and numbers are numbers."""
    return is_sound(sealed) and all(isinstance(n, int | float) for n in numbers)
