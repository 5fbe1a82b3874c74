"""[gtxekz26] the risk of quadratic networks with weight decay has a double descent in their width."""

from __future__ import annotations

from giantstep.claims import Allowance, Measurement, Prediction, Run, named, quantity, view
from giantstep.claims.quadratic._quadratic import QuadraticClaim, scarce

WIDTHS = (1, 3, 8, 20, 40, 100)


@named(
    "quadratic/width",
    kind="theorem",
    cite="gtxekz26",
    where="error of a network of given width; state evolution of [dxgtezlk25]",
)
class Width(QuadraticClaim):
    """The risk of a quadratic network falls with its width, rises while it learns the noise, and falls again.

    At a fixed number of samples. Each neuron first adds an eigenvector of the truth, in the order of their sizes; then
    what is left of the truth is hidden in the noise, and further neurons fit noise, the more the fewer parameters are
    left over, up to about where all samples can be fitted; from there on weight decay chooses among ever more networks
    a smooth one. From the width on at which `rank` stops to grow the problem is convex, and width changes nothing.
    """

    quantities = (
        quantity.equal(
            "risk", Allowance(scarce, of="prediction").times(1.5),
            "next order in d/n: few eigenvectors are learned, and samples along them are unlike others; its number is "
            "measured: 0 to 2.6 % at d = 100, n = 5000 (24 seeds), 0 to 1.2 % at d = 200, n = 20,000",
            help="squared distance from the truth, over d", symbol=r"|S - S_*|^2/d",
        ),
        quantity.equal(
            "training_error", Allowance(scarce, of="prediction").times(1.5), "as for the risk",
            help="mean squared residual", symbol=r"\mathrm{mse}",
        ),
        quantity.equal(
            "rank", Allowance(0.03, of="prediction", at=100, power=-1), "corrections of order 1/d",
            help="eigenvalues of S that are not 0", symbol=r"\mathrm{rank}\ S",
        ),
        quantity.at_most(
            "gradient", Allowance(0.0), "L-BFGS ends where the loss has its last digit",
            help="length of the gradient at the end, in units of the decay's: at most 0.001",
        ),
    )  # fmt: skip
    views = (
        view.Curve("neurons", WIDTHS, ("risk", "training_error", "rank"), log_x=True, title="along the width"),
        view.Curve(
            "decay",
            (0.2, 0.4),
            ("risk", "rank"),
            at={"neurons": 100},
            log_x=True,
            title="wide networks",
            line_places=60,  # the rank falls in steps, one for each eigenvalue that is no longer seen
        ),
        view.Curve("noise", (0.3, 1), ("risk",), title="8 neurons, against the noise"),
    )
    presets = {
        "figure": {"d": 400, "samples": 26515, "neurons": 9, "noise": 0.1**0.5, "decay": 0.0407,
                   "spectrum_exponent": 1.25},
        "convex": {"neurons": 100},
        "peak": {"neurons": 20},
    }  # fmt: skip
    default_seeds = 14
    line_places = 13

    def predict(self) -> Prediction:
        limit = self.limit
        values = {"risk": limit.risk, "training_error": limit.training_error, "rank": limit.used, "gradient": 1e-3}
        told = (
            f"eigenvalues above {max(limit.threshold, limit.noise_edge):.3g} are seen, and lose {limit.threshold:.3g}"
        )
        return Prediction(values, "d, n to infinity with n/d^2 fixed; the width of order d or less", (told,))

    def measure(self, run: Run) -> Measurement:
        fit = self.fitted(run)
        values = {
            "risk": self.risk_of(fit),
            "training_error": 2 * fit.training_error / self.d,
            "rank": self.rank_of(fit),
            "gradient": fit.gradient,
        }
        return Measurement(values)
