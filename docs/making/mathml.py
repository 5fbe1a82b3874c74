"""Mathematics as MathML, made while the site is built: a page needs no script and no other host for it."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

# Brackets, bars and strokes that keep the size of the line and stand close to what they enclose.
CLOSE = re.compile('<mo>([⟨⟩‖])</mo>|<mo stretchy="false">([|/])</mo>')


def markup(latex: str, display: bool) -> str:
    r"""One formula as a `math` element.

    >>> markup(r"\psi = n/d", display=False)[:5]
    '<math'
    """
    try:
        made = latex2mathml.tex2mathml(latex, as_block=display)
    except MathError as error:
        raise ExtensionError(f"no MathML can be made of '{latex}': {error}") from None
    return CLOSE.sub(r'<mo stretchy="false" lspace="0.06em" rspace="0.06em">\1\2</mo>', made)


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(f'<span class="formula">{markup(node.astext(), display=False)}</span>')
    raise nodes.SkipNode


def _displayed(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="formula">{markup(node.astext(), display=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer under the name `mathml`."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_displayed, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
