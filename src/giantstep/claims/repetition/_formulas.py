"""The formulas of samples that are used twice, for one neuron on the sphere and the correlation loss."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

STEP = r"\psi_\rho(y, h) = y\ \sigma'(h + \rho\ y\ \sigma'(h))"
COEFFICIENT = r"\mu_i = E[\psi_\rho(f^*(z), h)\ He_i(z)\ He_{i-1}(h)]"

FORMULAS = {
    "reuse": Formula(
        rf"""
        {STEP}, \qquad {COEFFICIENT} \\
        \frac{{dm}}{{dt}} = \eta\ (1 - m^2) \sum_i \mu_i\ \frac{{m^{{i-1}}}}{{(i-1)!}}
        - \frac{{\eta^2}}{{2}}\ m\ E[\psi_\rho^2] \\
        n/d \sim 1 \quad (\mu_1 \neq 0), \qquad n/d \sim d^{{\ell - 2}} \quad (\rho = 0,\ \ell > 2)
        """,
        r"$m = \langle w, x_1\rangle$ after $n = t d$ samples, $z$ and $h$ are independent, and $\ell$ is the "
        r"information exponent of $f^*$",
    ),
    "look-ahead": Formula(
        rf"""
        {STEP}, \qquad {COEFFICIENT} \\
        v(m) = \eta\ (1 - m^2) \sum_i \mu_i\ \frac{{m^{{i-1}}}}{{(i-1)!}}
        - \frac{{\eta^2}}{{2}}\ m\ E[\psi_\rho^2] \\
        \rho_c = \min\{{\rho:\ \int_0^{{1/2}} \frac{{dm}}{{|v(s m)|}} \leq n_{{\max}}/d\}},
        \qquad s = \mu_1/|\mu_1|
        """,
        r"$v$ is the speed of $m = \langle w, x_1\rangle$, not 0 on the way; from $\rho_c$ on all neurons "
        r"arrive within $n_{\max}$ samples as $d$ grows, and below none",
    ),
    "batch-size": Formula(
        r"""
        \frac{dm}{dt} = \frac{d}{B}\left(\frac{m + k\ E[c z]}{N} - m\right), \qquad k = \frac{\gamma B}{d},
        \qquad T = \frac{n}{B} \\
        N^2 = (1 + k\ E[c h])^2 + k^2\ \frac{(E[c z] - m E[c h])^2}{1 - m^2} + \frac{\gamma^2 B}{d}\ E[c^2] \\
        c = y\ \sigma'(h) \quad \mathrm{or} \quad c = (y - \sigma(h))\ \sigma'(h), \qquad
        \gamma = \eta\ d^{1 - \ell/2}
        """,
        r"$m = \langle w, x_1\rangle$ after $n = t d$ samples, $h = \langle w, x\rangle$, and $\ell$ is the "
        r"information exponent of $f^*$; with the squared loss $\gamma \leq \eta d/B$",
    ),
}
