"""The formulas of mean-field Langevin dynamics, for f the mean of the neurons."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

FORMULAS = {
    "parity": Formula(
        r"""
        y = \prod_{i \leq k} \mathrm{sign}(x_i), \qquad |x_i| = d^{(\alpha - 1)/2} \quad (i \leq k),
        \qquad |x_i| = d^{-1/2} \quad (i > k) \\
        n \sim d^{1 - \alpha} \quad \mathrm{samples\ are\ enough,\ whatever}\ k
        """,
        r"the $k$ signs of the parity are stretched by $d^{\alpha/2}$; neurons and steps may be exponentially many",
    ),
    "particles": Formula(
        r"""
        \partial_t \mu = (\mu V')' + \lambda \mu'',
        \qquad V(w) = \frac{1}{n} \sum_k (f(x_k) - y_k)\ \sigma(w x_k) + \frac{r}{2} w^2 \\
        N\ E|f_N - f|^2 \to \frac{1}{n} \sum_k
        \left(\mathrm{Var}_{\mu_0} \varphi_k + 2\lambda \int_0^t \langle \mu_s, \varphi_k'^2\rangle ds\right) \\
        \lambda\ \mathrm{KL}(\mu_t|\mu^*) \leq F_\lambda(\mu_t) - F_\lambda(\mu^*) \leq
        \lambda\ \mathrm{KL}(\mu_t|\mathrm{Gibbs}(\mu_t))
        """,
        r"$F_\lambda = \frac{1}{2n} \sum_k (f(x_k) - y_k)^2 + \frac{r}{2} E_\mu w^2 + \lambda \int \mu \ln "
        r"\mu$ has the minimum $\mu^*$, $\mathrm{Gibbs}(\mu) \propto e^{-V/\lambda}$, and $\varphi_k$ solves the "
        r"linearised equation backwards from $\sigma(w x_k)$ at time $t$",
    ),
    "parity-samples": Formula(
        r"""
        y = \prod_{i \leq k} \mathrm{sign}(z_i), \qquad x = A z, \qquad
        d_\mathrm{eff} = \frac{d}{k}\ |A^{-T} 1_k|^2 = d^{1 - \alpha} \\
        n = a + b\ d_\mathrm{eff} \quad \mathrm{samples\ are\ enough}
        """,
        r"$A$ stretches $k$ axes by $d^{\alpha/2}$ and may rotate them, $1_k$ has a one for each sign of the parity, "
        r"and "
        r"$a$ and $b$ depend on $k$ alone",
    ),
    "parity-gradient": Formula(
        r"""
        E g_i^2 = E_z\left[z_1 \cdots z_{k-1}\ K(\bar z)\right] \approx (k-1)!\ b_{k-1}^2\ d^{-(k-1)}, \qquad
        n = \frac{E s'^2}{E g_i^2} \sim d^{k-1} \\
        E|g|^2 \leq \frac{d\ E s'^2}{\binom{d}{k}}
        """,
        r"$g$ is the expected gradient of a random neuron, $z$ are uniform signs with mean $\bar z$, and $K(r) = "
        r"\sum_j b_j^2 "
        r"r^j$ is the dual kernel of $s'$",
    ),
    "log-sobolev": Formula(
        r"""
        V(w) = \frac{r}{2} w^2 + A\ e^{-w^2/2}, \qquad \Delta V = A - r - r \ln\frac{A}{r} \\
        r\ e^{-A/\lambda} \leq \lambda \alpha \leq \mathrm{gap} \approx
        \frac{1}{\pi} \sqrt{V''(w_0) |V''(0)|}\ e^{-\Delta V/\lambda}
        """,
        r"$\alpha$ is the log-Sobolev constant of $e^{-V/\lambda}$, $\mathrm{gap}$ the rate at which the dynamics "
        r"forgets its "
        r"side, and $w_0$ a well",
    ),
}
