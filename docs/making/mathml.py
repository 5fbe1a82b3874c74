"""Mathematics as MathML, made while the site is built: a page needs no script and no other host for it."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from giantstep.errors import InputError
from giantstep.figures import formula_mathml


def markup(latex: str, display: bool) -> str:
    r"""One formula as a `math` element.

    >>> markup(r"\psi = n/d", display=False)[:5]
    '<math'
    """
    try:
        return formula_mathml(latex, display=display)
    except InputError as error:
        raise ExtensionError(str(error)) from None


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
