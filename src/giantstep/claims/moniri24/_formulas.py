"""The formulas of [moniri24]."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

FORMULAS = {
    "polynomial-spikes": Formula(
        r"""
        \sigma(\tilde X W_1^\top) \approx \sigma(\tilde X W_0^\top) + \sum_{k \leq \ell} c_k (c_1 \eta)^k
        (\tilde X \beta)^{\circ k} (a^{\circ k})^\top, \qquad
        \frac{\ell - 1}{2 \ell} < \alpha < \frac{\ell}{2 \ell + 2} \\
        P_k \to \sum_{j \leq \ell} \alpha_j \langle \phi_j, u^k\rangle^2 / \mathbb{E} u^{2k}, \qquad
        \mathbb{E}_z \sigma(\kappa u + z) = \sum_j s_j \psi_j(\kappa) \phi_j(u) \\
        \alpha_j = -\frac{[1/(\gamma L) + (1 - 1/\gamma)/z]\, z'(x)}{n s_j^2 D'(x)}, \qquad D(x) = \frac{1}{n s_j^2}
        """,
        r"$\eta = c\, n^\alpha$, $c_k = \mathbb{E}[\sigma He_k]/k!$, $\beta = X^\top y/n$, $P_k$ is the squared length "
        r"of $(\tilde X\beta)^{\circ k}$ in the span of the first $\ell$ left singular vectors, and $z(x)$, $L$, $D$ "
        r"describe the bulk, a conjugate kernel with $\gamma = n/N$",
    ),
}
