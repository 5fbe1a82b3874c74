"""Mathematics as it is typed, set for pages and pictures; words and code stay words and code."""

from __future__ import annotations

import pytest

from giantstep.claims import claim_class, claim_names, statement
from giantstep.figures import as_html, as_mathtext
from giantstep.figures.text import typeset


@pytest.mark.parametrize(
    ("typed", "page", "picture"),
    [
        ("d^(1 - 1/k)", "d<sup>1 − 1/k</sup>", r"$d^{1 - 1/k}$"),
        ("(y - f)^2/2", "(y − f)<sup>2</sup>/2", "($y$ − $f$$)^{2}$/2"),
        ("mu1^2 W'W", "μ<sub>1</sub><sup>2</sup> W′W", r"$\mu_{1}^{2}$ $W'W$"),
        ("1/(k-1), c = -(k-2)/2", "1/(k−1), c = −(k−2)/2", r"1/($k$−1), $c$ = −($k$−2)/2"),
        ("eta = N^step_exponent", "η = N<sup>step exponent</sup>", r"$\eta$ = $N^{\mathrm{step\ exponent}}$"),
        ("8x1+4x2", "8x<sub>1</sub>+4x<sub>2</sub>", "8$x_{1}$+4$x_{2}$"),
        ("1e6 to 2.5e-05", "10<sup>6</sup> to 2.5·10<sup>−5</sup>", r"$10^{6}$ to 2.5$\cdot$$10^{-5}$"),
        ("sqrt(N), sqrt(d/n)", "√N, √(d/n)", r"$\sqrt{N}$, $\sqrt{d/n}$"),
        ("<w_i, x>^2 >= 0", "⟨w<sub>i</sub>, x⟩<sup>2</sup> ≥ 0", r"$\langle$$w_{i}$, $x$$\rangle^{2}$ $\geq$ 0"),
        ("|P_{>1} f*|^2", "|P<sub>&gt;1</sub> f<sup>∗</sup>|<sup>2</sup>", r"|$P_{>1}$ $f^{*}$$|^{2}$"),
        ("n ~ d^-0.5, a = +-1", "n ∼ d<sup>−0.5</sup>, a = ±1", r"$n$ $\sim$ $d^{-0.5}$, a = $\pm$1"),
        ("(1/n) sum y_i x_i", "(1/n) ∑ y<sub>i</sub> x<sub>i</sub>", r"(1/$n$) $\sum$ $y_{i}$ $x_{i}$"),
        ("W~W~' - Z~^T", "W̃W̃′ − Z̃<sup>T</sup>", r"W̃$\tilde{W}'$ − $\tilde{Z}^{T}$"),
        ("E grad f grad f^T", "E ∇f ∇f<sup>T</sup>", r"E $\nabla$$f$ $\nabla$$f^{T}$"),
        ("n ~ d, p = 4 d", "n ∼ d, p = 4 d", r"$n$ $\sim$ $d$, $p$ = 4 $d$"),
        ("min(a, b) of k-parities (b)", "min(a, b) of k-parities (b)", r"min($a$, $b$) of $k$-parities (b)"),
        ("He3 and 10^12", "He<sub>3</sub> and 10<sup>12</sup>", r"$\mathrm{He}_{3}$ and $10^{12}$"),
    ],
)
def test_what_is_typed_is_set(typed: str, page: str, picture: str) -> None:
    assert as_html(typed) == page
    assert as_mathtext(typed) == picture


@pytest.mark.parametrize(
    "words",
    ["a neuron's way, one-pass SGD", "the sum of steps", "Algorithm 1, e.g. 3-5 seeds", "2-layer, I, (pre-1)"],
)
def test_words_stay_words(words: str) -> None:
    assert as_html(words) == words
    assert as_mathtext(words) == words


def test_code_is_code_and_signs_of_html_are_text() -> None:
    assert as_html("`x1^2 <b>`, <b>") == "<code>x1^2 &lt;b&gt;</code>, &lt;b&gt;"
    assert as_html("$<b>$") == "$&lt;b&gt;$"
    assert as_html("slide 'learn a', then b'") == "slide ‘learn a’, then b′"


@pytest.mark.slow
def test_matplotlib_can_set_what_every_claim_says() -> None:
    for cls in map(claim_class, claim_names()):
        for words in (statement(cls), cls.convention, *(view.title for view in cls.views)):
            assert r"\$" not in typeset(as_mathtext(words)), words
