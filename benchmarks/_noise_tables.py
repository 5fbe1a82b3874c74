"""Tables in which the label has nothing to do with the inputs: what whole diagnoses say of them.

Inputs are Gaussian, heavy-tailed, correlated or mixed (lognormal, rare and even columns of 0 and 1), labels Gaussian,
heavy-tailed, exponential, 0 and 1, a rare class or three classes; every pair in turn. An alarm is any dependence that
is told: "found", a direction or a winner. Told beside it is how often something is seen "beside the linear part".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

import numpy as np
from scipy.stats import beta

from giantstep.arrays import Array
from giantstep.estimators.diagnosis import diagnose_table
from giantstep.estimators.diagnosis.reading import table_from

N, D = 120, 8
RARE = 18  # rows of the rare class; fewer than ten would be refused
AIM, Q = 0.05, (0.025, 0.975)
Draw = Callable[[np.random.Generator], Array]


def _mixed(generator: np.random.Generator) -> Array:
    x = generator.lognormal(0.0, 1.0, (N, D))
    x[:, 0::3] = x[:, 0::3] > 1
    x[:, 1] = generator.uniform(size=N) < 0.08
    return x


def _correlated(generator: np.random.Generator) -> Array:
    return generator.standard_normal((N, D)) + 2 * generator.standard_normal((N, 1))


INPUTS: dict[str, Draw] = {
    "Gaussian": lambda generator: generator.standard_normal((N, D)),
    "heavy-tailed": lambda generator: generator.standard_t(2.5, (N, D)),
    "correlated": _correlated,
    "mixed": _mixed,
}
LABELS: dict[str, Callable[[np.random.Generator], object]] = {
    "Gaussian": lambda generator: generator.standard_normal(N),
    "heavy-tailed": lambda generator: generator.standard_t(2.0, N),
    "exponential": lambda generator: generator.exponential(1.0, N),
    "0 and 1": lambda generator: generator.integers(0, 2, N).astype(float),
    "rare class": lambda generator: np.where(generator.permutation(N) < RARE, "ill", "well"),
    "three classes": lambda generator: generator.choice(["a", "b", "c"], N),
}


def show_alarms(count: int, seed: int = 0) -> None:
    """Diagnose `count` tables and tell how many raised an alarm, by kinds of inputs and labels."""
    pairs = list(product(INPUTS, LABELS))
    asked: Counter[str] = Counter()
    alarms: Counter[str] = Counter()
    rest = 0
    for number in range(count):
        inputs, labels = pairs[number % len(pairs)]
        generator = np.random.default_rng([seed, number])
        told = diagnose_table(table_from(INPUTS[inputs](generator), LABELS[labels](generator)), number)
        is_alarm = told.found or told.n_directions > 0 or told.winner is not None
        rest += told.rest is not None and told.rest.is_found
        kinds = (f"inputs {inputs}", f"labels {labels}", "all")
        asked.update(kinds)
        if is_alarm:
            alarms.update(kinds)
            print(f"  table {number} ({inputs}, {labels}): {told!r}, p = {told.anything.p_value:.3g}", flush=True)
    for kind in sorted(asked):
        print(f"{kind:<24} {alarms[kind]:>4} of {asked[kind]}")
    print(f"something seen beside the linear part: {rest} of {count}")
    many = alarms["all"]
    low = beta.ppf(Q[0], many, count - many + 1) if many else 0.0
    high = beta.ppf(Q[1], many + 1, count - many) if many < count else 1.0
    verdict = "met" if many <= AIM * count else "MISSED"
    print(f"false alarms: {many / count:.1%} (95 %: {low:.1%} to {high:.1%}; aim <= {AIM:.0%})  {verdict}")
