"""How a command ends: the statuses that `giantstep` exits with."""

from __future__ import annotations

DONE = 0
FAILED = 1  # a claim that was verified does not hold, or records of a study could not be computed
BAD_INPUT = 2
INTERRUPTED = 130
ENDED_BY_SIGNAL = 128  # and the number of the signal: 143 for SIGTERM, 129 for SIGHUP
