r"""Mathematics as people type it, set as mathematics: `d^(1 - alpha)`, `sqrt(N)`, `|W_1|^2 <= mu1`.

Docstrings and help are plain text, so that they read well in a terminal. Pages and pictures show the same words with
Greek letters, raised and lowered parts and proper signs. Code between backticks and LaTeX between dollars stay.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

_SMALL = "alpha beta gamma delta epsilon eps eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
_LARGE = "Gamma Delta Theta Lambda Sigma Phi Psi Omega"
GREEK = dict(zip(f"{_SMALL} {_LARGE}".split(), "αβγδεεηθκλμνξπρστφχψωΓΔΘΛΣΦΨΩ", strict=True))
WORDS = {"sum": "∑", "grad": "∇"}
SIGNS = {">~": "≳", "<=": "≤", ">=": "≥", "!=": "≠", "<-": "←", "->": "→", ">>": "≫", "<<": "≪", "+-": "±"}
IN_TEX = {"≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "←": r"\leftarrow", "→": r"\rightarrow", "≫": r"\gg", "≪": r"\ll"}
IN_TEX |= {
    "±": r"\pm",
    "∼": r"\sim",
    "·": r"\cdot",
    "⟨": r"\langle",
    "⟩": r"\rangle",
    "Σ": r"\Sigma",
    "∑": r"\sum",
    "∇": r"\nabla",
    "≳": r"\gtrsim",
}

_KEPT = re.compile(r"(`[^`]*`|\$[^$]*\$)")
_NAMES = "|".join(sorted(GREEK, key=len, reverse=True))
_INNER = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"  # what may stand between brackets, themselves included twice
_RAISED = (
    rf"-?\({_INNER}\)|-?\d+(?:\.\d+)?(?:[a-z]\b)?|-?(?:{_NAMES})\d?\b|"
    r"[a-z]+(?:_[a-z]+)+\b|-?[A-Za-z](?:_\w+)?(?![A-Za-z])|[+*]"
)
# A term: a letter, a Greek one, He or a closing bracket, with what hangs on it: lowered, primed or starred, raised.
_TERM = re.compile(
    rf"(?:(?<![A-Za-z_\\])(?P<greek>{_NAMES})(?![A-Za-z])|(?<![A-Za-z0-9_\\])(?P<sign>sum|grad)(?=[_^])|"
    rf"(?:(?<![A-Za-z0-9_\\])|(?<=\d)(?=x\d))(?P<letter>He|[a-z]{{2,}}(?=\^)|[A-Z]{{2}}(?=')|[A-Za-z]\u0303?)|"
    r"(?P<end>[)|\]}])|(?<![\w.])(?P<digits>\d+(?:\.\d+)?(?=\^)))"
    r"(?P<star>\*(?![A-Za-z0-9*(]))?(?:(?P<index>\d{1,2})(?!\w|\.\d)|_(?P<low>\{[^{}]*\}|\*|[A-Za-z0-9]+(?![A-Za-z0-9_])))?"
    r"(?P<prime>'{1,3}(?!(?:s|t|re|ll|ve)\b))?(?P<late_star>\*(?![A-Za-z0-9*(]))?"
    rf"(?:\^(?P<high>\{{[^{{}}]*\}}|{_RAISED}))?"
)
_ROOT = re.compile(rf"\bsqrt\((?P<inside>{_INNER})\)")
_PRODUCT = re.compile(rf"<(?P<inside>(?! )[^<>=]{{1,24}}, ?[^<>=]{{1,24}}(?<! ))>(?:\^(?P<high>{_RAISED}))?")
_SIGN = re.compile("|".join(map(re.escape, SIGNS)))
_MINUS = re.compile(r"(?<= )-(?= )|(?<![\w)\]}|'+^-])-(?=\d)|(?<== )-(?=[(A-Za-z])|(?<=[(/][a-z])-(?=\d\b)")  # (k-1)
_DIFFERENCE = re.compile(r"(?<=[a-z]\d)-(?=\d?[a-z]\d)")  # x1-2x2
_QUOTED = re.compile(r"(?<![^\s(])'(?=\S)(.*?)(?<=\S)'(?=[\s,.;:)]|$)")
_TILDE = re.compile(r"(?<![a-z0-9_])([A-Z])~(?![a-z0-9])")
_DECIMAL = re.compile(r"(?<![\w.])(?P<digits>\d(?:\.\d+)?)e(?P<sign>[+-]?)0*(?P<power>\d+)\b")  # 1e-06
_BESIDE = re.compile(r"\$([A-Z]')\$([A-Z])\b")  # W'W
_IDENTIFIER = re.compile(  # names of ours: risk_kernel, bes22/tau-star
    r"(?<!\^)\b(?!(?:inf|min|max|sup|sum)_)[a-z]{3,}(?:_[a-z]{2,})+\b|\b[a-z_]{3,}\d*/[a-z]{2,}(?:-[a-z]+)+\b"
)
_GRAD = re.compile(r"\bgrad (?=f\b)")  # grad f
# A letter alone is mathematics, but for the articles a and A, I, the E of a mean, panels such as (b), and e.g.
_ALONE = re.compile(r"(?<![\w.'’‘∇\\^{}-])(?!(?<=\().\))[b-zB-DF-HJ-Z](?![\w'’^{}\u0303]|\.\w)|(?<=\()a(?=, )")
_SUM = re.compile(r"(?<=[)=] )sum(?= (?!of\b|over\b)[a-z(|<])")


@dataclass(frozen=True)
class Style:
    """How the parts of mathematics are written in one language.

    Args:
        plain: what is no mathematics.
        sign: a sign, such as a Greek letter or an operator.
        term: a base with its lower, primed and raised part, each of them set already and perhaps empty.
        root: the square root of what is set already.
        inside: what marks a part that stands within mathematics, in place of `plain`.
    """

    plain: Callable[[str], str]
    sign: Callable[[str], str]
    term: Callable[[str, str, str, str], str]
    root: Callable[[str], str]
    inside: Style | None = None


def as_html(text: str) -> str:
    """A plain `text` as HTML with its mathematics set, and what stands between backticks as code.

    >>> as_html("n ~ d^(1 - alpha) samples, |W_1|^2 <= `x1^2`")
    'n ∼ d<sup>1 − α</sup> samples, |W<sub>1</sub>|<sup>2</sup> ≤ <code>x1^2</code>'
    >>> as_html("N^step_exponent of bes22/tau-star")
    'N<sup>step exponent</sup> of <code>bes22/tau-star</code>'
    """

    def kept(part: str) -> str:
        return f"<code>{_escaped(part[1:-1])}</code>" if part.startswith("`") else _escaped(part)

    parts = _KEPT.split(text)
    parts[::2] = (_IDENTIFIER.sub(r"`\g<0>`", part) for part in parts[::2])
    return _by_parts("".join(parts), HTML, kept)


def as_mathtext(text: str) -> str:
    r"""The same for matplotlib, which sets what stands between dollars.

    >>> print(as_mathtext("theta >> d^(1 - 1/k), N = d^eps and $d^2$"))
    $\theta$ $\gg$ $d^{1 - 1/k}$, $N$ = $d^{\varepsilon}$ and $d^2$

    Args:
        text: words with mathematics as it is typed.
    """
    parts = _KEPT.split(_BESIDE.sub(r"$\1\2$", _by_parts(text, MATHTEXT, lambda kept: kept.strip("`"))))
    parts[::2] = (_ALONE.sub(r"$\g<0>$", part) for part in parts[::2])
    return "".join(parts)


def _by_parts(text: str, style: Style, kept: Callable[[str], str]) -> str:
    parts = _KEPT.split(text)
    return "".join(kept(part) if number % 2 else _set(_prepared(part), style) for number, part in enumerate(parts))


def _prepared(text: str) -> str:
    """The signs that only what is around them tells: quotes, a spaced minus, "(1/n) sum y_i", "n ~ d", "W~", 1e-6."""
    text = _TILDE.sub("\\1\u0303", _QUOTED.sub(r"‘\1’", _DECIMAL.sub(_power_of_ten, text)))
    text = _GRAD.sub("∇", text)
    return _SUM.sub("∑", _MINUS.sub("−", _DIFFERENCE.sub("−", text))).replace(" ~ ", " ∼ ").replace(" * ", " · ")


def _power_of_ten(found: re.Match[str]) -> str:
    power = f"10^({'-' if found['sign'] == '-' else ''}{found['power']})"
    return power if found["digits"] == "1" else f"{found['digits']}·{power}"


def _set(text: str, style: Style) -> str:
    """A text without code: its roots, products, terms and signs from the outside in."""
    for pattern, made in ((_ROOT, _root), (_PRODUCT, _product), (_TERM, _term)):
        for found in pattern.finditer(text):
            done = made(found, style)
            if done is not None:
                return _set(text[: found.start()], style) + done + _set(text[found.end() :], style)
    return _signs(text, style)


def _root(found: re.Match[str], style: Style) -> str:
    return style.root(_set(found["inside"], style.inside or style))


def _product(found: re.Match[str], style: Style) -> str:
    inside = style.sign("⟨") + _set(found["inside"], style)
    if not found["high"]:
        return inside + style.sign("⟩")
    within = style.inside or style
    return inside + style.term(within.sign("⟩"), "", "", _set(_bare(found["high"]), within))


def _term(found: re.Match[str], style: Style) -> str | None:
    """A term as mathematics; None for a letter alone, which may be a word."""
    low, high = found["index"] or found["low"] or "", (found["high"] or "")
    primes, star = len(found["prime"] or ""), found["star"] or found["late_star"] or ""
    hangs = low or high or primes or star
    if (not hangs and not found["greek"]) or (found["end"] and not high and not found["low"]):
        return None
    within = style.inside or style
    plain = found["letter"] or found["end"] or found["digits"]
    sign = GREEK.get(found["greek"] or "") or WORDS.get(found["sign"] or "")
    base = within.sign(sign) if sign else within.plain(plain)
    raised = ("∗" if star else "") + _bare(high)
    return style.term(base, _set(_bare(low), within), primes * "′", _set(raised, within))


def _bare(part: str) -> str:
    """What is lowered or raised, without the brackets that hold it together."""
    if part.startswith("{") or (part.startswith("(") and part.endswith(")")):
        return part[1:-1].replace("-", "−")
    return part.replace("_", " ").replace("-", "−")


def _signs(text: str, style: Style) -> str:
    out, here = [], 0
    for found in re.finditer(rf"{_SIGN.pattern}|[∼·∑∇]", text):
        out += [style.plain(text[here : found.start()]), style.sign(SIGNS.get(found[0], found[0]))]
        here = found.end()
    return "".join([*out, style.plain(text[here:])])


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)


def _html_term(base: str, low: str, prime: str, high: str) -> str:
    return base + (f"<sub>{low}</sub>" if low else "") + prime + (f"<sup>{high}</sup>" if high else "")


def _tex_term(base: str, low: str, prime: str, high: str) -> str:
    primed = "'" * len(prime)
    return base + (f"_{{{low}}}" if low else "") + primed + (f"^{{{high}}}" if high else "")


def _tex_sign(sign: str) -> str:
    names = {letter: name for name, letter in GREEK.items()} | {"ε": "varepsilon"}
    return f"\\{names[sign]}" if sign in names else IN_TEX.get(sign, sign)


def _tex_plain(text: str) -> str:
    known = re.sub(r"\b(ln|log|exp|min|max)\b", r"\\\1 ", re.sub(r"([%#&_])", r"\\\1", text))
    upright = re.sub(
        r"\b[a-z]{2,}(?: [a-z]{2,})+\b", lambda w: rf"\mathrm{{{w[0].replace(' ', chr(92) + ' ')}}}", known
    )
    marked = re.sub("([A-Z])\u0303", r"\\tilde{\1}", re.sub(r"\bHe\b", r"\\mathrm{He}", upright))
    return marked.replace("−", "-").replace("∗", "*")


def _tight(tex: str) -> str:
    """Without the spaces after names of signs that no letter follows."""
    return re.sub(r"(?<=[a-z]) (?=[^A-Za-z]|$)", "", tex)


HTML = Style(_escaped, str, _html_term, lambda inside: f"√{inside}" if len(inside) == 1 else f"√({inside})")
_TEX = Style(_tex_plain, lambda sign: _tex_sign(sign) + " ", _tex_term, lambda inside: rf"\sqrt{{{inside}}}")
MATHTEXT = Style(
    str,
    lambda sign: f"${_tex_sign(sign)}$",
    lambda *parts: f"${_tight(_tex_term(*parts))}$",
    lambda inside: rf"$\sqrt{{{_tight(inside)}}}$",
    _TEX,
)
