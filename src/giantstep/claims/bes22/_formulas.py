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
        \frac{(\mathbb{E}f^*)^2 \left(\frac{k}{k + s}\right)^2 + \mu_1^{*2} \left(\frac{k}{1 + k}\right)^2 + \Vert
        P_{>1}f^*\Vert^2 + \sigma_\varepsilon^2}{1 - 1/(\psi_1 (1 + k)^2)},
        \qquad 1 - \frac{l}{k} = \frac{1}{\psi_1 (1 + k)} \\
        l_{NT} = \frac{\mathrm{Var}\ \sigma' + \lambda\psi_1/\psi_2}{\mu_1^2 \psi_1},
        \qquad l_{CK,\infty} = \frac{\mu_2^2 + \lambda\psi_1/\psi_2}{\mu_1^2 \psi_1},
        \qquad l_{lin} = \frac{\lambda}{\psi_2} \\
        \min(\mathcal{R}_{CK}, \mathcal{R}_{NT}, \mathcal{R}_{CK,\infty}, \mathcal{R}_{lin}) \geq \Vert
        P_{>1}f^*\Vert^2
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
        \mathcal{R}_{GD} \geq \sum_{k \geq 2} c_k^2 (1 - \rho^{2k} - k \rho^{2k-2} (1 - \rho^2)),
        \qquad \rho^2 = \frac{1}{1 + \mathbb{E}y^2/(\psi_1 \mu_1^{*2})}
        """,
        r"$f^*(x) = \sigma^*(\langle \beta_*, x\rangle)$ has the normalised Hermite coefficients $c_k$, $\mu_1^* = "
        rf"|c_1|$, and {LABELS}",
    ),
    "one-step-risk": Formula(
        r"""
        \delta = R_0 - R_{GD} = \frac{\mu_1^{*2}\ \rho f\ (e/D) \left(A + \kappa Y e (1 - f)\right)}
        {\lambda/\kappa + (\psi_2/\psi_1)\ \kappa Y^2 (\mu_2^2 + \mu_1^2 e^2)/D} \\
        1 - \frac{\lambda}{\kappa} = \frac{\psi_2}{\psi_1}\ \frac{1}{N}\ \mathrm{tr}\ \Omega (\Omega + \kappa)^{-1},
        \qquad Y = \frac{1}{N}\ \mathrm{tr}\ (\Omega + \kappa)^{-1}, \qquad \Omega = \mu_1^2 W_0^\top W_0 + \mu_2^2 \\
        e = \frac{1}{1 + \psi_2 \mu_1^2 Y}, \quad u = \mu_1^2 e Y, \quad D = 1 - \psi_2 u^2,
        \quad A = e + \psi_2 \mu_2^2 u Y, \quad f = \frac{u \theta_1^2}{1 + u \theta_1^2},
        \quad \rho = \frac{\theta_2^2}{\theta_1^2}
        """,
        rf"{STEP}, {MOMENTS}, {MU2}; for odd $\sigma$, or a target without mean",
    ),
    "proof-sketch": Formula(
        r"""
        L_0/n, L_n/n \to \frac{\lambda}{\kappa} \left(\mathbb{E}y^2 - c^\top (\Omega + \kappa)^{-1} c\right),
        \qquad 1 - \frac{\lambda}{\kappa} = \frac{1}{n}\ \mathrm{tr}\ \Omega (\Omega + \kappa)^{-1} \\
        |L_k - L_{k-1}|/N \sim N^{-1}, \qquad |\mathbb{E}(L_k - L_{k-1})|/N \sim N^{-3/2} \\
        |\mathbb{E}\langle\phi, g\rangle^2 - \mathbb{E}\langle\bar\phi, g\rangle^2| \approx
        \frac{2}{\sqrt{\pi d}}\ |\mathbb{E}[z \sigma \sigma'] - \mu_1^2|
        """,
        r"$\phi = \sigma(W_1^\top x)$ and $\bar\phi = \mu_1 W_1^\top x + \mu_2 z$ (over $\sqrt{N}$ in the last "
        r"line) have the second moment $\Omega$ and $c = \mathbb{E}[\phi f^*]$, $L_k$ is the least objective with "
        r"$k$ samples of $\bar\phi$ and $n - k$ of $\phi$, and $g_j^2 = 2$ on the longer half of the neurons, 0 on "
        "the rest",
    ),
    "singular-values": Formula(
        r"""
        \max_{i>1} |s_i(W_1) - s_i(W_0)| \to 0, \qquad \max_i |s_i(\Phi) - s_i(\bar\Phi)| \to 0 \\
        \langle u_1, y/|y|\rangle^2 - \langle \bar u_1, y/|y|\rangle^2 \to 0
        """,
        r"$\Phi = \sigma(X W_1)/\sqrt{N}$ and $\bar\Phi = (\mu_1 X W_1 + 1 v^\top + \mu_2 Z)/\sqrt{N}$, $v$ the "
        r"means of the features and $Z$ Gaussian, have the top left singular vectors $u_1$ and $\bar u_1$; the limit "
        "of their squared overlap is that of bes22/kernel-spike",
    ),
    "tau-star": Formula(
        r"""
        \mathcal{R}(\tilde f) = \mathbb{E}
        \left(\sigma^*(x_1) - \frac{1}{m} \sum_j \mathbb{E}_z\ \sigma(k_j u + v_j z) \right)^2 + \frac{1}{m^2}
        \sum_j \mathbb{E}\ \mathrm{Var}_z\ \sigma(k_j u + v_j z) \\
        u = x_1 + x' \sqrt{\frac{\mathbb{E}y^2}{\psi_1 \mu_1^{*2}}},
        \qquad v_j^2 = 1 +
        k_j^2\ \frac{\mathrm{Var}(\sigma')\ \mathbb{E}y^2/\psi_1 + (\mathbb{E}f^*\ \mathbb{E}\sigma'')^2}
        {(\mu_1 \mu_1^*)^2} \\
        \tau^* = \inf_k\ \mathbb{E}_{x_1} \left(\sigma^*(x_1) - \mathbb{E}_z\ \sigma(k x_1 + z)\right)^2
        """,
        r"$f^*(x) = \sigma^*(x_1)$, $x', z \sim N(0, 1)$, $k_j = \eta a_j \mu_1 \mu_1^*$ is the gain of neuron $j$, "
        "and $m$ neurons with a gain near the best $k$ are averaged",
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
