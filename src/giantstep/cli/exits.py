"""How a command ends: the statuses that `giantstep` exits with."""

from __future__ import annotations

DONE = 0
FAILED = 1  # `verify`: a claim does not hold; `run`: it fails; studies: records could not be computed
BAD_INPUT = 2
INTERRUPTED = 130
ENDED_BY_SIGNAL = 128  # and the number of the signal: 143 for SIGTERM, 129 for SIGHUP
