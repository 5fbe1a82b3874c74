"""The formulas of directions that are learned one after another."""

from __future__ import annotations

from giantstep.claims.formulas import Formula

FORMULAS = {
    "scaling-law": Formula(
        r"""
        f^* = \sum_p p^{-\beta}\ He_k(\langle v_p, x\rangle)/\sqrt{k!},
        \qquad f = \sum_i |w_i|^2\ He_k(\langle w_i, x\rangle/|w_i|)/\sqrt{k!} \\
        \frac{dm_p}{dt} = k\ p^{-\beta}\ m_p^{k-1}\ (1 - m_p^2), \qquad t_p \sim \frac{p^\beta}{k(k-2)\ m_p(0)^{k-2}} \\
        R(t) \approx \sum_{p:\ t_p > t} p^{-2\beta} \sim t^{-(2\beta - 1)/\beta}
        """,
        r"$m_p$ is the overlap with $v_p$ of the neuron that is first there; what its mass $|w|^2$ needs to grow from "
        r"$\rho_0$ adds a logarithm to $t_p$",
    ),
}
