"""A function given by a text and known by its normal form: what targets and activations have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from giantstep.problems.forms.kinks import is_smooth
from giantstep.problems.forms.normal import Form, degree_of
from giantstep.problems.forms.rewriting import to_expression
from giantstep.problems.text.expression import Expression
from giantstep.problems.text.printing import to_text


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Written:
    """Two functions of one kind are equal if their normal forms are, whatever their texts."""

    text: str
    expression: Expression
    form: Form

    _names: ClassVar[Sequence[str]]  # of its variables, as many as it may have

    def _set(self, text: str, expression: Expression, form: Form) -> None:
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "expression", expression)
        object.__setattr__(self, "form", form)

    @cached_property
    def is_polynomial(self) -> bool:
        return self.form.is_polynomial

    @cached_property
    def is_smooth(self) -> bool:
        """Whether no function in it has a kink or a jump."""
        return is_smooth(self.form)

    @cached_property
    def degree(self) -> int | None:
        """The degree of a polynomial, else None."""
        return max((degree_of(m) for m, _ in self.form.terms), default=0) if self.is_polynomial else None

    @cached_property
    def canonical(self) -> str:
        """A text that is the same for equal functions (it may be longer than a text may be)."""
        names = self._names[: max(self.form.variables, default=0) + 1]
        return to_text(to_expression(self.form, names, highest_monomial=1))

    @property
    def latex(self) -> str:
        """The text as LaTeX."""
        from giantstep.problems.text.latex import to_latex

        return to_latex(self.expression)

    def _repr_latex_(self) -> str | None:
        return f"${self.latex}$"

    def __eq__(self, other: object) -> bool:
        return self.canonical == other.canonical if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), self.canonical))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"

    def __str__(self) -> str:
        return self.text
