"""Ridge regression on the kernels of infinitely wide networks with biases, and its risk without a test set.

With w ~ N(0, I/d) and b ~ N(0, 1) a neuron's preactivations at x and x' have covariance v = <x, x'>/d + 1, and

    conjugate kernel   k = E[s s']                      only the second layer is trained: random features, N = infinity
    tangent kernel     k = E[s s'] + v E[s_1 s_1']      all layers are trained near their start (s_1 the derivative)

where s, s' are the activation at x and x'. Without biases a ReLU kernel has no odd degrees from 3 on. Both depend on
lengths and angle only, k(x, x') = sum_l g_l(t, t') P_l(c) with x = sqrt(d) t u and c = <u, u'>, so that for f = sum_i
alpha_i k(x, x_i)

    E f^2 = sum_l (1/n_l) sum_ij alpha_i alpha_j P_l(<u_i, u_j>) E_t[g_l(t, t_i) g_l(t, t_j)],
    E f f* = sum_l sum_i alpha_i P_l(<u_i, b>) E_{t,c}[g_l(t, t_i) P_l(c) f*(sqrt(d) t c)]       (Funk and Hecke)

for a target f* of <x, b>: Gauss rules in t and c are all that is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.gaussian.kernels import dual_kernel, gram_kernel
from giantstep.gaussian.sphere import angle_rule, chi_square_rule, gegenbauer, harmonics
from giantstep.learners.engines.blocks import one_blas_thread
from giantstep.problems import Activation, Problem
from giantstep.problems.inputs import Isotropic

Kind = Literal["conjugate", "tangent"]

# Risks are then right to 1e-6 at d = 8, 1e-9 at d = 16; no fewer degrees than the target has are kept.
RADII = 10
ANGLES = 32
DEGREES = 14


@dataclass(frozen=True)
class BiasedKernel:
    """The kernel of an infinitely wide network whose neurons have biases.

    Args:
        activation: s, as such or as text.
        kind: "conjugate", only the second layer is trained, or "tangent", all layers near their start.
    """

    activation: Activation
    kind: Kind = "tangent"

    def __post_init__(self) -> None:
        if not isinstance(self.activation, Activation):
            object.__setattr__(self, "activation", Activation(self.activation))
        if self.kind not in get_args(Kind):
            raise InputError(f"the kind of the kernel cannot be {self.kind!r}; it must be one of {get_args(Kind)}")

    def __call__(self, square: Any, other: Any, product: Any) -> Array:
        """k as a function of |x|^2/d, |x'|^2/d and <x, x'>/d, arrays that broadcast."""
        u, v, c = square + 1.0, other + 1.0, product + 1.0
        value = dual_kernel(self.activation, self.activation, u, v, c)
        if self.kind == "tangent":
            slope = self.activation.derivative_activation
            value = value + c * dual_kernel(slope, slope, u, v, c)
        return np.asarray(value)

    def matrix(self, x: NDArray[Any]) -> Array:
        """k on all pairs of the rows of x."""
        gram = x @ x.T / x.shape[1] + 1.0
        value = gram_kernel(self.activation, gram)
        if self.kind == "tangent":
            value += gram * gram_kernel(self.activation.derivative_activation, gram)
        return value


def kernel_risks(kernel: BiasedKernel, inputs: NDArray[Any], dual: Array, problem: Problem) -> Array:
    """E (f - f*)^2 of f = sum_i alpha_i k(., x_i), (L,).

    Args:
        kernel: k.
        inputs: the samples x_i of the fit, (n, d).
        dual: alpha, (L, n).
        problem: isotropic inputs, and a target of one direction.
    """
    x = inputs
    if problem.target.single_index is None or not isinstance(problem.inputs, Isotropic):
        raise InputError(
            "the exact risk on a kernel needs a target of one direction, such as He2(x1), and N(0, I) inputs"
        )
    d = problem.d
    link, direction = problem.target.single_index
    square, weight = chi_square_rule(d, RADII)
    cosine, share = angle_rule(d, ANGLES)
    own = (x**2).sum(axis=1) / d
    radial = np.sqrt(square / d)
    product = (radial[:, None] * np.sqrt(own))[..., None] * cosine  # (radii, n, angles)
    values = kernel((square / d)[:, None, None], own[:, None], product)
    target = np.asarray(link(np.sqrt(d) * radial[:, None] * cosine))  # (radii, angles)
    polynomials = np.stack(list(islice(gegenbauer(cosine, d), max(DEGREES, problem.target.degree or 0) + 1)))
    unit = x / np.sqrt(d * own)[:, None]
    towards = gegenbauer(unit[:, : len(direction)] @ direction, d)
    squares, cross = np.zeros(len(dual)), np.zeros(len(dual))
    with one_blas_thread():
        angles = zip(polynomials, gegenbauer(unit @ unit.T, d), towards, strict=False)
        for degree, (polynomial, between, aimed) in enumerate(angles):
            number = float(harmonics(degree, d))
            g = number * (values @ (share * polynomial))  # (radii, n)
            columns = (np.sqrt(weight)[:, None, None] * g[:, None, :] * dual).reshape(-1, len(x))
            squares += ((columns @ between) * columns).sum(axis=1).reshape(RADII, -1).sum(axis=0) / number
            cross += dual @ (aimed * ((weight * (target @ (share * polynomial))) @ g))
    return squares - 2.0 * cross + float(problem.target.norm2)
