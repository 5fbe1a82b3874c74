"""The command `giantstep`: reads the line, hands it to one command, and answers mistakes with one sentence."""

from __future__ import annotations

import errno
import gc
import os
import sys

from giantstep.cli.commands import CLAIM_COMMANDS, COMMANDS, COMPLETE
from giantstep.cli.endings import Ending, flush
from giantstep.cli.exits import BAD_INPUT, DONE, FAILED, INTERRUPTED
from giantstep.errors import InputError, LostError, printable
from giantstep.version import __version__

# Whoever presses Ctrl-C is heard from `main` on: nothing is loaded before it that takes time, not even `typing`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cyclopts import App

HELP = """A laboratory for feature learning in two-layer networks.

Each claim is a theorem, conjecture or figure of a paper, made executable:
giantstep says what theory predicts, simulates it, and gives a verdict.
"""

EXAMPLES = """Try:

  giantstep claims                                    what there is
  giantstep predict bes22/weight-spike                what a theorem says
  giantstep run bes22/weight-spike --step 6           theory and simulation
  giantstep sweep bes22/weight-spike --step 0:8:9     a study of your own
  giantstep analyze "x1 + He2(x1)*x2"                 what a target holds
"""


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
    """The commands; the one on the line is loaded, and one about a claim gets the flags of that claim."""
    import inspect

    from cyclopts import App, Parameter

    app = App(
        name="giantstep",
        help=HELP,
        help_epilogue=EXAMPLES,
        help_format="plaintext",
        version=version_text,
        suppress_keyboard_interrupt=False,
        result_action="return_value",
        default_parameter=Parameter(negative="", show_default=_default),
    )
    called = "".join(tokens[:1])
    for name, home in COMMANDS.items():
        if name == called:
            command = _claim_command(name, tokens[1:]) if name in CLAIM_COMMANDS else _loaded(home)
            words = _flowing(inspect.cleandoc(command.__doc__ or ""))
            if name in CLAIM_COMMANDS and {"--help", "-h"} & set(tokens):  # else nobody reads it
                words = _loaded("giantstep.cli.output:readable")(words)
            app.command(command, name=name, help=words, help_epilogue="")
        else:
            app.command(home, name=name, help="" if called in COMMANDS else _first_line(home), help_epilogue="")
    return app


def _default(value: Any) -> str | None:
    """A default worth telling: not that a flag is absent."""
    return None if value is None or value is False or value in ("", ()) else str(value)


def _first_line(home: str) -> str:
    """The first line of a command's docstring, read and not imported: an overview must be quick."""
    import re
    from pathlib import Path

    module, name = home.split(":")
    file = Path(__file__).with_name(f"{module.rpartition('.')[2]}.py")
    source = file.read_text(encoding="utf-8") if file.exists() else ""
    found = re.search(rf'^def {name}\(.*?"""(.+?)("""|$)', source, re.DOTALL | re.MULTILINE)
    return found[1] if found else ""


def _flowing(text: str) -> str:
    """A docstring for a terminal of any width: the lines of a paragraph are one, indented lines stay as they are."""
    paragraphs = (part if part.startswith(" ") else part.replace("\n", " ") for part in text.split("\n\n"))
    return "\n\n".join(paragraphs)


def _claim_command(verb: str, rest: Sequence[str]) -> Any:
    """The command for the claim that comes next on the line; that of any claim if help is asked before."""
    if rest and rest[0] in ("--help", "-h"):
        return _loaded(CLAIM_COMMANDS[verb])("")
    if not rest or rest[0].startswith("-"):
        from giantstep.cli.flags import no_claim_sentence

        raise InputError(no_claim_sentence(verb, "".join(rest[:1])))
    return _loaded(CLAIM_COMMANDS[verb])(rest[0])


def _loaded(home: str) -> Any:
    from importlib import import_module

    module, name = home.split(":")
    return getattr(import_module(module), name)


def main(argv: Sequence[str] | None = None) -> None:
    """Run one command line and exit with one of the statuses of `exits`."""
    # A quick start: nothing that is loaded is garbage, so it is not looked for before the command runs. And no plugin
    # of pydantic is of use to claims, while a search for plugins reads the description of every installed package.
    gc.disable()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    ending = Ending()
    ending.listen()
    try:
        code = status(sys.argv[1:] if argv is None else list(argv))
    except BaseException:
        if not ending.asked:
            raise
        code = INTERRUPTED  # somebody on the way has made something else of the wish to end
    flush()
    gc.freeze()  # a quick end as well: nothing that is left is looked through for garbage
    sys.exit(ending.over(code))


def status(tokens: Sequence[str]) -> int:
    """Run one command line and give its exit status."""
    try:
        return _complete(tokens[1:]) if tokens[:1] == [COMPLETE] else _performed(tokens)
    except LostError as error:
        _complain(str(error))
        return FAILED
    except InputError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        print("giantstep: interrupted; the same command begins again, a study goes on where it was", file=sys.stderr)
        return INTERRUPTED
    except MemoryError:
        return _complain("this machine's memory does not suffice; use a smaller size")
    except OSError as error:
        if error.errno in (errno.EPIPE, errno.EIO) or isinstance(error, BrokenPipeError):
            flush()  # the reader of our output has gone (`| head`), or the terminal: leave quietly
            return DONE
        place = "" if error.filename is None else f" ('{error.filename}')"
        return _complain(f"the system refuses: {error.strerror or error}{place}")


def _performed(tokens: Sequence[str]) -> int:
    from cyclopts import CycloptsError

    try:
        app = build_app(tokens)
        gc.freeze()  # what is loaded by now stays: it is never looked through
        gc.set_threshold(20_000, 20, 20)
        gc.enable()
        result = app(list(tokens), exit_on_error=False, print_error=False)
    except CycloptsError as error:
        from giantstep.cli.mistakes import sentence

        return _complain(sentence(error, tokens))
    sys.stdout.flush()
    return result if isinstance(result, int) else DONE


def _complete(words: Sequence[str]) -> int:
    from giantstep.cli.completion import candidates

    print("\n".join(candidates(words)))
    return DONE


def _complain(sentence: str) -> int:
    print(_between_words(f"giantstep: {printable(sentence)}"), file=sys.stderr)
    return BAD_INPUT


def _between_words(text: str) -> str:
    """A sentence whose lines end between words on a screen; what it quotes below, with a caret, stays as it is."""
    if not sys.stderr.isatty():
        return text
    import shutil
    import textwrap

    sentence, *quoted = text.split("\n")
    width = shutil.get_terminal_size().columns
    return "\n".join([textwrap.fill(sentence, width, break_long_words=False, break_on_hyphens=False), *quoted])
