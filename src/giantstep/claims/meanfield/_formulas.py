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
}
