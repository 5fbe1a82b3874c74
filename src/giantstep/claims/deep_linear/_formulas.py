"""The formulas of deep linear networks, for the loss (1/2) |W_L ... W_1 - M|^2."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

FORMULAS = {
    "sequential": Formula(
        r"""
        \dot u_k = L\ u_k^{2 - 2/L} (s_k - u_k), \qquad L(t) = \frac{1}{2} \sum_k (s_k - u_k(t))^2 \\
        t_{1/2} = \frac{1}{2 s_k} \ln \frac{s_k - u_0}{u_0} \quad (L = 2),
        \qquad t_{1/2} \approx \frac{\epsilon^{-(L - 2)}}{(L - 2)\ s_k} \quad (L > 2,\ \epsilon \to 0)
        """,
        r"$u_k$ is the strength of the mode with singular value $s_k$, from $u_0 = \epsilon^L$ at an aligned start "
        "of $L$ layers; a random start of two layers has an effective $u_0$ of its own in each mode",
    ),
}
