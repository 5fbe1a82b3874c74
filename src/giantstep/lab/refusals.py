"""What the lab answers when it cannot do what was asked: one sentence, a reason, the control to blame, a command."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from giantstep.errors import InputError, LostError, TooLargeError, shortened

Reason: TypeAlias = Literal["input", "too large", "forbidden", "not found", "busy", "broken"]
STATUS: dict[Reason, int] = {
    "input": 400, "too large": 413, "forbidden": 403, "not found": 404, "busy": 503, "broken": 500
}  # fmt: skip


@dataclass(eq=False)
class Refusal(Exception):
    """A request that is not answered as wished.

    Args:
        sentence: what was wrong and what is allowed.
        reason: its kind, which decides the status of the answer.
        field: the control that is to blame, if one is.
        command: the line for the terminal that does it, where only the lab refuses.
    """

    sentence: str
    reason: Reason = "input"
    field: str = ""
    command: str = ""

    def __str__(self) -> str:
        return self.sentence

    def __reduce__(self) -> tuple[type[Refusal], tuple[str, ...]]:
        return type(self), (self.sentence, self.reason, self.field, self.command)

    @property
    def status(self) -> int:
        return STATUS[self.reason]

    def data(self) -> dict[str, str]:
        """The answer as plain data."""
        return asdict(self)

    @classmethod
    def of(cls, error: BaseException, fields: tuple[str, ...] = (), command: str = "") -> Refusal:
        """What an error says; `fields` are the controls that may be to blame, the first that it speaks of is."""
        if isinstance(error, Refusal):
            return error
        if isinstance(error, InputError):
            sentence = without_paths(str(error))
            reason: Reason = "too large" if isinstance(error, TooLargeError) else "input"
            reason = "broken" if isinstance(error, LostError) else reason
            return cls(sentence, reason, blamed(sentence, fields), command if reason == "too large" else "")
        if isinstance(error, MemoryError):
            return cls("this machine's memory does not suffice; use a smaller size", "too large", "", command)
        told = without_paths(shortened(f"{type(error).__name__}: {error}", 200))
        return cls(f"the computation broke down: {told}", "broken")


def blamed(sentence: str, fields: tuple[str, ...]) -> str:
    """The field that a sentence begins with, or else speaks of in quotes."""
    begins = [name for name in fields if re.match(rf"{re.escape(name)}\b", sentence)]
    quoted = [name for name in fields if f"'{name}'" in sentence]
    return max(begins, key=len, default="") or (quoted[0] if quoted else "")


_PATH = re.compile(r"""(?:(?<=[\s'"(])|^)(?:[A-Za-z]:)?[/\\](?:[^\s'"()/\\]+[/\\])+([^\s'"()/\\,;:]*)""")


def without_paths(sentence: str) -> str:
    """A sentence with the names of files, without the folders of this machine.

    >>> without_paths("there is no study 'a' in /home/me/data/studies.sqlite; it is empty")
    "there is no study 'a' in studies.sqlite; it is empty"
    """
    return _PATH.sub(r"\1", sentence)
