"""The exact test risk against a Monte-Carlo estimate of the same accuracy.

    python benchmarks/exact_risk.py

d = 256, N = 512, after one step and a ridge head. The accuracy of the exact risk is its own error bound; Monte-Carlo
would need (standard error of one point / bound)^2 points. What can be afforded is timed, the rest is extrapolated
from the cost per point. Also said: what it would take for three digits only.
"""

from __future__ import annotations

from _measure import Time, header, interleaved, row
from giantstep.learners.engines import GiantStep, take_step
from giantstep.learners.heads import RidgeHead, fit_head
from giantstep.learners.networks import BES22, StepConvention, initialise
from giantstep.learners.risk import feature_moments, monte_carlo_risk
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

D, NEURONS, POINTS, THREADS = 256, 512, 32_768, 2


def measure(activation: str, target: str) -> list[str]:
    problem = Problem(Target(target), D, noise=0.1)
    net = initialise(BES22, Activation(activation), D, NEURONS, Streams(1))
    step = GiantStep(4.0, StepConvention.BES22_SLIDE)
    net, _ = take_step(net, problem.sample(4 * D, Streams(2)), step, threads=THREADS)
    net = fit_head(net, problem.sample(8 * D, Streams(3)), RidgeHead(0.1), threads=THREADS).network(net)
    moments = feature_moments(net, problem)
    exact = float(moments.risk(net.coefficients))
    bound = float(moments.risk_error(net.coefficients))
    check = monte_carlo_risk(net, problem, POINTS, Streams(4), threads=THREADS)
    times = interleaved(
        3,
        exact=lambda: feature_moments(net, problem).risk(net.coefficients),
        sampled=lambda: monte_carlo_risk(net, problem, POINTS, Streams(4), threads=THREADS),
    )
    rows = [f"{activation} on {target}: risk {exact:.8f}, Monte-Carlo z = {(check.value - exact) / check.stderr:+.1f}"]
    for what, accuracy in (("to 3 digits", 1e-3 * exact), (f"to its own bound {bound:.0e}", bound)):
        times_longer = (check.stderr / accuracy) ** 2
        sampled = Time(times["sampled"].wall * times_longer, times["sampled"].cpu * times_longer)
        rows.append(row(f"    Monte-Carlo over exact, {what}", sampled, times["exact"], ">= 1"))
    return rows


if __name__ == "__main__":
    print(header("Monte-C.", "exact"))
    for pair in (("erf", "erf(x1)"), ("tanh", "relu(x1)"), ("relu", "x1 + He2(x1)*x2")):
        for line in measure(*pair):
            print(line, flush=True)
