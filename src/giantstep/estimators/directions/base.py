"""The contract of all directions: whiten, find, decide how many by permutations, score on held-out rows."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from giantstep.arrays import Array, Floats
from giantstep.checks import real_number, whole_number
from giantstep.errors import InputError
from giantstep.estimators.directions.held_out import held_out_scores
from giantstep.estimators.directions.permutation import Found, decide, permutations
from giantstep.estimators.directions.statistics import Orders, Search
from giantstep.estimators.labels import Labels
from giantstep.estimators.scikit import (
    BaseEstimator,
    TransformerMixin,
    checked_rows,
    generator_of,
    shares,
    validate_data,
)
from giantstep.estimators.whitening import Whitening


class Directions(TransformerMixin, BaseEstimator):
    """Directions of X on which y depends; each method is a class of its own.

    Args:
        n_directions: how many, or "auto" to let permutations of the labels decide.
        permutations: how many; 60 or more for "auto", or 0 with a number of directions, which then has no p-values.
        level: the largest p-value that "auto" accepts: how often labels that have nothing to do with X seem to have.
        shrinkage: of the covariance in whitening, from 0 to 1, or "auto" (`Whitening`).
        gaussianise: whether columns are mapped to normal scores first.
        random_state: of permutations and folds, as everywhere in scikit-learn.
        verbose: whether the fit tells how far it is.

    Fitted attributes, with k directions:

    - `n_directions_`: k; `directions_`: orthonormal rows (k, d) in the units of X; `whitened_directions_`: orthonormal
      rows (k, rank) in whitened coordinates, which `transform` uses; `standardised_directions_`: rows of unit length
      (k, d) in units of standardised X, whose entries compare columns; `whitening_`: the fitted `Whitening`.
    - `strengths_`: (k,), what the method calls large; `spectrum_`: the leading strengths, also beyond k.
    - `p_values_`: of each direction and, after "auto", of the first that was not accepted; `edges_`: the strengths
      that 5 % of permuted labels exceed at the same tests.
    - `scores_`: (k,), R^2 on held-out rows from the first 1, 2, ..., k directions, found anew without these rows.
    - `gaussian_edge_`, `gaussian_overlaps_`: the edge of noise and the overlaps |cos| with the true directions that
      theory gives for Gaussian inputs at these strengths; None where there is no law. They decide nothing.
    """

    def __init__(
        self,
        n_directions: int | str = "auto",
        *,
        permutations: int = 99,
        level: float = 0.02,
        shrinkage: float | str = "auto",
        gaussianise: bool = False,
        random_state: Any = None,
        verbose: Any = False,
    ) -> None:
        self.n_directions = n_directions
        self.permutations = permutations
        self.level = level
        self.shrinkage = shrinkage
        self.gaussianise = gaussianise
        self.random_state = random_state
        self.verbose = verbose

    @abstractmethod
    def _search(self, z: Array, weight: Array, labels: Labels) -> Search:
        """The method at work on whitened rows `z` (n, r) with shares `weight` (n,) and `labels`."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the directions.

        Args:
            X: the table, (n, d).
            y: labels, (n,) or (n, outputs): numbers, or classes as texts.
            sample_weight: weights of the rows, (n,); None for equal ones.
        """
        wanted = self._wanted()
        x, y = validate_data(self, X, y, dtype=[np.float64, np.float32], multi_output=True, ensure_min_samples=2)
        weight = shares(sample_weight, x)
        there = weight > 0
        x, y, weight = x[there], y[there], weight[there]
        if len(x) < 2:
            raise InputError("directions need at least 2 samples of positive weight, got 1 sample")
        labels = Labels.of(y, weight)
        generator = generator_of(self.random_state)
        self._seed = int(generator.integers(2**31))
        self.whitening_ = Whitening(shrinkage=self.shrinkage, gaussianise=self.gaussianise).fit_rows(x, weight)
        z = self.whitening_.rows(x)
        orders = permutations(len(z), self.permutations, generator)
        found = self._find(z, weight, labels, orders, wanted)
        self._keep(found)
        law = self._theory(z, weight, labels, found) if z.shape[1] else (None, None)  # none of constant columns
        self.gaussian_edge_, self.gaussian_overlaps_ = law
        self.scores_ = self._score(x, weight, labels, generator)
        return self

    def transform(self, X: Any) -> Floats:
        """Coordinates along the directions, (n, k), of the rows of `X`: mean 0, variance near 1, uncorrelated."""
        x = checked_rows(self, X)
        return np.asarray(self.whitening_.rows(x) @ self.whitened_directions_.T).astype(x.dtype, copy=False)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the coordinates, "lineardirection0" and so on; `input_features` is not needed."""
        del input_features
        name = type(self).__name__.lower()
        return np.array([f"{name}{number}" for number in range(self.n_directions_)], dtype=object)

    def _find(self, z: Array, weight: Array, labels: Labels, orders: Orders, wanted: int | None) -> Found:
        if z.shape[1] == 0:  # constant columns alone
            return Found(z[:0], *(np.zeros(0) for _ in range(4)))
        return decide(self._search(z, weight, labels), orders, wanted, self.level, self.verbose and len(orders) > 0)

    def _theory(self, z: Array, weight: Array, labels: Labels, found: Found) -> tuple[float | None, Array | None]:
        """The edge and the overlaps that Gaussian inputs would give; None where there is no law."""
        del z, weight, labels, found
        return None, None

    def _keep(self, found: Found) -> None:
        self.n_directions_ = len(found.directions)
        self.whitened_directions_ = found.directions
        self.directions_ = self.whitening_.units_of_x(found.directions)
        self.standardised_directions_ = self.whitening_.standardised(found.directions)
        self.strengths_, self.spectrum_ = found.strengths, found.spectrum
        self.p_values_, self.edges_ = found.p_values, found.edges

    def _score(self, x: Floats, weight: Array, labels: Labels, generator: np.random.Generator) -> Array:
        k = self.n_directions_
        if k == 0 or len(x) < 12:
            return np.full(k, np.nan)

        def find(rows: np.ndarray) -> Any:
            share = weight[rows] / weight[rows].sum()
            white = Whitening(shrinkage=self.shrinkage, gaussianise=self.gaussianise).fit_rows(x[rows], share)
            z = white.rows(x[rows])
            none = np.empty((0, len(rows)), dtype=np.intp)
            directions = self._find(z, share, labels[rows], none, k).directions
            return lambda other: white.rows(x[other]) @ directions.T

        return held_out_scores(labels.columns, weight, find, generator)

    def _wanted(self) -> int | None:
        """How many directions are wanted, None for "auto"; parameters that are not allowed get a sentence."""
        real_number("level", self.level, "a number above 0 and at most 1", least=1e-300, most=1)
        if isinstance(self.n_directions, str):
            if self.n_directions != "auto":
                raise InputError(f"n_directions = {self.n_directions!r} is not allowed; it must be 'auto' or a number")
            whole_number("permutations", self.permutations, least=60)
            if (1 + self.permutations) * self.level < 1:
                raise InputError(f"level = {self.level:g} needs {1 / self.level - 1:.0f} permutations or more")
            return None
        whole_number("permutations", self.permutations, least=0)
        return whole_number("n_directions", self.n_directions)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
