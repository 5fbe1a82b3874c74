"""What the claims of [bes22] about large steps share: a target of one direction, and a neuron that imitates it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from giantstep.claims import Cost, Run, parameters
from giantstep.claims.bes22._proportional import GrowingStepClaim
from giantstep.claims.bes22._ridge import FeaturesClaim
from giantstep.claims.sizes import count
from giantstep.errors import InputError
from giantstep.learners import smoothed_misfit, unseen_part
from giantstep.learners.networks import BES22, Network, SecondLayer, initialise
from giantstep.learners.training import FirstGradient
from giantstep.streams import Streams
from giantstep.theory.ridge.large import floor_at, imitation


class ImitationClaim(GrowingStepClaim, FeaturesClaim):
    """A claim about steps of size sqrt(N) and a target of one direction."""

    activation: parameters.Activation = parameters.activation("erf")
    target: parameters.Target = parameters.target("erf(x1)", help="what is learned, a function of one direction")
    d: int = parameters.dimension(200)
    samples_per_dim: float = parameters.samples_per_dim(8.0)
    neurons_per_dim: float = parameters.neurons_per_dim(2.0)

    def check(self) -> None:
        super().check()
        if self.target.single_index is None:
            raise InputError(f"the target {self.target} is not a function of one direction; write one such as erf(x1)")


class LargeStepClaim(ImitationClaim):
    """The same with a head on samples of any number, at one penalty or the best."""

    head_samples_per_dim: float | None = parameters.own(
        None, "samples of the second layer per dimension; as many as the step's unless given", symbol=r"\psi_1'", gt=0
    )
    ridge: float | None = parameters.ridge(None, help="ridge penalty; without it the best of a grid for each draw")
    second_layer: Literal["gaussian", "signs", "ones"] = parameters.second_layer("gaussian", help="law of a_j sqrt(N)")

    def network(self, streams: Streams) -> Network:
        laws: dict[str, SecondLayer] = {"gaussian": "gaussian/N", "signs": "signs/N", "ones": "ones/N"}
        init = replace(BES22, second=laws[self.second_layer])
        return initialise(init, self.activation, self.d, self.neurons, streams.child("network"))

    @property
    def head_samples(self) -> int:
        return count(self.head_samples_per_dim or self.samples_per_dim, self.d)

    @property
    def shows_rate(self) -> bool:
        """Whether the risk is so near its limit in size and width that the power of the samples is seen: without noise,
        at a good step, for a target that one neuron imitates well."""
        wide = self.step_exponent == 0.5 and 2 <= self.step <= 8 and self.neurons_per_dim >= 4
        tuned = self.ridge is None and self.head_samples_per_dim is None and self.noise == 0
        return wide and tuned and self.samples_per_dim >= 8 and imitation(self.target, self.activation).beats_kernels

    @property
    def crosses(self) -> bool:
        """Whether the claim says that the bound is undercut: the theorem speaks, for an oracle's penalty, of psi1 large
        enough without saying how large; without noise eight samples and two neurons per dimension are."""
        spoken = self.step_exponent == 0.5 and self.ridge is None and 1 <= self.step <= 8
        spoken = spoken and self.head_samples >= self.samples
        enough = self.samples_per_dim >= 8 and self.neurons_per_dim >= 2 and self.noise == 0
        return spoken and enough and imitation(self.target, self.activation).beats_kernels

    def one_neuron(self, first: FirstGradient, run: Run) -> tuple[dict[str, float], dict[str, float]]:
        """What one direction leaves unseen and one neuron misses, from samples; and theory for the direction drawn."""
        assert self.target.single_index is not None
        link, towards = self.target.single_index[0], float(first.direction @ self.linear_direction())
        measured = {
            "unseen": unseen_part(link, towards, run.streams.child("one direction")),
            "unseen_slopes": unseen_part(link, towards, run.streams.child("one direction"), slopes=True),
            "tau_star": smoothed_misfit(link, self.activation, run.streams.child("one neuron")),
        }
        seen = {"unseen": False, "unseen_slopes": True}
        return measured, {name: float(floor_at(link, towards**2, slopes=slopes)) for name, slopes in seen.items()}

    def cost(self) -> Cost:
        n, d, width = max(self.samples, self.head_samples), self.d, self.neurons
        one_network = n * width * (2 * d + width) + 400 * width**2 + 30 * min(n, width) ** 3 + 25 * width**3
        return Cost(4 * n * d * width + one_network, 8 * (4 * d * width + 8 * width**2) + 1e8, one_network)


def learned_part(point: LargeStepClaim) -> float:
    """eta^2/N, of which order is the variance that the step adds to a preactivation, and with it what the features may
    have learned of P_{>1} f*; nothing where they have nothing in common with it."""
    return point.eta**2 / point.neurons if imitation(point.target, point.activation).learns_more else 0.0
