"""The formulas of the claims on labels: x ~ N(0, I), z = <v, x>, alpha = n/d."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

FORMULAS = {
    "threshold": Formula(
        r"""
        \langle v, v_1\rangle^2 \to \frac{\psi'(l)}{\psi'(l) - \phi'(l)}, \quad \lambda_1 \to \psi(l) \quad
        \mathrm{at}\ \psi(l) = \phi(l) \\
        \psi(l) = l \left(\frac{1}{\alpha} + \mathbb{E}\frac{T}{l - T}\right), \qquad
        \phi(l) = l\ \mathbb{E}\frac{T z^2}{l - T}, \qquad \mathrm{edge} = \min_l \psi(l) \\
        T(y) = 1 - \frac{1}{\mathbb{E}[z^2 | y]}: \qquad
        \frac{1}{\alpha_c} = \mathbb{E}\left(\mathbb{E}[z^2 | y] - 1\right)^2
        """,
        r"$v_1$ and $\lambda_1$ are the top eigenpair of $\frac{1}{n}\sum_i T(y_i) x_i x_i^\top$, "
        r"$z = \langle v, x\rangle$, $\alpha = n/d$; if $\psi$ and $\phi$ do not meet beyond the minimum of $\psi$, "
        r"$\lambda_1$ is at the edge and $v_1$ tells nothing",
    ),
    "inverse-regression": Formula(
        r"""
        \langle v, \hat v\rangle^2 \to \frac{t - c/t}{1 + t}, \qquad
        s_1^2 \to \frac{(1 + t)(c + t)}{\alpha t}, \qquad t = (\alpha - c) \sum_h p_h \mathbb{E}[z | h]^2 \\
        \langle v, \hat v_{\mathrm{lin}}\rangle^2 \to \frac{c_1^2}{c_1^2 + \mathbb{E}y^2/\alpha}
        """,
        r"$p_h$ is the probability of slice $h$ of the labels, $c = (H - 1)/d$, $c_1 = \mathbb{E}[y z]$, "
        r"$\hat v_{\mathrm{lin}} \sim \sum_i y_i x_i$, $\alpha = n/d$",
    ),
    "multi-index": Formula(
        r"""
        L = \mathrm{Diag}(G(y_i)) \left(\frac{X X^\top}{d} - I\right), \qquad G(y) = \mathbb{E}[z z^\top - I | y] \\
        \lambda_1 \to \frac{\alpha}{\alpha_c}, \qquad R \to \sqrt{\frac{\alpha}{\alpha_c}}, \qquad
        \frac{1}{\alpha_c} = \max_{M \geq 0} \frac{|\mathbb{E}[G M G]|_F}{|M|_F} \\
        \frac{|P \hat w|^2}{|\hat w|^2} \to \frac{|M|_F^2}{|M|_F^2 + \mathrm{tr}\,Q}, \qquad
        \lambda_1^2 Q = \alpha \mathbb{E}[G Q G] + \alpha \mathbb{E}[G M (I + G) M G]
        """,
        r"$\lambda_1$ is the largest real eigenvalue of $L$, $R$ the radius of its bulk, $\hat w = X^\top g$ the "
        r"estimate that its vector $g$ gives and $P$ the projection on the directions of the target; $\alpha = n/d$",
    ),
    "gradient-outer-product": Formula(
        r"""
        \sum_k \frac{N_k \mu_k}{\mu_k + q} + \frac{\lambda}{q} = n, \qquad s_k = \frac{\mu_k}{\mu_k + q}, \qquad
        \mu_k = \frac{k!\,g_k}{d^k} \\
        \mathbb{E}\nabla f \nabla f^\top \approx b b^\top + 2 A^2, \quad
        b = s_1 \left(c_1 v + \sqrt{\frac{R}{n}}\,\xi\right), \quad
        A = s_2 \left(c_2 v v^\top + \sqrt{\frac{R}{n}}\,W\right)
        """,
        r"$f$ is the fit, $u_1$ and $\lambda_1$ the top eigenpair of $\mathbb{E}\nabla f \nabla f^\top$, $c_k$ the "
        r"coefficients of the target, $N_k$ the number of functions of degree $k$, $R$ its noise and $W$ a Gaussian "
        r"symmetric matrix; $n = d^\kappa$",
    ),
}
