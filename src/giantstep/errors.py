"""What a user can get wrong, said in one sentence: what was wrong, and what is allowed."""

from __future__ import annotations

TYPE_CHECKING = False  # not that of `typing`: this file is loaded before anything else
if TYPE_CHECKING:
    from collections.abc import Iterable


LONGEST = 400
"""Characters of a sentence, however long the input is that it repeats."""

FAILURES = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, MemoryError, RecursionError)
"""What Python and NumPy raise for arguments that are of the right kind but do not fit; LinAlgError is a ValueError."""


def shortened(sentence: str, most: int = LONGEST) -> str:
    """A sentence of at most so many characters: of a longer one the beginning and the end.

    >>> shortened("there is no claim 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa'; look again", 40)
    "there is no claim 'aaaaa ... look again"
    """
    if len(sentence) <= most:
        return sentence
    end = (most - 5) // 3
    return f"{sentence[: most - 5 - end]} ... {sentence[-end:].lstrip()}"


def quotation(sentence: str) -> str:
    """What a sentence quotes beneath it, with a caret at the place that is meant; empty if it quotes nothing.

    >>> quotation("unknown name 'y'\\n  x1 + y\\n       ^")
    '\\n  x1 + y\\n       ^'
    """
    lines = sentence.split("\n")
    is_quoted = len(lines) > 2 and lines[-1].strip() == "^"
    return "".join(f"\n{line}" for line in lines[-2:]) if is_quoted else ""


def printable(sentence: str, most: int = LONGEST) -> str:
    """A sentence of at most so many characters and on one line, with what it quotes beneath it.

    It may repeat what a user or a file has given: signs in that which would command a terminal become question marks.

    >>> printable("there is no study 'a\\x1b[31m\\nb'")
    "there is no study 'a?[31m?b'"
    """
    sentence = shortened(sentence, most)
    if sentence.isprintable():
        return sentence
    quoted = quotation(sentence)
    safe = "".join(sign if sign.isprintable() else "?" for sign in sentence.removesuffix(quoted))
    return safe + "".join(sign if sign.isprintable() or sign == "\n" else "?" for sign in quoted)


class InputError(ValueError):
    """A value given by the user cannot be used; the message is one sentence, never a traceback."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(printable(sentence))


class MisfitError(InputError):
    """A sentence that was made from annotations and docstrings, not written for the occasion."""


class UnknownNameError(InputError, KeyError):
    """A name that a table does not have; a `KeyError` too, as everywhere a table is asked.

    >>> print(UnknownNameError("quantity", "spik", ["spike", "edge"]))
    there is no quantity 'spik'; there are: spike, edge
    """

    def __init__(self, what: str, name: object, known: Iterable[object]) -> None:
        self.what, self.name, self.known = what, name, tuple(known)
        listed = ", ".join(map(str, self.known))
        super().__init__(f"there is no {what} {name!r}; " + (f"there are: {listed}" if listed else "there is none"))

    def __str__(self) -> str:  # a KeyError would put quotes around the sentence
        return str(self.args[0])

    def __reduce__(self) -> tuple[type[UnknownNameError], tuple[str, object, tuple[object, ...]]]:
        return type(self), (self.what, self.name, self.known)


class TextError(InputError):
    """A target or activation text that cannot be read, with the place where reading stopped.

    >>> print(TextError("unknown name 'y'", "x1 + y", 5))
    unknown name 'y'
      x1 + y
           ^
    """

    def __init__(self, sentence: str, text: str, position: int) -> None:
        self.sentence = sentence
        self.text = text
        self.position = position
        super().__init__(self._with_caret())

    def _with_caret(self) -> str:
        # Long texts are cut around the offending place, so the caret stays visible in a terminal.
        width = 72
        start = max(0, self.position - width // 2)
        window = "".join(c if c.isprintable() else "?" for c in self.text[start : start + width])
        return f"{shortened(self.sentence, LONGEST - 3 * width)}\n  {window}\n  {' ' * (self.position - start)}^"

    def __reduce__(self) -> tuple[type[TextError], tuple[str, str, int]]:
        return type(self), (self.sentence, self.text, self.position)


class LostError(InputError):
    """What a study was writing to is gone: what it measures could not be kept, so it ends."""


class TooLargeError(InputError):
    """A setting whose arrays would not fit in this machine's memory."""


class NoRoomError(InputError):
    """A picture whose panels and words do not fit into the size that was asked for."""


def join(*sentences: str | None) -> str | None:
    """The warnings that are present, as one text; None when there is none."""
    present = [sentence for sentence in sentences if sentence]
    return " ".join(present) if present else None
