"""Where numbers were made: the versions and the machine on which they may depend in the last bits."""

from __future__ import annotations

import platform
from functools import cache

import numpy as np
import scipy

from giantstep.version import __version__


@cache
def environment() -> dict[str, str]:
    """Versions of everything that computes, and the kind of machine."""
    return {
        "version": __version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
