"""The parameters that several claims share: one name, one symbol, one set of bounds; each claim chooses a default.

A claim may say more: `parameters.neurons(40, help="neurons, an even number", ge=4, le=4096)`. A text replaces the usual
one, a bound the usual one of its side. A name that stands here is declared through this file in every claim; a name
that one claim alone has is declared there, with `parameters.own`. `Target`, `Activation` and `Kernel` are the types of
fields that are written as text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias

from pydantic import Field

from giantstep import problems
from giantstep.claims.fields import ActivationField, TargetField, WrittenAsText

Target: TypeAlias = TargetField
Activation: TypeAlias = ActivationField
if TYPE_CHECKING:
    Kernel: TypeAlias = problems.InnerProductKernel
else:

    def __getattr__(name: str) -> Any:
        """`Kernel`: few claims have one, and the others do not load what kernels are made of."""
        if name != "Kernel":
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
        return Annotated[problems.InnerProductKernel, WrittenAsText(problems.InnerProductKernel)]


LOWER, UPPER = frozenset({"ge", "gt"}), frozenset({"le", "lt"})
PAIRED = "neurons, an even number: they come in pairs so that f = 0"


def own(
    default: Any,
    help: str,
    *,
    symbol: str = "",
    path: bool = False,
    words: tuple[str, str] | None = None,
    **bounds: Any,
) -> Any:
    """A parameter that this claim alone has.

    Args:
        default: its value where none is given.
        help: what it is, in a few words.
        symbol: its symbol in the papers, as LaTeX.
        path: whether one simulation gives all values of it (step sizes on one draw, ridge penalties from one
            factorisation), so that a grid over it costs one run.
        words: what legends call it where it is on and where it is off, for what is one or the other.
        bounds: `ge`, `gt`, `le`, `lt`.
    """
    told: dict[str, Any] = {"symbol": symbol, "path": path} | ({"words": words} if words else {})
    return Field(
        default,
        description=help,
        validate_default=True,
        json_schema_extra=told,
        **bounds,
    )


class Shared(Protocol):
    """Declares a parameter with this default."""

    def __call__(
        self, default: Any, *, help: str = ..., symbol: str = ..., path: bool = ..., **bounds: float
    ) -> Any: ...


def _shared(
    help: str,
    symbol: str = "",
    *,
    path: bool = False,
    words: tuple[str, str] | None = None,
    read: Callable[[Any], Any] | None = None,
    **usual: float,
) -> Shared:
    """A parameter that is described so wherever a claim does not say otherwise."""

    def declare(default: Any, *, help: str = help, symbol: str = symbol, path: bool = path, **bounds: float) -> Any:
        said = [side for side in (LOWER, UPPER) if side & bounds.keys()]
        kept = {key: value for key, value in usual.items() if not any(key in side for side in said)}
        return own(read(default) if read else default, help, symbol=symbol, path=path, words=words, **kept, **bounds)

    return declare


# What is learned, and from what.
target = _shared("what is learned, of x1, x2, ...", "f^*", read=problems.Target)
noise = _shared("standard deviation of label noise", r"\sigma_\varepsilon", ge=0)
dimension = _shared("input dimension", "d", ge=16)
samples = _shared("samples", "n", ge=2)
samples_per_dim = _shared("samples per dimension", r"\psi_1 = n/d", gt=0)
samples_per_square = _shared("samples per squared dimension", "n/d^2", gt=0)
step_samples_per_dim = _shared("samples of the step per dimension", r"n_1/d", gt=0)
sample_exponent = _shared("exponent of the batch size", r"\kappa,\ n = d^\kappa", gt=0, le=8)
sample_factor = _shared("batch size over its power of d", "c", gt=0)
strength_exponent = _shared("exponent of the spike's strength", r"\gamma,\ \theta = d^\gamma", ge=-2, le=0.9)
alignment_exponent = _shared("exponent of the alignment of spike and target", r"\gamma_1", ge=0, le=0.5)
directions = _shared("directions of the target", "r", ge=1, le=64)
condition = _shared("largest over smallest eigenvalue of H", r"h_1/h_r", ge=1, le=100)
spectrum_exponent = _shared("exponent of the spectrum of the truth", r"\gamma", ge=0, le=4)
preprocess = _shared(
    "whether labels lose their mean and linear part before the step",
    words=("labels without mean and linear part", "labels as they are"),
)

# Who learns, and from where.
activation = _shared("activation of the network", r"\sigma", read=problems.Activation)
neurons = _shared("neurons", "p", ge=1)
neurons_per_dim = _shared("neurons per dimension", r"\psi_2 = N/d", gt=0)
neuron_exponent = _shared("exponent of the number of neurons", r"b,\ p = d^b", gt=0, le=4)
neuron_factor = _shared("neurons over their power of d", "p/d^b", gt=0)
kernel = _shared(
    "kernel, as a function of t = <x, x'>/d, or arccos1, or ntk(relu)",
    "g",
    read=lambda text: problems.InnerProductKernel(text),
)
rank = _shared("rank of the model: columns of its factors", "r", ge=1, le=8192)
second_layer = _shared("law of the second layer", "a")
scale = _shared("size of the start", r"\alpha", gt=0, le=10)
starts = _shared("random starts, all at once", "B", ge=1, le=4096)

replicas = _shared("runs of one seed, done together", "R", ge=1, le=100_000)

# How it learns.
step = _shared("step size", r"\eta", gt=0)
step_exponent = _shared("growth of the step with the width", r"\alpha,\ \eta = c N^\alpha", ge=0, le=0.5)
look_ahead = _shared("the trial step is look_ahead/d times the gradient; 0 is one pass", r"\rho", ge=0, le=10)
budget = _shared("most samples per dimension", r"n_{\max}/d", ge=1, le=10**6)
steps = _shared("number of gradient steps", "t", ge=1, le=1000)
ridge = _shared("ridge penalty", r"\lambda", path=True, gt=0)
decay = _shared("weight decay, of the squared weights over d", r"\tilde\lambda", gt=0, le=100)
preconditioner = _shared("what precedes the gradient: nothing, Sigma^-1")
temperature = _shared("temperature", r"\lambda", gt=0, le=0.5)

# Parities and gradients.
order = _shared("signs in the parity", "k", ge=1, le=6)
stretch_exponent = _shared("exponent of the stretch", r"\alpha", ge=0, le=1)
gradient_samples = _shared("samples of the gradient", "n", ge=100, le=10**8)

# Matrices that are sensed.
true_rank = _shared("rank of the truth", "r_*", ge=1)
condition = _shared("largest over smallest singular value of X", r"\kappa", ge=1, le=10)
columns = _shared("rows of V", "d_2", ge=2, le=4096)
oversampling = _shared("measurements per degree of freedom", r"m/(d r_*)", gt=0, le=1e6)
measured = _shared("m measurements, or infinitely many")
model = _shared("U U' or U V'")
