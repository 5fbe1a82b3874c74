"""What a user can get wrong, said in one sentence: what was wrong, and what is allowed."""

from __future__ import annotations


class InputError(ValueError):
    """A value given by the user cannot be used; the message is one sentence, never a traceback."""


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
        return f"{self.sentence}\n  {window}\n  {' ' * (self.position - start)}^"

    def __reduce__(self) -> tuple[type[TextError], tuple[str, str, int]]:
        return type(self), (self.sentence, self.text, self.position)


class TooLargeError(InputError):
    """A setting whose arrays would not fit in this machine's memory."""
