"""The formulas of the claims about structured inputs, x ~ N(0, I + theta mu mu^T) and a target along beta."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

SPIKE = r"$x \sim N(0, I + \theta \mu\mu^\top)$"
EXPONENT = r"$k$ is the information exponent of $f^*$"
START = (
    r"\delta_0 \sim d^{-1/2} \quad (\gamma_2 \leq \gamma_1), \qquad d^{\gamma_2 - \gamma_1 - 1/2} \quad "
    r"(\gamma_1 \leq \gamma_2 \leq 2\gamma_1), \qquad d^{(\gamma_2 - 1)/2} \quad (2\gamma_1 \leq \gamma_2)"
)
EXPONENTS = r"$\langle \mu, \beta\rangle = d^{-\gamma_1}$, $\theta = d^{\gamma_2}$"
ZETA = r"\zeta(\omega) = \sum_j j\ j!\ a_j a_j^*\ \omega^{j-1}"
SERIES = r"$\sigma = \sum_j a_j He_j$, $f^* = \sum_j a_j^* He_j$"

FORMULAS = {
    "kernel-staircase": Formula(
        r"""
        \theta_{1/2} \sim d^{1 - 1/\ell},
        \qquad \mathcal{R} \to E_0 |f^* - P f^*|^2 + (E_0 - 1)\ \sigma_\varepsilon^2 \\
        E_0 = \frac{\psi}{\psi - L^2}, \qquad L = \frac{g_1}{g_1 + q},
        \qquad \psi = L + \frac{\lambda + g(1) - g(0) - g'(0)}{q}
        """,
        rf"{SPIKE}, $P$ projects on the degrees $\ell$ along the spike with $\theta \gg d^{{1 - 1/\ell}}$ that the "
        r"kernel $g(\langle x, x'\rangle/d)$ has, $g_1 = g'(0)$, and the last equation defines $q$",
    ),
    "kernel-bound": Formula(
        r"""
        n_{1/2} \sim \left(\frac{d + \theta}{1 + \theta}\right)^p \sim d^{p (1 - \gamma)}
        """,
        rf"{SPIKE}, $\theta = d^\gamma$, and $p$ is the degree of the target along the spike",
    ),
    "kernel-spectrum": Formula(
        r"""
        \lambda_\ell = \ell!\ g_\ell \left(\frac{1 + \theta}{d}\right)^\ell \left(1 + O(\theta/d) + O(1/d)\right) \\
        n \lambda_\ell \gg 1 \quad \Leftrightarrow \quad \theta \gg d^{1 - 1/\ell} \qquad (n \sim d)
        """,
        rf"{SPIKE}, the kernel is $\sum_\ell g_\ell (\langle x, x'\rangle/d)^\ell$, and $\lambda_\ell$ belongs to "
        r"$He_\ell$ of the spike's coordinate",
    ),
    "network-threshold": Formula(
        r"""
        \cos^2(g, \mu) = \mathbb{E} \frac{g_\mu^2}{g_\mu^2 + |g_\perp|^2},
        \qquad \omega^2 = \mathbb{E} \frac{(1 + \theta)\ g_\mu^2}{(1 + \theta)\ g_\mu^2 + |g_\perp|^2} \\
        \mathbb{E} g_\mu = \sqrt{1 + \theta}\ \mathbb{E}[z y\ \Phi(a)],
        \qquad |g_\perp|^2 \approx \mathbb{E}[y\ \phi(a)]^2 + \frac{d - 1}{n}\ \mathbb{E}[y^2\ \Phi(a)],
        \qquad a = \frac{\sqrt{1 + \theta}\ m z + b}{\sqrt{1 - m^2}} \\
        \theta_{1/2} \sim d^{1 - 1/k}, \qquad \theta^w_{1/2} \sim d^{\min((k-1)/(k+1), 1/2)}
        """,
        r"$z = \langle x, \mu\rangle/\sqrt{1 + \theta}$, $m = \langle w, \mu\rangle$, $b$ is the bias, $n$ the "
        rf"samples of the step, $\phi$ and $\Phi$ are density and distribution function of $N(0, 1)$, and {EXPONENT}",
    ),
    "isotropic-limits": Formula(
        r"""
        E[y s' x] = A\beta + B w, \qquad A = \sum_j j\ a_j a_j^* m^{j-1},
        \qquad B = \sum_j \sqrt{(j+1)(j+2)}\ a_{j+2} a_j^* m^j \\
        |E[y s' x]| \sim d^{-(k-1)/2}, \qquad |g - E g| \approx \sqrt{\frac{d}{n}\ E\sigma'^2\ E y^2} \\
        \mathcal{R} \geq \Vert P_{>1}f^*\Vert^2 \quad \mathrm{for\ kernels\ and,\ if}\ k \geq
        2,\ \mathrm{one\ step,}\ n \sim d
        """,
        r"$s' = \sigma'(\langle x, w\rangle)$, $a_j$ and $a_j^*$ are the normalised Hermite coefficients of $\sigma$ "
        rf"and $f^*$, $m = \langle w, \beta\rangle \sim d^{{-1/2}}$, and {EXPONENT}",
    ),
    "misaligned-step": Formula(
        r"""
        E g \approx c\ \Sigma\beta = c\ (\beta + \theta\rho\ \mu), \qquad \rho = \langle \mu, \beta\rangle \\
        \cos(g, \beta) \to \frac{1 + \theta\rho^2}{M}, \qquad \cos(g, \mu) \to \frac{\rho (1 + \theta)}{M},
        \qquad M^2 = 1 + 2\theta\rho^2 + \theta^2\rho^2
        """,
        rf"{EXPONENTS}, $\Sigma = I + \theta \mu\mu^\top$",
    ),
    "normalised-flow": Formula(
        rf"""
        \dot\omega = 2\zeta(\omega) (1 - \omega^2) \quad \mathrm{{(preconditioned)}}, \qquad {ZETA} \\
        \dot\omega = 2\zeta(\omega) \left(1 - \omega^2 + \theta (r - \omega m)^2\right),
        \quad \dot m = 2\zeta(\omega) (r - \omega m) \left(1 + \theta (1 - m^2)\right) \quad \mathrm{{(plain)}}
        """,
        r"$\omega$ is the correlation of $\langle x, w\rangle$ with $\langle x, \beta\rangle$, $m = \langle v, "
        r"\mu\rangle$ for the whitened unit vector $v$ along $\Sigma^{1/2} w$, $r = \langle \mu, \beta\rangle "
        rf"\sqrt{{(1 + \theta)/(1 + \theta \langle \mu, \beta\rangle^2)}}$, and {SERIES}",
    ),
    "spherical-flow-fails": Formula(
        r"""
        R = E_2(s) - 2 \sum_j C_j(s)\ a_j^*\ \omega^j + E f^{*2}, \qquad s^2 = 1 + \theta \langle w, \mu\rangle^2 \\
        E_2(s) = E\ \sigma(s z)^2, \qquad C_j(s) = E[\sigma(s z) He_j(z)]
        """,
        r"$|w| = 1$, $\omega$ is the correlation of $\langle x, w\rangle$ with $\langle x, \beta\rangle$, $z \sim "
        r"N(0, 1)$, and $f^* = \sum_j a_j^* He_j$; $E_2$ grows with $\langle w, \mu\rangle^2$ and drives the neuron "
        "away from the spike",
    ),
    "phase-diagram": Formula(
        rf"""
        {START} \\
        \tau_k = 1,\ \ln(1/\delta_0),\ \delta_0^{{2 - k}} \quad \mathrm{{for}}\ k = 1,\ 2,\ {{>}}2,
        \qquad n \sim d\ \delta_0^{{-2(k-1)}}
        """,
        rf"{EXPONENTS}, $\delta_0$ is the overlap of a random start, and {EXPONENT}",
    ),
    "runtime": Formula(
        rf"""
        T = \int_{{\delta_0}}^{{1 - \epsilon}} \frac{{d\omega}}{{2\zeta(\omega) (1 - \omega^2)}}, \qquad {ZETA} \\
        \tau_k = 1,\ \ln(1/\delta_0),\ \delta_0^{{2 - k}} \quad \mathrm{{for}}\ k = 1,\ 2,\ {{>}}2 \\
        {START}
        """,
        rf"$\omega$ is the correlation of the neuron's field with the target's, {SERIES}, {EXPONENTS}, and {EXPONENT}",
    ),
    "flow-then-head": Formula(
        r"""
        1 - \omega^2 = V\ \frac{d - 1}{n}, \qquad V = \frac{E\left(e\ \sigma'(v) - m v\right)^2}{\zeta(1)^2},
        \qquad m = E[e\ \sigma'(v)\ v] \\
        \mathcal{R} \geq \sum_k c_k^2 (1 - \omega^{2k})
        """,
        rf"$v$ is the target's variable, $e = y - \sigma(v)$, $\zeta(1) = \sum_j j\ j!\ a_j a_j^*$, {SERIES}, and "
        r"$c_k = \sqrt{k!}\ a_k^*$",
    ),
    "input-spectrum": Formula(
        r"""
        \lambda_1 = (1 + \theta)\left(1 + \frac{c}{\theta}\right), \qquad
        \langle v_1, \mu\rangle^2 = \frac{1 - c/\theta^2}{1 + c/\theta} \qquad (\theta > \sqrt{c}) \\
        d\ \langle v, \mu\rangle^2 = \frac{c\ l\ \tau}{|\tau (1 - c + l - i s)/2 - l|^2}
        """,
        r"$c = d/n$, $\tau = 1 + \theta$, $v_1$ is the top eigenvector of the inputs' covariance, $v$ one of the "
        r"bulk with "
        r"eigenvalue $l$, and $s^2 = (l_+ - l)(l - l_-)$ with the bulk's ends $l_\pm = (1 \pm \sqrt{c})^2$",
    ),
    "wide-start": Formula(
        r"""
        E \max_j |\langle w_j, \beta\rangle| = \int_0^1 (1 - F(t)^N)\ dt, \qquad
        F(t) = I_{t^2}\left(\frac{1}{2}, \frac{d - 1}{2}\right) \\
        N_c = \frac{1}{1 - F(c)}, \qquad \frac{\ln N_c}{d} \to -\ln(1 - c^2)/2
        """,
        r"$w_j$ are $N$ random unit vectors, $I$ is the regularised incomplete beta function, and $N_c$ the width at "
        r"which "
        r"one neuron has the overlap $c$",
    ),
    "network-risk": Formula(
        r"""
        \mathcal{R} \to 0 \quad \mathrm{for}\ \theta \gg d^{1 - 1/k},\ N = d^\epsilon \\
        \mathcal{R}_{b=0} \geq \sum_{j = 3, 5, \ldots} j!\ a_j^{*2}
        """,
        r"$\theta$ is the spike's strength, $k$ the information exponent, $f^* = \sum_j a_j^* He_j$, and $b = 0$ a "
        r"network "
        "without biases",
    ),
    "warm-start": Formula(
        r"""
        \omega_1 = \frac{1 + (2\theta + \theta^2) \rho^2}
        {\sqrt{(1 + \theta \rho^2) (1 + (3\theta + 3\theta^2 + \theta^3) \rho^2)}} \\
        T_1 = \int_{\omega_1}^{0.9} \frac{d\omega}{2\zeta(\omega) (1 - \omega^2)}
        """,
        rf"$\rho = \langle \mu, \beta\rangle$, $\omega_1$ is the overlap after the step, $\zeta(\omega) = \sum_j j\ "
        rf"j!\ "
        rf"a_j a_j^* \omega^{{j-1}}$, and {SERIES}",
    ),
    "random-biases": Formula(
        r"""
        \zeta_b(\omega) = \sum_j j\ j!\ a_j(b)\ a_j^*\ \omega^{j-1}, \qquad
        j!\ a_j(b) = (-1)^j He_{j-2}(b)\ \varphi(b) \quad (j \geq 2) \\
        P(\zeta_b > 0)\quad \mathrm{on}\ (0, 1),\ b \sim N(0, 1)
        """,
        r"$f^* = \sum_j a_j^* He_j$, $\varphi$ is the normal density, and $\omega$ the overlap of the neuron with "
        r"the target",
    ),
    "kernel-misaligned": Formula(
        r"""
        n_{1/2} \sim d^{p (1 - \gamma_2)} \quad (\gamma_2 > 2\gamma_1),
        \qquad n_{1/2} \sim d^p \quad (\gamma_2 < 2\gamma_1) \\
        h_p(r z + q t) = \sum_m \sqrt{\binom{p}{m}}\ r^{p-m} q^m\ h_{p-m}(z)\ h_m(t), \qquad
        r^2 = \frac{(1 + \theta) \rho^2}{1 + \theta \rho^2}
        """,
        r"$\theta = d^{\gamma_2}$, $\rho = \langle \mu, \beta\rangle = d^{-\gamma_1}$, $q^2 = 1 - r^2$, $z$ is the "
        r"spike's "
        "variable and $t$ one of the bulk's, of which degree $m$ costs $d^m$ samples",
    ),
}
