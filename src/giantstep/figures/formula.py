"""Mathematics for pages: LaTeX as MathML, which a browser sets in the font, size and colour of the text around it."""

from __future__ import annotations

import html
import re
from functools import lru_cache

from giantstep.errors import InputError

NEEDS_DOCUTILS = "setting formulas needs docutils: pip install 'giantstep[plot]'"
# Brackets, bars and strokes that keep the size of the line and stand close to what they enclose.
_CLOSE = re.compile(r'<mo>([⟨⟩‖])</mo>|<mo stretchy="false">([|/()\[\]])</mo>')
_NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML"'  # which every `math` element of a page has anyway


@lru_cache(maxsize=2048)
def formula_mathml(tex: str, *, display: bool = False) -> str:
    r"""A formula as a `math` element, which also holds its LaTeX; refused with a sentence where none can be made.

    >>> formula_mathml(r"\psi_1 < 2")
    '<math alttext="\\psi_1 &lt; 2"><msub><mi>ψ</mi><mn>1</mn></msub><mo>&lt;</mo><mn>2</mn></math>'

    Args:
        tex: LaTeX without dollar signs, such as `\psi_1 = n/d`.
        display: whether it stands on a line of its own, where fractions are as large as the text.
    """
    try:
        from docutils.utils.math import latex2mathml
    except ImportError:
        raise InputError(NEEDS_DOCUTILS) from None
    try:
        made = latex2mathml.tex2mathml(tex, as_block=display)
    except (ArithmeticError, AttributeError, LookupError, SyntaxError, TypeError, ValueError):  # as docutils refuses
        raise InputError(f"no formula can be made of '{tex}'") from None
    tight = re.sub(r">\s+<", "><", made.strip().replace(_NAMESPACE, ""))
    named = tight.replace("<math", f'<math alttext="{html.escape(tex)}"', 1)
    return _CLOSE.sub(r"<mi>\1\2</mi>", named)  # an operator would have room around it and grow with what it encloses
