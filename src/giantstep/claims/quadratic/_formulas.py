"""The formulas of quadratic networks with weight decay, alpha = n/d^2."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

FIELD = r"S = \frac{1}{\hat m}\,[\sqrt{\hat q}\,G + \hat m S_* - 2\tilde\lambda]_+"

FORMULAS = {
    "width": Formula(
        rf"""
        {FIELD}, \qquad \mathrm{{rank}}\ S \leq r, \qquad \frac{{|S - S_*|^2}}{{d}} = 1 - 2m + q \\
        \hat m = \frac{{2\alpha}}{{s + 1/4}}, \qquad \hat q = \frac{{2\alpha\,(1 - 2m + q + \Delta/2)}}{{(s + 1/4)^2}},
        \qquad \mathrm{{mse}} = \frac{{2(1 - 2m + q) + \Delta}}{{(1 + 4s)^2}} \\
        m = \frac{{\mathrm{{tr}}\,S S_*}}{{d}}, \quad q = \frac{{\mathrm{{tr}}\,S^2}}{{d}}, \quad
        s = \frac{{1}}{{d^2}} \sum_{{i,j}} \frac{{s_i - s_j}}{{e_i - e_j}}
        """,
        r"$G$ is a Gaussian matrix with the semicircle on $[-2, 2]$, $[\cdot]_+$ keeps the $r$ largest positive "
        r"eigenvalues $s_i$ of $S$, $e_i$ are those of $\sqrt{\hat q} G + \hat m S_*$, $\alpha = n/d^2$",
    ),
    "scaling": Formula(
        r"""
        \frac{|S - S_*|^2}{d} \sim K^{1 - 2\gamma}, \qquad
        \lambda_K = \max\left(\frac{\tilde\lambda d^2}{4 n},\ d \sqrt{\frac{\Delta}{n}}\right), \qquad
        \lambda_k \sim \sqrt{d}\ k^{-\gamma} \\
        \tilde\lambda\ \mathrm{fixed}:\ n^{-(2 - 1/\gamma)}, \qquad
        \tilde\lambda = \frac{4 c}{d} \sqrt{\Delta n}:\ n^{-(1 - 1/(2\gamma))}
        """,
        r"$\lambda_k$ are the eigenvalues of the truth $S_*$, $K$ of them are learned",
    ),
}
