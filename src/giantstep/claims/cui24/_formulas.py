"""The formulas of [cui24], with the corrected law of the rows."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

FORMULAS = {
    "giant-step-limit": Formula(
        r"""
        \mathcal{R} \to \mathbb{E}_k\left[C^2 - 2 C h - 2 u_1 \psi h_1 + \mathbb{E}f_k^2 + u_1^2 q_1 + u_2 q_2\right],
        \qquad C = m u_0 + \theta_1 k u_1 + \theta_2\, \mathbb{E}_z[z \sigma'(r k + \sqrt{c} z)] \\
        (\theta_1, \theta_2, \psi) = \frac{n}{d} V_2 \Gamma F, \qquad \mathbb{E}_k[g\, u_0 (h - C)] = 0, \qquad
        g = \frac{1}{1 + u_1^2 V_1 + u_2 V_2} \\
        r = \eta \mu_1 L, \qquad L^2 = t_1^2 + t_2/\alpha_0, \qquad
        c = 1 + \eta^2 t_2 \mathrm{Var}(\sigma')/\alpha_0
        """,
        r"$u_0, u_1, u_2$ are mean, slope and rest of $\sigma(rk + \sqrt{c} z)$ given $k = \langle v, x\rangle$, $h$ "
        r"and $h_1$ mean and slope of the target $f_k$ given $k$, $F$ the forces on the three modes, and $\Gamma$ the "
        r"covariance of the neurons' overlap with $v$, length and overlap with the rest of the target's direction; "
        r"as published, $\theta_2 = 0$",
    ),
}
