"""How balanced the two factors stay: the lemma's lines, term by term."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
