"""How a command is ended from outside: Ctrl-C, a request to end (SIGTERM), a terminal that is closed (SIGHUP).

This file is loaded before everything else, and loads nothing that takes time.
"""

from __future__ import annotations

import os
import signal
import sys

from giantstep.cli.exits import ENDED_BY_SIGNAL

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # not every system has all of them
SHOW_CURSOR = "\x1b[?25h"  # a bar of progress hides it


class Ending:
    """Whether somebody has asked this command to end; each way of asking is heard as Ctrl-C is.

    Once asked, a command stops what it does, tells what is there and closes its store. Asked a second time it ends at
    once: worker processes end with it, and what was written is safe.
    """

    def __init__(self) -> None:
        self.asked = 0  # the number of the signal
        self._over = False

    def listen(self) -> None:
        """Hear the signals from now on; one that is ignored, as after `nohup`, stays so."""
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._hear)
        sys.unraisablehook = self._unraisable

    def _hear(self, number: int, _: object) -> None:
        again = self._over or self.asked
        self.asked = self.asked or number
        if again:
            self.leave()
        raise KeyboardInterrupt

    def _unraisable(self, lost: sys.UnraisableHookArgs) -> None:
        """Python drops what is raised while it cleans up after an import: a wish to end must not be lost so."""
        if isinstance(lost.exc_value, KeyboardInterrupt):
            self.leave()
        sys.__unraisablehook__(lost)

    def leave(self) -> None:
        """End now, whatever is going on."""
        try:
            if sys.stderr.isatty():
                sys.stderr.write(SHOW_CURSOR)
                sys.stderr.flush()
        finally:
            os._exit(ENDED_BY_SIGNAL + (self.asked or signal.SIGINT))

    def over(self, status: int) -> int:
        """The command has ended by itself with `status`; who asks from now on is not kept waiting.

        Gives the status to exit with: 143 after SIGTERM, 129 after SIGHUP, else that of the command.
        """
        self._over = True
        exec("")  # or Python ends itself by SIGINT if Ctrl-C came through an `exec`, as of a dataclass being made
        return ENDED_BY_SIGNAL + self.asked if self.asked not in (0, signal.SIGINT) else status


def flush() -> None:
    """Write out what was printed; where nobody reads it any more (`| head`, a closed terminal), leave quietly."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Python would try again at its end, and complain.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
