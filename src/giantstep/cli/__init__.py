"""The terminal face: one file per command, flags made from the claims' own fields."""

import sys


def _without_traceback(kind, error, trace):  # type: ignore[no-untyped-def]
    """Ctrl-C while the command is still being loaded: it ends with the status of an interruption, and says nothing."""
    if kind is not KeyboardInterrupt:
        sys.__excepthook__(kind, error, trace)


# Here, before `signal` or anything else is loaded: `endings` takes over as soon as it can.
sys.excepthook = _without_traceback
