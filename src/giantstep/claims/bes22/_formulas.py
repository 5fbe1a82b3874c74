"""The formulas of [bes22], in the convention of its slides: W1 = W0 + eta sqrt(N) G0 without the factor 2."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

LABELS = r"$\mathbb{E}y^2 = \Vert f^*\Vert^2 + \sigma_\varepsilon^2$"
MOMENTS = rf"$\mu_1 = \mathbb{{E}} z\sigma(z)$, $\mu_1^* = |\mathbb{{E}} x f^*|$, {LABELS}"
STEP = r"$\theta_1 = |\mu_1| \eta \sqrt{\mathbb{E}y^2/\psi_1 + \mu_1^{*2}}$, $\theta_2 = |\mu_1| \mu_1^* \eta$"
MU2 = r"$\mu_2^2 = \mathrm{Var}\ \sigma - \mu_1^2$"

FORMULAS = {
    "weight-spike": Formula(
        r"""
        s_1 \to \sqrt{(1 + \theta_1^2)(\psi_2 + \theta_1^2)/\theta_1^2} \quad \mathrm{for}\ \theta_1 > \psi_2^{1/4} \\
        \langle u_1, \beta_*\rangle^2 \to \frac{\theta_2^2}{\theta_1^2}
        \left(1 - \frac{\psi_2 + \theta_1^2}{\theta_1^2 (1 + \theta_1^2)}\right) \\
        \langle v_1, a/|a|\rangle^2 \to 1 - \frac{\psi_2 (1 + \theta_1^2)}{\theta_1^2 (\psi_2 + \theta_1^2)}
        """,
        rf"{STEP}, with {MOMENTS}; below the threshold $s_1 \to 1 + \sqrt{{\psi_2}}$, and both overlaps vanish",
    ),
    "rank-one-gradient": Formula(
        r"""
        \sqrt{N}\ \Vert G_0\Vert \to |\mu_1| \sqrt{\mathbb{E}y^2/\psi_1 + \mu_1^{*2}},
        \qquad \Vert G_0 - A\Vert/\Vert G_0\Vert = O(N^{-1/2}) \\
        \frac{\Vert G_0 - A\Vert_F}{\Vert A\Vert_F} \to
        \frac{\sqrt{\mathrm{Var}(\sigma')\ \mathbb{E}y^2/\psi_1 + (\mathbb{E}f^*\ \mathbb{E}\sigma'')^2}}
        {|\mu_1| \sqrt{\mathbb{E}y^2/\psi_1 + \mu_1^{*2}}}
        """,
        rf"$A = \mu_1 X^\top y\ a^\top/(n\sqrt{{N}})$ is the part of rank one, {MOMENTS}",
    ),
    "step-size-regimes": Formula(
        r"""
        \frac{\Vert W_1 - W_0\Vert}{\Vert W_0\Vert} \approx \frac{\theta_1}{1 + \sqrt{\psi_2}} \sim N^\alpha,
        \qquad \frac{\Vert W_1 - W_0\Vert_F}{\Vert W_0\Vert_F} \approx \theta_1 \sqrt{\frac{1 + q^2}{N}} \sim
        N^{\alpha - 1/2} \\
        |\phi_1 - \phi_0|/|\phi_0| \sim N^{\alpha - 1/2} \quad \mathrm{while\ small}
        """,
        r"$\eta = c N^\alpha$, $\theta_1 = |\mu_1| \eta \sqrt{\mathbb{E}y^2/\psi_1 + \mu_1^{*2}}$, and $q$ is "
        r"the limit of $\Vert G_0 - A\Vert_F/\Vert A\Vert_F$, the rest of the gradient over its part of rank one",
    ),
    "expected-kernel": Formula(
        r"""
        \Sigma = \mathbb{E}_x\ \sigma(W_1^\top x)\ \sigma(W_1^\top x)^\top,
        \qquad \bar\Sigma = \mu_1^2 W_1^\top W_1 + \mu_2^2 I \\
        \Vert \Sigma - \bar\Sigma\Vert \to \frac{\psi_2}{2} (\mathbb{E}\sigma'')^2 + (\mathbb{E}\sigma'')^4
        (\eta\ \mathbb{E}f^*)^2 \\
        \lambda_1(\Sigma) \to \mu_1^2 s_1^2 + \mu_2^2 \quad \mathrm{for\ odd}\ \sigma
        """,
        rf"$\mathbb{{E}}\sigma = 0$, $\mu_1 = \mathbb{{E}} z\sigma(z)$, {MU2}, and $s_1$ is the largest singular "
        r"value of $W_1$; for odd $\sigma$ the distance vanishes like $d^{-1/2}$",
    ),
    "kernel-spike": Formula(
        r"""
        \lambda_1 \to z(\theta_1^2) \quad \mathrm{for}\ \theta_1 > \theta_c, \qquad z(x) = L(x) F(x),
        \qquad \theta_c^2 = \arg\min_{x > 0} z(x) \\
        L(x) = \mu_1^2 \left(1 + \frac{\psi_1}{\psi_2} x\right)\left(1 + \frac{\psi_2}{x}\right) + \mu_2^2,
        \qquad F(x) = 1 + \frac{1}{x} + \frac{\mu_2^2}{\mu_1^2 (x + \psi_2)} \\
        \langle u_1, y/|y|\rangle^2 \to
        \frac{\psi_2}{\psi_1}\ \frac{\mu_1^{*2}\ \theta_2^2}{\mu_1^2\ \theta_1^2\ \mathbb{E}y^2}
        \ \frac{z'(\theta_1^2)}{F(\theta_1^2)}
        """,
        rf"{STEP}, {MOMENTS}, {MU2}; for odd $\sigma$, and below $\theta_c$ the largest eigenvalue is the edge "
        r"$z(\theta_c^2)$",
    ),
    "gaussian-equivalence": Formula(
        r"""
        \sigma(W_t^\top x) \simeq \mu_1 W_t^\top x + v + \mu_2 z,
        \qquad v_j = \mathbb{E}\sigma + \frac{1}{2} (\mathbb{E}\sigma'') (|w_j|^2 - 1) \\
        \mathcal{R}_{CK}/\mathcal{R}_{GE} \to 1 \quad \mathrm{for}\ \alpha = 0,
        \qquad 1 - \mathcal{R}_{CK}/\mathcal{R}_{GE} \sim N (\eta^2/N)^\ell \quad \mathrm{for}\ 0 < \alpha <
        \frac{\ell - 1}{2\ell}
        """,
        rf"$z$ is Gaussian noise, $\mu_1 = \mathbb{{E}} z\sigma(z)$, {MU2}, $\eta = c N^\alpha$, and $\ell$ is the "
        r"lowest degree above one that $\sigma$ and $f^*$ share",
    ),
    "kernel-lower-bound": Formula(
        r"""
        \mathcal{R} + \sigma_\varepsilon^2 =
        \frac{(\mathbb{E}f^*)^2 \left(\frac{k}{k + s}\right)^2 + \mu_1^{*2} \left(\frac{k}{1 + k}\right)^2
        + \Vert P_{>1}f^*\Vert^2 + \sigma_\varepsilon^2}{1 - 1/(\psi_1 (1 + k)^2)},
        \qquad 1 - \frac{l}{k} = \frac{1}{\psi_1 (1 + k)} \\
        l_{NT} = \frac{\mathrm{Var}\ \sigma' + \lambda\psi_1/\psi_2}{\mu_1^2 \psi_1},
        \qquad l_{CK,\infty} = \frac{\mu_2^2 + \lambda\psi_1/\psi_2}{\mu_1^2 \psi_1},
        \qquad l_{lin} = \frac{\lambda}{\psi_2} \\
        \min(\mathcal{R}_{CK}, \mathcal{R}_{NT}, \mathcal{R}_{CK,\infty}, \mathcal{R}_{lin})
        \geq \Vert P_{>1}f^*\Vert^2
        """,
        r"$s$ is the kernel's constant part over its linear one: $(\mathbb{E}\sigma'')^2/\mu_1^2$ for the tangent "
        r"kernel, half of it for the conjugate one (infinite if $\mathbb{E}\sigma \neq 0$), 0 for linear "
        rf"regression; $\mu_1 = \mathbb{{E}} z\sigma(z)$, $\mu_1^* = |\mathbb{{E}} x f^*|$, {MU2}; "
        r"$\mathcal{R}_{CK}$ is $R_0$ of bes22/one-step-risk",
    ),
    "large-step": Formula(
        r"""
        \tau^* = \inf_\kappa\ \mathbb{E}_{x_1}
        \left(\sigma^*(x_1) - \mathbb{E}_{x_2}\ \sigma(\kappa x_1 + x_2)\right)^2 \\
        \mathcal{R}_{GD} < \Vert P_{>1}f^*\Vert^2 \quad \mathrm{at}\ \eta \sim
        \sqrt{N},\ \psi_1\ \mathrm{large,\ if}\ 16 \tau^* < \Vert P_{>1}f^*\Vert^2 \\
        \mathcal{R}_{GD} \geq \sum_{k \geq 2} c_k^2 (1 - \rho^{2k}),
        \qquad \rho^2 = \frac{1}{1 + \mathbb{E}y^2/(\psi_1 \mu_1^{*2})}
        """,
        r"$f^*(x) = \sigma^*(\langle \beta_*, x\rangle)$ has the normalised Hermite coefficients $c_k$, "
        rf"$\mu_1^* = |c_1|$, and {LABELS}",
    ),
    "one-step-risk": Formula(
        r"""
        \delta = R_0 - R_{GD} =
        \frac{\mu_1^{*2}\ \rho f\ (e/D) \left(A + \kappa Y e (1 - f)\right)}
        {\lambda/\kappa + (\psi_2/\psi_1)\ \kappa Y^2 (\mu_2^2 + \mu_1^2 e^2)/D} \\
        1 - \frac{\lambda}{\kappa} = \frac{\psi_2}{\psi_1}\ \frac{1}{N}\ \mathrm{tr}\ \Omega (\Omega + \kappa)^{-1},
        \qquad Y = \frac{1}{N}\ \mathrm{tr}\ (\Omega + \kappa)^{-1}, \qquad \Omega = \mu_1^2 W_0^\top W_0 + \mu_2^2 \\
        e = \frac{1}{1 + \psi_2 \mu_1^2 Y}, \quad u = \mu_1^2 e Y, \quad D = 1 - \psi_2 u^2,
        \quad A = e + \psi_2 \mu_2^2 u Y, \quad f = \frac{u \theta_1^2}{1 + u \theta_1^2},
        \quad \rho = \frac{\theta_2^2}{\theta_1^2}
        """,
        rf"{STEP}, {MOMENTS}, {MU2}; for odd $\sigma$, or a target without mean",
    ),
    "training-curve": Formula(
        r"""
        W_t \simeq W_0 + g_t a^\top,
        \qquad g_{t+1} = g_t + \eta \mu_1
        \left(\frac{X^\top y}{n} - \frac{\mu_1}{\sqrt{N}}\ \frac{X^\top X}{n}\ g_t\right),
        \qquad g_0 = 0 \\
        \langle u_1(t), \beta_*\rangle^2 \to \frac{\theta_2^2}{\theta_1^2}
        \left(1 - \frac{\psi_2 + \theta_1^2}{\theta_1^2 (1 + \theta_1^2)}\right),
        \qquad \theta_1 = |g_t|, \quad \theta_2 = \langle g_t, \beta_*\rangle
        """,
        r"$\mu_1 = \mathbb{E} z\sigma(z)$, $\eta = c N^\alpha$, and $X, y$ are the same batch at every step or "
        "fresh ones",
    ),
}
