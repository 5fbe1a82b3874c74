"""[zddf26] the average gradient outer product of a kernel fit finds the direction before the kernel learns it."""

from __future__ import annotations

from functools import lru_cache

from giantstep.claims import Allowance, Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.refusals import refuse_constant, refuse_few_dimensions
from giantstep.claims.sizes import count, local_exponent
from giantstep.errors import InputError
from giantstep.learners.kernels import fit_kernel, gradient_outer_product
from giantstep.learners.labelled import top_eigenpairs
from giantstep.problems import InnerProductKernel, Problem, Target, whole
from giantstep.problems.inputs import Isotropic
from giantstep.theory.kernels import OuterProductLaw, outer_product_law

FRESH = 2000  # inputs at which gradients are taken
CLEAR = 4.0  # the largest eigenvalue over the second: below, one sample's top vector is a mixture
MOST = 12_000  # samples: the kernel's matrix has as many rows


@lru_cache(maxsize=1024)
def limit_of(
    target: Target, kernel: InnerProductKernel, d: int, samples: int, ridge: float, noise: float
) -> OuterProductLaw:
    """What theory says of the top eigenpair."""
    return outer_product_law(target, kernel, d, samples, ridge, noise)


def is_clear(point: GradientOuterProduct) -> bool:
    """Whether the largest eigenvalue is at least four times the second."""
    return point.limit.lead >= CLEAR


def beside(point: GradientOuterProduct) -> float:
    """Half of alignment (1 - alignment)."""
    return 0.5 * point.limit.alignment * (1 - point.limit.alignment)


