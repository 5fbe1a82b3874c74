"""The formulas of [dls22], for gradients of ReLU neurons with |w| = 1 at the start f = 0."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

ALIGNMENT = (
    r"\mathbb{E}_z \frac{Q}{Q + B}, \qquad Q = \sum_i h_i^2 z_i^2, \qquad "
    r"B = \frac{\pi}{2}\ \frac{d^2}{n}\ \mathbb{E}y^2"
)
HESSIAN = (
    r"$H = \mathbb{E} \nabla^2 f^*$ has the eigenvalues $h_i$, $z_i \sim N(0, 1)$ (without pre-processing $B$ doubles)"
)
HARMONICS = (
    "$E_l$ is the energy of the target in spherical harmonics of degree $l$, of which there are $n_l$, and "
    r"$t_l \leq n_l$"
)

FORMULAS = {
    "csq-bound": Formula(
        r"""
        f_u(x) = He_p(u \cdot x)/\sqrt{p!}, \qquad \mathbb{E} f_u f_v = (u \cdot v)^p,
        \qquad \max |u \cdot v| \leq \epsilon = \sqrt{4 \ln M/d} \\
        |\lbrace u: |\mathbb{E} f_u h| \geq \tau \rbrace| \leq \frac{1}{\tau^2 - \epsilon^p} \\
        n \sim \frac{1}{\tau^2},
        \qquad \tau^2 = \left(\frac{4}{d} \ln\left(2 q (d/4)^{p/2}\right)\right)^{p/2} +
        \left(\frac{4}{d}\right)^{p/2}
        """,
        r"$u, v$ are random unit vectors, $M$ of them, $h$ is a query with $\mathbb{E}h^2 = 1$, answered up to "
        r"$\tau$, and the last line is the bound for $q$ queries: $n \sim d^{p/2}$ up to logarithms",
    ),
    "expected-gradient": Formula(
        rf"""
        \mathbb{{E}}g = \frac{{H w}}{{\sqrt{{2\pi}}}} + O(1/d),
        \qquad |\mathbb{{E}}g - H w/\sqrt{{2\pi}}|/|\mathbb{{E}}g| \sim d^{{-1/2}} \\
        |P w|^2/|w|^2 \to {ALIGNMENT}
        """,
        HESSIAN,
    ),
    "gradient-concentration": Formula(
        r"""
        \delta = \left(\frac{\mathbb{E}|G_n - \mathbb{E}G|^2}{\mathbb{E}f^{*2}}\right)^{1/2} =
        \sqrt{\frac{P d}{n}}\ \left(1 + O(r/d)\right),
        \qquad P = \Phi(b)
        """,
        r"$G_n = \frac{1}{n} \sum_i f^*(x_i) x_i 1_{\langle w, x_i\rangle + b \geq 0}$ has the mean "
        r"$\mathbb{E}G$, $\Phi$ is the normal distribution function, and $r$ counts the target's directions",
    ),
    "learning-curve": Formula(
        rf"""
        |P_{{V^*}} w|^2/|w|^2 \to {ALIGNMENT} \\
        \min(\mathcal{{R}}_{{NT}}, \mathcal{{R}}_K, \mathcal{{R}}_{{RF}}) \geq \Vert f^*\Vert^2 - \max_{{t_l}}
        \sum_l E_l t_l/n_l \geq \mathcal{{R}}_{{NN}},
        \qquad \sum_l t_l \leq n
        """,
        rf"{HESSIAN}; {HARMONICS}. For $d^2 \ll n \ll d^3$ the middle is $\Vert P_{{>2}}f^*\Vert^2$, and the last "
        "inequality holds where features are learned",
    ),
    "transfer": Formula(
        r"""
        \mathcal{R}_T - \inf \sim 1/N \quad \mathrm{at\ the\ same}\ N\ \mathrm{for\ every}\ d \\
        \mathcal{R}_{RF} \geq \Vert f_T\Vert^2 - \max_{t_l} \sum_l E_l t_l/n_l, \qquad \sum_l t_l \leq \min(N, m)
        """,
        rf"$\inf$ is the risk of the best head on the learned features; {HARMONICS}",
    ),
    "many-directions": Formula(
        r"""
        \mathbb{E}_z \frac{z^2}{z^2 + A}, \qquad A = \frac{\pi}{2}\ \frac{d^2 r \kappa^2}{n}\ \mathbb{E}y^2,
        \qquad \kappa = \Vert H^+\Vert/\sqrt{r}
        """,
        r"the limit of $g_r^2/(g_r^2 + |g_\perp|^2)$, the weakest direction beside all outside the target's space; "
        r"$z \sim N(0, 1)$, and $\mathbb{E}y^2$ includes the noise",
    ),
    "head-size": Formula(
        r"""
        \lambda m = v (m - T_1), \qquad |a^*|^2 = \frac{1}{m - T_2} \sum_i \frac{\beta_i^2 s_i}{(s_i + v)^2},
        \qquad T_k = \sum_i \frac{s_i^k}{(s_i + v)^k} \\
        \mathcal{R}_\infty = v \sum_i \frac{\beta_i^2}{s_i + v} - \lambda m |a^*|^2
        """,
        r"$s_i$ are the eigenvalues of the kernel of infinitely many features in $r$ dimensions, $\beta_i$ the "
        "target's components",
    ),
    "assumptions": Formula(
        rf"""
        |P_{{V^*}} w|^2/|w|^2 \to {ALIGNMENT} \\
        \mathcal{{R}}_{{NN}} < \Vert f^*\Vert^2 - \max_{{t_l}} \sum_l E_l t_l/n_l, \qquad \sum_l t_l \leq n
        """,
        rf"{HESSIAN}, $\mathbb{{E}}y^2$ includes the noise; {HARMONICS}. For $H = 0$ the risk is above the right side "
        "with $m$ for $n$",
    ),
}
