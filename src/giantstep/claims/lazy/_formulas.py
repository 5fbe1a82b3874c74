"""The formulas of the claims about lazy training, for the loss (1/2) |f - y|^2."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

FORMULAS = {
    "least-squares": Formula(
        r"""
        \theta_\infty = \theta_0 + X^{+} (y - X\theta_0), \qquad |\theta_\infty - \theta_0|^2 = \sum_i c_i^2 \\
        \sum_t |\theta_{t+1} - \theta_t| = \sum_t \left(\sum_i h_i^2 (1 - h_i)^{2t} c_i^2\right)^{1/2},
        \qquad h_i = \eta s_i^2, \quad c_i = u_i^\top (y - X\theta_0)/s_i \\
        T \leq \frac{\ln 10^{-8}}{\ln \max_i |1 - h_i|}
        """,
        "$X$ has the singular values $s_i$ and left singular vectors $u_i$, and after $T$ steps the residual is "
        "$10^{-8}$ of its first value",
    ),
    "linearisation": Formula(
        r"""
        |\theta_T - \theta_0|^2 \to a^\top K_0 a, \qquad a = K_0^{-1} (1 - e^{-K_0 T})\ y \qquad (\alpha \to \infty) \\
        \frac{|\theta_T - \theta_0|}{|\theta_0|} \sim \alpha^{-2} \quad (\alpha \to \infty),
        \qquad \frac{|\theta_T - \theta_0|}{|\theta_0|} \to \frac{\sqrt{k}}{\alpha} \quad (\alpha \to 0)
        """,
        "$K_0$ is the tangent kernel of the start on the samples, the output at the start is subtracted, and $k$ is "
        "the number of the teacher's neurons",
    ),
    "neurons": Formula(
        r"""
        \sum_l |v_l| |w_l| \to k \quad (\alpha \to 0),
        \qquad \sum_l |v_l| |w_l| \to \alpha^2/\sqrt{2} \quad (\alpha \to \infty) \\
        \mathrm{share\ within}\ 15^\circ \to 1 \quad (\alpha \to 0),
        \qquad \to k \cdot 15/360 \quad (\alpha \to \infty)
        """,
        "$k$ is the number of the teacher's neurons, and the share is that of the mass $|v_l| |w_l|$ near one of "
        "them of the same sign",
    ),
}
