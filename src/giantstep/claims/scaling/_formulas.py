"""The formulas of scaling laws."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

FORMULAS = {
    "power-law-features": Formula(
        r"""
        e_j \leftarrow (1 - 2 \gamma B \lambda_j + \gamma^2 B (B + 1) \lambda_j^2)\ e_j + \gamma^2 B\ \lambda_j P,
        \qquad P = \sum_j \lambda_j e_j + P_\infty \\
        P \sim t^{-1 - (2b-1)/(2a)} + d^{-1} t^{-1 + 1/(2a)} + t^{-2 + 1/(2a)} + d^{-2a - \min(0, 2b-1)} \\
        \min_d P \sim f^{-(2a+2b-1)/(2a+1)},\ \ f^{-(2a+2b-1)/(2a+2b)},\ \ f^{-(4a-1)/(4a)}
        """,
        r"$\lambda_j$ are the eigenvalues of $W^T D W$ and $e_j$ the squared errors of $\theta$ along them; constants "
        r"are left out in the second line, whose second term is there for $b > 1/2$ only; the last line is for "
        r"$b < 1/2$, $1/2 < b < a$ and $b > a$, with $f = d B t$",
    ),
}
