"""The command `giantstep`: reads the line, hands it to one command, and answers mistakes with one sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from cyclopts import App, CycloptsError

from giantstep.errors import InputError
from giantstep.version import __version__

INTERRUPTED = 130
BAD_INPUT = 2

HELP = """A laboratory for feature learning in two-layer networks.

Each claim is a theorem, conjecture or figure of a paper, made executable:
giantstep says what theory predicts, simulates it, and gives a verdict.
"""

EXAMPLES = """Try:

  giantstep claims                               what there is
  giantstep run bes22/weight-spike --step 6      one theorem, theory and simulation
  giantstep predict bes22/weight-spike           theory only
  giantstep sweep bes22/weight-spike --step 0:8:9 --name spike    a study of your own
  giantstep analyze "x1 + He2(x1)*x2"            what a target holds
"""

# One line per command: its name, where it lives, what it is for. Loaded only when called.
COMMANDS = {
    "claims": ("giantstep.cli.catalogue:claims", "List the claims: what each says and where it comes from."),
    "show": (
        "giantstep.cli.catalogue:show",
        "Tell one claim in full: statement, source, parameters, findings.",
    ),
    "predict": ("giantstep.cli.run:predict", "What theory says of a claim at a point, without simulation."),
    "run": ("giantstep.cli.run:run", "Simulate a claim at a point and compare it with theory."),
    "verify": (
        "giantstep.cli.verify:verify",
        "Verify claims over their default studies; status 0 only if all hold.",
    ),
    "sweep": (
        "giantstep.cli.sweep:sweep",
        "Run a claim over axes of your own; stopped at any time, it goes on where it was.",
    ),
    "studies": ("giantstep.cli.studies:studies", "List the studies in the store and how far they are."),
    "results": ("giantstep.cli.studies:results", "The numbers of a study, as a table, CSV, JSON or Parquet."),
    "figure": ("giantstep.cli.studies:figure", "Draw a study: curves with theory lines, or a heat map."),
    "forget": ("giantstep.cli.studies:forget", "Remove a study and the records that no other study needs."),
    "converge": (
        "giantstep.cli.converge:converge",
        "Measure how the gap between theory and simulation shrinks with size.",
    ),
    "analyze": (
        "giantstep.cli.analyze:analyze",
        "What is in a target function, and who can learn it when.",
    ),
}


# Commands whose flags depend on the claim that follows them, and who makes them.
CLAIM_COMMANDS = {
    "predict": "giantstep.cli.run:predict_command",
    "run": "giantstep.cli.run:run_command",
    "sweep": "giantstep.cli.sweep:sweep_command",
    "converge": "giantstep.cli.converge:converge_command",
}


def version_text() -> str:
    """The version of giantstep and of the numerical libraries below it."""
    import numpy as np
    import scipy
    from threadpoolctl import threadpool_info

    blas = sorted({f"{i['internal_api']} {i['version']}" for i in threadpool_info() if i["user_api"] == "blas"})
    return (
        f"giantstep {__version__} (Python {sys.version.split()[0]}, numpy {np.__version__}, "
        f"scipy {scipy.__version__}, BLAS {', '.join(blas) or 'unknown'})"
    )


def build_app(tokens: Sequence[str]) -> App:
    """The commands; those about one claim get the flags of the claim that is named on the line."""
    app = App(
        name="giantstep",
        help=HELP,
        help_epilogue=EXAMPLES,
        help_format="plaintext",
        version=version_text,
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )
    for name, (home, what) in COMMANDS.items():
        if name in CLAIM_COMMANDS and list(tokens[:1]) == [name]:
            app.command(_claim_command(name, home, tokens[1:]), name=name, help_epilogue="")
        else:
            app.command(home, name=name, help=what, help_epilogue="")
    return app


def _claim_command(verb: str, general: str, rest: Sequence[str]) -> Any:
    """The command for the claim that comes next on the line; the general one if help is asked before any."""
    if rest and rest[0] in ("--help", "-h"):
        return _loaded(general)
    if not rest or rest[0].startswith("-"):
        from giantstep.cli.flags import named_claim

        raise InputError(named_claim(verb, "".join(rest[:1])))
    return _loaded(CLAIM_COMMANDS[verb])(rest[0])


def _loaded(home: str) -> Any:
    module, name = home.split(":")
    return getattr(import_module(module), name)


def main(argv: Sequence[str] | None = None) -> None:
    """Run one command line and exit: 0 done, 1 a claim does not hold, 2 bad input, 130 interrupted."""
    sys.exit(status(sys.argv[1:] if argv is None else list(argv)))


def status(tokens: Sequence[str]) -> int:
    """Run one command line and give its exit status."""
    try:
        result = build_app(tokens)(list(tokens), exit_on_error=False, print_error=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except InputError as error:
        return _complain(str(error))
    except CycloptsError as error:
        return _complain(" ".join(str(error).split()) + " See 'giantstep --help'.")
    except KeyboardInterrupt:
        print("giantstep: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): leave quietly, and keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _complain(sentence: str) -> int:
    print(f"giantstep: {sentence}", file=sys.stderr)
    return BAD_INPUT
