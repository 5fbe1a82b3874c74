"""The terminal face: one file per command, flags made from the claims' own fields."""

import os
import sys


def _without_traceback(kind, error, trace):  # type: ignore[no-untyped-def]
    """Ctrl-C while the command is still being loaded: it ends with the status of an interruption, and says nothing."""
    if kind is not KeyboardInterrupt:
        sys.__excepthook__(kind, error, trace)


def _not_lost(dropped):  # type: ignore[no-untyped-def]
    """Ctrl-C while Python cleans up after an import, where it drops what is raised: the command ends all the same."""
    if dropped.exc_type is KeyboardInterrupt:
        os._exit(130)
    sys.__unraisablehook__(dropped)


# Here, before `signal` or anything else is loaded: `endings` takes over as soon as it can. What Python itself does
# before it comes here, a few milliseconds (`site`, finding this package), cannot be reached from here.
sys.excepthook = _without_traceback
sys.unraisablehook = _not_lost
