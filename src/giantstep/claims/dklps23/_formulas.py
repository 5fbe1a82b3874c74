"""The formulas of [dklps23], for f = (1/p) sum a_i sigma(<w_i, x>) with a paired start f = 0."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

GRADIENT = r"$g = \frac{1}{n} \sum_i y_i \sigma'(\langle w, x_i\rangle) x_i$"
EXPONENT = r"$\ell$ is the information exponent of $f^*$"
TENSORS = r"$C_\ell = \mathbb{E} \nabla^\ell f^*$, $\mu_\ell = \mathbb{E}[\sigma He_\ell]$, $m = P_{V^*} w$"

FORMULAS = {
    "transition": Formula(
        r"""
        \frac{|P_{V^*} g|^2}{|g|^2} \approx \mathbb{E}_m
        \frac{S + (N_V - S)/n}{|\mathbb{E}g|^2 + (T - |\mathbb{E}g|^2)/n},
        \qquad S = |P_{V^*} \mathbb{E}g|^2 \\
        P_{V^*} \mathbb{E}g \approx \frac{\mu_\ell}{(\ell - 1)!} C_\ell(m^{\ell - 1}) \sim d^{-(\ell - 1)/2},
        \qquad T \sim d, \qquad \mathrm{so}\ n \sim d^\ell
        """,
        rf"{GRADIENT}, $N_V = \mathbb{{E}}[f^{{*2}} \sigma'^2 |P_{{V^*}} x|^2]$, $T = \mathbb{{E}}[f^{{*2}} \sigma'^2 "
        rf"|x|^2]$, {TENSORS}, and {EXPONENT}",
    ),
    "no-step-size-helps": Formula(
        r"""
        w^1 = w + \frac{\eta}{p} a g,
        \qquad \sup_\eta \frac{|P_{V^*} w^1|^2}{|w^1|^2} \approx \frac{|P_{V^*} g_\perp|^2}{|g_\perp|^2} +
        \frac{1}{d},
        \qquad g_\perp = g - \langle g, w\rangle w \\
        \sup_\eta |P_{V^*} w^1|^2/|w^1|^2 \to 0 \quad \mathrm{for}\ n = d^\kappa,\ \kappa < \ell
        """,
        rf"{GRADIENT}, and {EXPONENT}",
    ),
    "overlaps": Formula(
        r"""
        \langle w^1, w_k^*\rangle = m_k + \frac{\eta a}{p}\ \frac{\mu_\ell(\sigma)}{(\ell - 1)!}
        \left[C_\ell(m^{\ell - 1})\right]_k + O(\eta m^\ell) \\
        |w^1|^2 \approx 1 + \frac{2 \eta a}{p} \langle w, \mathbb{E}g\rangle + \frac{\eta^2}{p^2}
        \left(|\mathbb{E}g|^2 + \frac{T - |\mathbb{E}g|^2}{n}\right),
        \qquad T \approx d\ \mathbb{E}f^{*2}\ \mathbb{E}\sigma'^2
        """,
        rf"$w^1 = w + (\eta/p) a g$, $a = \pm 1$, $|w| = 1$, {TENSORS}, and {EXPONENT}",
    ),
    "per-neuron": Formula(
        r"""
        \cos^2(V^*, v_1, \ldots, v_{r+1}) \approx \frac{1}{1 + e},
        \qquad e = \frac{d}{n}\ \frac{\mathbb{E}[f^{*2} \langle v, x\rangle^2]}{h^2} +
        \frac{d}{K}\ \frac{q}{(q - 1)^2 - d/K} \\
        q = \frac{(\mathbb{E}f^* + h)^2 + z}{(\mathbb{E}f^*)^2 + z},
        \qquad z = \frac{d}{n}\ \frac{\mathbb{E}f^{*2}\ \mathrm{Var}\ \sigma'}{\mu_2^2}
        """,
        r"$v$ is an eigenvector of $H = \mathbb{E} \nabla^2 f^*$, $H v = h v$ (the mean over all of them is "
        r"taken), $\mu_2 = \mathbb{E}[\sigma He_2]$, and $K = N/2$ neurons of a paired start differ; for "
        "information exponent 2",
    ),
    "staircase": Formula(
        r"""
        M_i \leftarrow M_i + s a_i P_{V^*} g_i, \qquad g_i = \mathbb{E}[e\ \sigma'(\langle w_i, x\rangle)\ x],
        \qquad e = f^* - f \\
        Q_{ij} \leftarrow Q_{ij} + s (a_j \langle w_i, g_j\rangle + a_i \langle w_j, g_i\rangle) + s^2 a_i a_j
        \left(\langle g_i, g_j\rangle + \frac{1}{\psi_1} \mathbb{E}[e^2 \sigma'_i \sigma'_j]\right) \\
        \langle \cos^2(w_i, u)\rangle = \frac{1}{p} \sum_i \langle M_i, u\rangle^2/Q_{ii}
        """,
        r"$M = W W^{*\top}$, $Q = W W^\top$, $s = \eta/p$, and $u$ is a unit vector of the target's space",
    ),
    "second-layer": Formula(
        r"""
        \min_\lambda \mathcal{R} \geq \Vert P_{U,>k}f^*\Vert^2, \qquad k = \min(a, b),
        \qquad n \sim d^a,\ p \sim d^b \\
        \Vert P_{U,>0}f^*\Vert^2 = \mathbb{E}\ \mathrm{Var}(f^* | P_U x)
        """,
        "$U$ holds the directions learned in $T$ steps, and $P_{U,>k}$ keeps of $f^*$ what has a degree above $k$ "
        "in the directions outside $U$",
    ),
    "random-feature-degree": Formula(
        r"""
        \lim_{d \to \infty} \min_\lambda \mathcal{R} = \Vert P_{>k}f^*\Vert^2,
        \qquad k = \lfloor \min(a, b) \rfloor, \qquad n = d^a,\ p = d^b
        """,
        r"$P_{>k}$ keeps the degrees above $k$; degree $j$ is learned near $\min(n, p) \approx d^j/j!$",
    ),
    "conditional-equivalence": Formula(
        r"""
        \sigma(W x) \simeq \mu(u) + \Phi(u) x_\perp + \Psi(u)^{1/2} \xi, \qquad u = \langle v, x\rangle,
        \qquad \mathcal{R}/\mathcal{R}_{cGE} \to 1 \\
        |P_{V^*} v| \to \left(1 + \frac{\mathbb{E}y^2}{(n_1/d)\ |\mathbb{E} x f^*|^2}\right)^{-1/2},
        \qquad \mathcal{R} \geq \Vert P_{U,>1}f^*\Vert^2
        """,
        r"$v$ is the direction learned from $n_1$ samples, $\mu$ and $\Phi$ are mean and linear part of the features "
        r"given $u$, $\Psi$ what is left of their covariance, $\xi$ Gaussian noise, and $\mathbb{E}y^2 = \Vert "
        r"f^*\Vert^2 + \sigma_\varepsilon^2$",
    ),
    "sgd-limit": Formula(
        r"""
        \frac{dM_{ik}}{d\tau} = \mathbb{E}[e\ \sigma'(h_i) x_k],
        \qquad \frac{dQ_{ij}}{d\tau} = \mathbb{E}[e\ (\sigma'(h_i) h_j + \sigma'(h_j) h_i)] +
        \frac{\gamma}{p}\ \mathbb{E}[(e^2 + \sigma_\varepsilon^2) \sigma'(h_i) \sigma'(h_j)] \\
        n \sim d,\ d \ln d,\ d^{\ell - 1} \quad \mathrm{for}\ \ell = 1,\ 2,\ {>}2 \quad
        \mathrm{(one\ neuron\ on\ the\ sphere)}
        """,
        r"$M = W W^{*\top}$, $Q = W W^\top$, $h_i = \langle w_i, x\rangle$, $e = f^* - f$, $\tau = \gamma n/(p d)$ "
        rf"for $n$ samples, and {EXPONENT}",
    ),
    "several-steps": Formula(
        r"""
        m_{t+1} \approx m_t \left(1 + \frac{s_t a h}{\sqrt{2\pi N_t}}\right) + \mathrm{noise},
        \qquad C_{t+1} = \left(1 - \frac{s_t}{4}\right) C_t + \mathrm{noise}, \qquad
        N_{t+1} \approx N_t + |C_{t+1}|^2 - |C_t|^2 + \frac{s_t^2 d}{4n}\ \mathbb{E}(y - f)^2 \\
        m_T^2 \sim d^{T(\kappa - 1) - 1} \quad \mathrm{for}\ n \sim d^\kappa, \quad s_t \sim \sqrt{n/d}
        """,
        r"$\ell = 2$ and ReLU: $m$ is the overlap of a neuron, $N$ its squared norm, $h = "
        r"\mathbb{E}f^{*\prime\prime}$, $a C$ what noise has put into all neurons alike",
    ),
    "fitted-terms": Formula(
        r"""
        \langle f, t\rangle/|t|^2 = \frac{1}{|t|^2}\ \mathbb{E}[t \phi]^T (\Omega + \kappa)^{-1}\ \mathbb{E}[f^* \phi],
        \qquad \mathcal{R} \geq \Vert P_{U,>k}f^*\Vert^2, \qquad k = \min(a, b)
        """,
        r"$\phi$ are the features, $\Omega = \mathbb{E}\phi\phi^T$, $\kappa$ is the effective penalty for $n$ samples",
    ),
}
