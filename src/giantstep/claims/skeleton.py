"""A claim to begin with: a file that runs and holds as it is, and its test; replace its parts one at a time."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from string import Template

from giantstep.checks import instance
from giantstep.claims.registry import EXAMPLE, claim_names
from giantstep.errors import InputError

CLAIM = Template('''"""$title: what is claimed, in one line."""

from __future__ import annotations

import numpy as np

from giantstep.claims import (
    Allowance,
    Claim,
    Cost,
    Formula,
    Measurement,
    Prediction,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.sources import Source


@named(
    "$name",
    kind="conjecture",  # theorem, proposition, lemma, conjecture, example or figure
    cite=Source("A. Researcher", "Notes", 2026),  # or a key of giantstep.sources.SOURCES
    where="equation 1",
)
class $cls(Claim):
    """The statement, in at most 130 characters and words that need no paper at hand.

    What follows the first paragraph is the mathematics, for the claim's page. Here: the largest eigenvalue of the
    covariance of n = psi d Gaussian samples is (1 + 1/sqrt(psi))^2.
    """

    # Names that claims share (d, samples, step, ridge, target, ...) come from `parameters`; a name of your own is
    # `parameters.own(1.0, "what it is", symbol="c", gt=0)`. The claim must make sense at d = 32.
    d: int = parameters.dimension(200)
    samples_per_dim: float = parameters.samples_per_dim(4.0, ge=1)

    # The central formula as LaTeX, in the symbols of parameters and quantities, and what its symbols mean.
    formula = Formula(r"\\lambda_1 \\to (1 + 1/\\sqrt{\\psi_1})^2", r"$$\\psi_1 = n/d$$")

    quantities = (
        quantity.equal(
            "largest",
            # How far finite size may move it: 4 % of the prediction at d = 200, falling like d^(-2/3).
            Allowance(0.04, of="prediction", at=200, power=-2 / 3),
            "the largest eigenvalue sits inside the edge by the Tracy-Widom shift, of order d^(-2/3)",
            help="largest eigenvalue",
            symbol=r"\\lambda_1",
        ),
    )
    views = (view.Curve("samples_per_dim", (1, 2, 4, 8), ("largest",), log_x=True),)
    presets = {"large": {"d": 800}}

    def predict(self) -> Prediction:
        """Mathematics only: no random numbers, and nothing of what `measure` calls."""
        edge = (1 + self.samples_per_dim**-0.5) ** 2
        return Prediction({"largest": edge}, regime="n and d to infinity in proportion")

    def measure(self, run: Run) -> Measurement:
        """One simulation with one seed; random numbers come from named streams of `run.streams` alone."""
        samples = round(self.samples_per_dim * self.d)
        x = run.streams.child("data").generator().standard_normal((samples, self.d))
        return Measurement({"largest": float(np.linalg.eigvalsh(x.T @ x / samples)[-1])})

    def cost(self) -> Cost:
        """Operations and bytes of one seed: studies are planned with them."""
        samples, d = self.samples_per_dim * self.d, float(self.d)
        return Cost(flops=2 * samples * d**2 + 10 * d**3, bytes=8 * (samples * d + 3 * d**2))
''')

TEST = Template('''"""$title: theory against simulation at a small size, and a wrong theory that must be noticed."""

from __future__ import annotations

import pytest

from $module import $cls
from giantstep.verdicts.stating import Prediction
$mark

@pytest.mark.parametrize("samples_per_dim", [1.5, 4.0])
def test_it_holds(samples_per_dim: float) -> None:
    point = $cls(d=100, samples_per_dim=samples_per_dim)
    assert point.run(seeds=8, workers=1).verdict.status == "holds"


def test_a_wrong_theory_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = $cls.predict

    def wrong(point: $cls) -> Prediction:
        return Prediction({"largest": 1.2 * float(right(point)["largest"])}, regime="20 % too large")

    monkeypatch.setattr($cls, "predict", wrong)
    assert $cls(d=100).run(seeds=8, workers=1).verdict.status == "fails"
''')


def write_skeleton(name: str, place: Path) -> tuple[list[Path], str]:
    """Write a claim that runs, and its test: the files that were written, and how the claim is called.

    In a checkout of giantstep they go where claims and their tests are; elsewhere beside each other, for a claim of
    your own.

    Args:
        name: folder and name of the claim, `mine/largest-eigenvalue`.
        place: the directory that is written to.
    """
    folder, file = _parts(name)
    cls = "".join(word.capitalize() for word in file.split("_"))
    package = place / "src" / "giantstep" / "claims"
    inside = package.is_dir()
    home = package / folder if inside else place
    tests = place / "tests" / "agreement" / f"test_{folder}_{file}.py" if inside else place / f"test_{file}.py"
    words = {"name": name, "cls": cls, "title": file.replace("_", " ").capitalize()}
    words["module"] = f"giantstep.claims.{folder}.{file}" if inside else file
    words["mark"] = "\npytestmark = pytest.mark.agreement\n" if inside else ""
    wanted = {home / f"{file}.py": CLAIM.substitute(words), tests: TEST.substitute(words)}
    if inside and not (home / "__init__.py").exists():
        wanted[home / "__init__.py"] = f'"""[{folder}]: say here what the claims of this folder are about."""\n'
    for path in wanted:
        if path.exists():
            raise InputError(f"{path} is there already; nothing was written")
    if not inside and find_spec(file) is not None:
        raise InputError(f"'{file}' is a module of Python, which {file}.py would hide here; choose another name")
    _write_all(wanted)
    return list(wanted), name if inside else f"{file}:{cls}"


def _write_all(wanted: Mapping[Path, str]) -> None:
    """Write all of these files, or none."""
    begun: list[Path] = []
    try:
        for path, text in wanted.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            begun.append(path)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        for path in begun:
            path.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(begun[-1] if begun else "")) from None


def _parts(name: str) -> tuple[str, str]:
    """Folder and file of a claim of this name, as Python spells them, or a refusal."""
    instance("the claim", name, str, f"a name such as '{EXAMPLE}'")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*/[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise InputError(
            f"'{name[:60]}' is no name for a claim; write folder/name in small letters, digits and hyphens, such as "
            "mine/largest-eigenvalue"
        )
    if name in claim_names():
        raise InputError(f"there is a claim {name} already; 'giantstep show {name}' tells it")
    folder, file = name.replace("-", "_").split("/")
    for word in (folder, file):
        if keyword.iskeyword(word):
            raise InputError(f"'{word}' is a word of Python and cannot name a file of a claim; choose another")
    return folder, file
