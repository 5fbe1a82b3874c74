"""Who runs a study: the process that is named beside it in the store, and whether it is still there."""

from __future__ import annotations

import os
import platform
from pathlib import Path

PROCESSES = Path("/proc")
STILL_ACTIVE = 259  # what Windows gives as the exit code of a process that runs
MAY_ASK = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION


def this_driver() -> str:
    """This process, as a store notes it: its number, when it was born where that is known, and the machine."""
    return f"{os.getpid()} {_born(os.getpid()) or '-'} {platform.node()}"


def is_gone(driver: str) -> bool:
    """Whether that process has ended for certain; False if it runs, or where nobody can tell, as on another machine."""
    try:
        number, born, machine = driver.split(" ", 2)
        pid = int(number)
    except ValueError:
        return False
    if machine != platform.node():
        return False
    return _born(pid) != born if born != "-" else not _is_there(pid)


def _born(pid: int) -> str:
    """Boot of the machine and tick of the process: numbers of processes come again, this does not. Linux tells it."""
    try:
        facts = (PROCESSES / str(pid) / "stat").read_text().rpartition(")")[2].split()
        boot = (PROCESSES / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""
    return "" if facts[0] in "ZX" else f"{boot}:{facts[19]}"  # a dead process may wait for its parent to notice


def _is_there(pid: int) -> bool:
    if os.name == "posix":
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except OSError:
            return True
        return True
    return _is_there_on_windows(pid)


def _is_there_on_windows(pid: int) -> bool:
    import ctypes

    windows = getattr(ctypes, "windll", None)
    if windows is None:
        return True
    handle = windows.kernel32.OpenProcess(MAY_ASK, False, pid)
    if not handle:
        return False
    code = ctypes.c_ulong()
    known = windows.kernel32.GetExitCodeProcess(handle, ctypes.byref(code))
    windows.kernel32.CloseHandle(handle)
    return not known or code.value == STILL_ACTIVE
