"""The formulas of low-rank matrix sensing, for L = (1/4) |A(UU') - y|^2 or (1/2) |A(UV') - y|^2."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

SPECTRAL = r"$Z = A^* A(X X^\top)$"
NOISE = r"$s^2 = d r_*/(2m)$"
TANGENT = r"the $m$ measurements on the tangent space $T$ of the truth"

FORMULAS = {
    "power-method": Formula(
        r"""
        U_t = (I + \mu Z)^t U_0 + O(|U_t|^3), \qquad Z = A^* A(X X^\top) \\
        \sin\theta_{GD} = \sin\theta_P \quad \mathrm{at\ first}, \qquad \sin\theta_X \to 0,
        \quad \sin\theta_{GD} \to s \left(1 + \sqrt{r_*/d}\right) \quad \mathrm{at\ the\ end}
        """,
        r"$\theta_{GD}$ and $\theta_P$ are the angles of $U_t$ and of $(I + \mu Z)^t U_0$ with the $r_*$ leading "
        rf"eigenvectors of $Z$, $\theta_X$ that of $U_t$ with the columns of $X$, and {NOISE} is small",
    ),
    "phases": Formula(
        r"""
        S_i \leftarrow S_i \left(1 + \mu (1 - S_i^2)\right), \qquad N W_i \leftarrow (1 - \mu S_i^2)\ N W_i \\
        \mathrm{plateau} = \frac{\alpha^2}{r\ |X X^\top|} \sqrt{p q (p + q + 1)}, \qquad p = d - r_*,
        \quad q = r - r_* \\
        \mathrm{total} \leq \frac{\ln(2\kappa \sqrt{d/\min(r, d)}/\alpha)}{\ln(1 + \mu/\kappa^2)} +
        \max\left(\frac{\ln(c/\alpha)}{-\ln(1 - \mu/\kappa^2)}, \frac{\ln(c/\alpha^2)}{-\ln\max(|1 - 2\mu|, |1 -
        2\mu/\kappa^2|)}\right)
        """,
        r"$X^\top U$ has the singular values $S_i$ and right singular vectors $W_i$, $N = (I - X X^\top) U$ (for "
        r"condition number $\kappa = 1$), and $c = \max(1, \kappa r_*/(\min(r, d) - r_*))$; with infinitely many "
        "measurements",
    ),
    "overparameterisation": Formula(
        r"""
        U_t \approx (I + \mu Z)^t U_0 \quad \mathrm{until}\ t_1,
        \qquad u_{t+1} = u_t \left(1 + \mu (l - u_t^2)\right) \quad \mathrm{until}\ u_{t_2} = 1/\sqrt{10} \\
        E \leftarrow (1 - \mu \mathcal{L} h)\ E \quad \mathrm{during}\ t_3,
        \qquad \mathrm{so}\ t_3\ \mathrm{does\ not\ depend\ on}\ r
        """,
        rf"{SPECTRAL}, $u_t$ is the weakest signal $\sigma_{{\min}}(X^\top U_t)$ and $l$ its growth in the power "
        rf"method, $E$ the error, $h$ the second moment of {TANGENT} (a Wishart matrix of ratio $\dim T/m$), and "
        r"$\mathcal{L}$ is 2 on its block inside the columns of $X$, 1 beside it",
    ),
    "error-exponent": Formula(
        r"""
        p_\infty = 2 \left(1 - \frac{\ln(1 + 2\mu s)}{\ln(1 + \mu (1 + s^2))}\right) \\
        \mathrm{error} = \frac{\alpha^2}{r \sqrt{r_*}} \sqrt{(q^2 + q)\ \mathrm{tr}\ D^2 + q\ (\mathrm{tr}\ D)^2},
        \qquad D = (1 + \mu\Lambda)^{2 t_s}, \qquad t_s = \frac{\ln(1/\alpha)}{\ln(1 + \mu (1 + s^2))}
        """,
        r"$s^2 = d r_*/(2m)$ for $U U^\top$ ($d r_*/m$ for $U V^\top$, whose error has the same form with pairs of "
        r"directions), $q = r - r_*$, and $\Lambda$ holds the $d - r_*$ eigenvalues of the noise, a semicircle on "
        "$[-2s, 2s]$",
    ),
    "initialisation-scale": Formula(
        r"""
        U V^\top \to U_0 V_0^\top + \mathcal{T}(A^* z),
        \qquad (A\ \mathcal{T} A^*)\ z = y - A(U_0 V_0^\top) \qquad (\alpha\ \mathrm{large}) \\
        \mathcal{T}(M) = M V_0 V_0^\top + U_0 U_0^\top M \\
        E \leftarrow (1 - \mu \mathcal{L} h)\ E \quad \mathrm{near\ the\ truth} \qquad (\alpha \to 0)
        """,
        rf"$E$ is the error, $h$ the second moment of {TANGENT} (a Wishart matrix of ratio $\dim T/m$), and "
        r"$\mathcal{L}$ is 2 on its block inside the columns of the truth, 1 beside it",
    ),
    "signal-and-noise": Formula(
        r"""
        C \leftarrow C + \mu (\Sigma^2 - C C^\top) C, \qquad N W \leftarrow N W (I - \mu C^\top C),
        \qquad N (I - W W^\top)\ \mathrm{stays} \\
        |U U^\top - X X^\top|^2 = |\Sigma^2 - C C^\top|^2 + 2 |N W C^\top|^2 + |(N W)^\top N W|^2 + |N (I - W
        W^\top) N^\top|^2
        """,
        r"$X = Q \Sigma$ with orthonormal $Q$ and $\Sigma$ from 1 down to $1/\kappa$, $Q^\top U = C W^\top$ with "
        r"orthonormal $W$, and $N = (I - Q Q^\top) U$; with infinitely many measurements and up to $O(\alpha^2)$",
    ),
    "landscape": Formula(
        r"""
        \nabla L(U) = 0 \quad \Rightarrow \quad U U^\top = X X^\top \quad \mathrm{or} \quad \lambda_{\min}(\nabla^2
        L(U)) \leq -(1 - 4s) \\
        \lambda_{\min}(\nabla^2 L(0)) = -\lambda_{\max}(Z)
        """,
        rf"{SPECTRAL}, and {NOISE} is small",
    ),
    "large-start": Formula(
        r"""
        \frac{|y - f_T|^2}{|y|^2} \to \max\left(0, 1 - \frac{r (d + d_2 - r)}{m}\right) \qquad (\alpha, T \to
        \infty)
        """,
        r"$U$ is $d \times r$ and $V$ is $d_2 \times r$, and $y$ are generic labels, counted from the output of the "
        "start",
    ),
    "sample-size": Formula(
        r"""
        \dim T \leq m \leq 2 \dim T \quad \mathrm{measurements\ are\ needed}, \qquad \dim T = r_* (d + d_2 - r_*)
        """,
        r"$m$ is the least number of measurements that recover the truth, of rank $r_*$ and size $d \times d_2$, and "
        "$T$ its tangent space; the theorem asks for the order $r_*^2 (d + d_2)$",
    ),
    "balance-lemma": Formula(
        r"""
        U^\top \nabla_U L = (\nabla_V L)^\top V,
        \qquad B_{t+1} - B_t = \mu^2 \left((\nabla_U L)^\top \nabla_U L - (\nabla_V L)^\top \nabla_V L\right) \\
        |B_{t+1} - B_t| \leq 2\mu (L_t - L_{t+1}), \qquad |B_t| \leq |B_0| + 2\mu (L_0 - L_t)
        """,
        r"$B_t = U_t^\top U_t - V_t^\top V_t$, for steps that lower the loss by $\mu |\nabla L|^2/2$ at least",
    ),
    "balance": Formula(
        r"""
        B_t = U_t^\top U_t - V_t^\top V_t, \qquad |B_t| \leq |B_0| + 2\mu (L_0 - L_t) \\
        |B_T - B_0| = S\ \frac{m}{\dim T} \left|\ |(I - x x^\top) Z y|^2 - |(I - y y^\top) Z^\top x|^2\ \right|
        \qquad (r_* = 1)
        """,
        r"$L$ is the loss, $x y^\top$ the truth of rank one, $Z = A^* A(x y^\top)$, $T$ the tangent space of the "
        r"truth, and $S \propto \mu$ says how far the factors turn from the singular vectors of $Z$ to the truth, "
        r"whatever $\alpha$",
    ),
    "baselines": Formula(
        r"""
        |Z_{r_*} - X Y'|/|X Y'| \to \sqrt{2 s^2 \left(1 - \frac{r_*}{2d}\right) + 3 s^4}, \qquad s^2 = d r_*/m \\
        \frac{m_*}{d^2} = \inf_t\ \rho + (1 - \rho)
        \left(\rho (1 + t^2) + (1 - \rho) \int (u - t)_+^2\ \varphi(u)\ du\right),
        \qquad \rho = r_*/d \\
        \delta_{2r_*+1} \leq \left(1 + 2 \sqrt{(2 r_* + 1) d/m}\right)^2 - 1
        """,
        "$Z_{r_*}$ is the best approximation of $Z = A^* A(X Y')$ of rank $r_*$, the least nuclear norm is the "
        r"truth from $m_*$ measurements on, and $\varphi$ is the law of the singular values of a square Gaussian "
        "matrix, a quarter circle on $[0, 2]$",
    ),
}