@named(
    "spectral/gradient-outer-product",
    kind="proposition",
    cite="zddf26",
    where="the subspace at n ~ d^p; the finite law of its top vector is derived here",
    finding="n ~ d^p is enough and not needed: for He2 the direction shows from n ~ d^(5/3) on.",
)
class GradientOuterProduct(Claim):
    """After kernel ridge regression the top vector of E grad f grad f^T finds the direction once n is large enough.

    A kernel learns a part of degree k from n ~ d^k on; its gradients show a direction earlier. What hides He2 is the
    noise in the fit's linear part, an eigenvalue of size d/n, against n^2/d^4 of the direction: they cross at
    n ~ d^(5/3), where the fit still explains nothing. Beyond, 1 - alignment falls as d/n. For targets with a linear
    part it does so from n ~ d on. All factors follow from the equivalence of kernel ridge regression to a Gaussian
    sequence.
    """

    target: parameters.Target = parameters.target("He2(x1)/sqrt(2)")
    kernel: parameters.Kernel = parameters.kernel("exp")
    d: int = parameters.dimension(48, le=400)
    sample_exponent: float = parameters.sample_exponent(1.8, ge=0.8, le=3)
    ridge: float = parameters.ridge(0.01, help="ridge on the diagonal of the kernel's matrix", path=False, le=100)
    noise: float = parameters.noise(0.5)

    quantities = (
        quantity.equal(
            "alignment",
            Allowance(beside) + Allowance(1, power=-1),
            "eigenvalues of direction and noise, whose ratio it is, are each right to relative order d^(-1/2); and 1/d",
            help="squared overlap of the top vector: with the direction",
            symbol=r"\langle v, u_1\rangle^2",
            when=is_clear,
        ),
        quantity.equal(
            "top",
            Allowance(3, of="prediction", power=-1),
            "|x|^2/d varies by (2/d)^(1/2), and what the kernel learns with it: in the mean by a few times 1/d",
            help="largest eigenvalue of the outer product: of gradients, in the mean",
            symbol=r"\lambda_1",
            when=is_clear,
        ),
        quantity.increasing("alignment", "sample_exponent", "from the noise of the linear part to the direction"),
        quantity.slope(
            "misalignment",
            "d",
            lambda point: point.own_exponent,
            0.2,
            "the exponent is that of the finite law over d, 2 d and 4 d; higher orders in 1/d move it",
            help="1 minus the squared overlap",
            symbol=r"1 - \langle v, u_1\rangle^2",
        ),
    )
    views = (
        view.Curve(
            "sample_exponent", [1.2, 1.5, 1.8, 2.1], ("alignment", "top"),
            title="He2: the direction shows at n ~ d^(5/3)",
        ),
        view.Curve(
            "d", [24, 36, 54], ("misalignment",), at={"sample_exponent": 2}, seeds=56,
            log_x=True, log_y=True, title="He2 at n = d^2",
        ),
        view.Curve(
            "d", [32, 64, 128], ("misalignment", "top"), at={"target": "x1", "sample_exponent": 1.5},
            log_x=True, log_y=True, title="A linear target at n = d^1.5",
        ),
        view.Curve(
            "sample_exponent", [1.5, 1.8], ("alignment", "top"),
            at={"target": "x1/2 + He2(x1)/sqrt(2)", "ridge": 1, "kernel": "(1 + t)**3"}, seeds=32,
            title="Both parts, another kernel",
        ),
    )  # fmt: skip
    presets = {
        "quadratic": {"sample_exponent": 2.0},
        "linear": {"target": "x1", "sample_exponent": 1.5},
        "before-the-kernel": {"sample_exponent": 1.8},
    }
    default_seeds = 32
    line_places = 25

    def check(self) -> None:
        refuse_constant(self.target)
        refuse_few_dimensions(self.target, self.d)
        if self.target.single_index is None:
            raise InputError(f"the target {self.target} depends on several directions; {self.name} is about one")
        if not self.kernel.is_power_series:
            raise InputError(f"the kernel {self.kernel} depends on lengths too; take a function of t, such as exp")
        if self.samples > MOST:
            raise InputError(
                f"sample_exponent = {self.sample_exponent:g} and d = {self.d} make {self.samples} samples; at most "
                f"{MOST} are allowed"
            )

    @property
    def samples(self) -> int:
        return count(1.0, self.d, self.sample_exponent, least=4)

    @property
    def limit(self) -> OuterProductLaw:
        return limit_of(self.target, self.kernel, self.d, self.samples, self.ridge, self.noise)

    @property
    def own_exponent(self) -> float:
        """The power of d in 1 - alignment by the finite law itself, n = d^kappa."""

        def misaligned(d: int) -> float:
            n = count(1.0, d, self.sample_exponent, least=4)
            found = limit_of(self.target, self.kernel, d, n, self.ridge, self.noise)
            return max(1 - found.alignment, 1e-12)

        return local_exponent(misaligned, self.d)

    def predict(self) -> Prediction:
        found = self.limit
        note = (
            f"the fit has {found.shrinkage[0]:.3g} of the linear and {found.shrinkage[1]:.3g} of the quadratic part; "
            f"their eigenvalues are {found.linear:.3g} and {found.curved:.3g}"
        )
        return Prediction(
            {"alignment": found.alignment, "top": found.top, "misalignment": 1 - found.alignment},
            regime="d large, n a power of d, to leading order in 1/d",
            notes=(note,),
        )

    def measure(self, run: Run) -> Measurement:
        problem = Problem(self.target, d=self.d, noise=self.noise)
        x, y = whole(problem.sample(self.samples, run.streams.child("sample")))
        fit = fit_kernel(self.kernel, x, y, self.ridge)
        run.progress(0.7)
        fresh = Isotropic().draw(run.streams.child("fresh").generator(), FRESH, self.d)
        values, vectors = top_eigenpairs(gradient_outer_product(fit, fresh))
        pair = self.target.single_index
        assert pair is not None
        along = float((vectors[: len(pair[1]), 0] @ pair[1]) ** 2)
        return Measurement({"alignment": along, "top": float(values[0]), "misalignment": 1 - along})

    def cost(self) -> Cost:
        n, d = self.samples, self.d
        return Cost(
            n**3 / 3 + 2 * n**2 * d + 60 * n * (n + FRESH) + 4 * FRESH * n * d, 8.0 * (n**2 + 3 * 512 * n) + 2e7
        )
