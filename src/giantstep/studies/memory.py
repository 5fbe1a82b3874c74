"""Memory that a simulation took, where the system tells it, for the record of one that took more than was expected."""

from __future__ import annotations

from pathlib import Path

STATUS, FORGET_PEAK = Path("/proc/self/status"), Path("/proc/self/clear_refs")
MUCH = 1.5  # times the expected memory, and a little that goes to whatever is loaded on the way
LITTLE = 50e6


class MemoryWatch:
    """The peak of this process's memory since it was made, beyond what it had then; nothing is known beyond Linux."""

    def __init__(self) -> None:
        try:
            FORGET_PEAK.write_text("5", encoding="ascii")
            self._before: float | None = _told("VmRSS")
        except (OSError, KeyError):
            self._before = None

    def excess(self, expected: float) -> dict[str, str]:
        """A remark for the record if much more than the `expected` bytes were taken, nothing otherwise."""
        try:
            taken = 0.0 if self._before is None else _told("VmHWM") - self._before
        except (OSError, KeyError):
            return {}
        if taken <= MUCH * expected + LITTLE:
            return {}
        return {"memory": f"{taken / 1e9:.2g} GB, where {expected / 1e9:.2g} GB were expected"}


def _told(name: str) -> float:
    """Bytes, as Linux tells them of this process."""
    lines = dict(line.split(":", 1) for line in STATUS.read_text(encoding="ascii").splitlines())
    return float(lines[name].split()[0]) * 1024
