"""xrfm as a learner of numbers: with its own defaults, and with the settings that its authors tune.

Inputs and labels are standardised, as it asks for; a fifth of the training rows is held out, as its `fit` asks for, and
chooses among its rounds and, of several settings, the best.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from giantstep.arrays import Array


class Recursive:
    """xrfm: a kernel of distances with its default settings, or the best of several."""

    def __init__(self, seed: int, settings: tuple[dict[str, Any] | None, ...] = (None,)) -> None:
        self.seed, self.settings = seed, settings

    def fit(self, x: Array, y: Array) -> Recursive:
        import torch
        from xrfm import xRFM

        torch.set_num_threads(1)
        torch.manual_seed(self.seed)
        self.mean, self.scale = x.mean(axis=0), np.maximum(x.std(axis=0), 1e-12)
        self.middle, self.spread = float(y.mean()), float(y.std()) or 1.0
        order = np.random.default_rng(self.seed).permutation(len(y))
        rows, label = self._rows(x), torch.from_numpy(((y - self.middle) / self.spread).astype(np.float32)[:, None])
        held, kept = torch.from_numpy(order[: len(y) // 5]), torch.from_numpy(order[len(y) // 5 :])
        least = np.inf
        for setting in self.settings:
            model = xRFM(setting, device=torch.device("cpu"), tuning_metric="mse", verbose=False)
            model.fit(rows[kept], label[kept], rows[held], label[held])
            missed = np.asarray(model.predict(rows[held])).ravel() - np.asarray(label[held]).ravel()
            error = float(np.mean(missed**2))
            if error < least:
                least, self.model = error, model
        return self

    def predict(self, x: Array) -> Array:
        found = np.asarray(self.model.predict(self._rows(x)), dtype=np.float64).reshape(len(x), -1)[:, 0]
        return np.asarray(found * self.spread + self.middle)

    def _rows(self, x: Array) -> Any:
        import torch

        return torch.from_numpy(((x - self.mean) / self.scale).astype(np.float32))


def _setting(kernel: str, bandwidth: float, reg: float, is_diagonal: bool) -> dict[str, Any]:
    """A setting in xrfm's words; all else as in its defaults."""
    model = {"kernel": kernel, "exponent": 1.0, "bandwidth": bandwidth, "diag": is_diagonal}
    fit = {"get_agop_best_model": True, "return_best_params": True, "reg": reg, "iters": 5, "early_stop_rfm": True}
    return {"model": {**model, "bandwidth_mode": "constant"}, "fit": fit}


TUNED = tuple(
    _setting(kernel, bandwidth, reg, kernel == "l1")
    for (kernel, bandwidth), reg in product(
        [("l2_high_dim", 3.0), ("l2_high_dim", 10.0), ("l2_high_dim", 30.0), ("l1", 10.0)], [1e-3, 1e-1]
    )
)
"""Eight settings: width and penalty around its defaults, and its kernel of single columns with weights for them."""
