"""Tab completion: what may stand at a place of a line, and the few lines by which a shell asks for it."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from giantstep.cli.commands import CLAIM_COMMANDS, COMMANDS
from giantstep.errors import InputError

BASH = """_giantstep() {
    local IFS=$'\\n'
    COMPREPLY=($(giantstep --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _giantstep giantstep
"""
ZSH = """#compdef giantstep
local -a found
found=("${(@f)$(giantstep --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
"""
FISH = """complete -c giantstep -a '(giantstep --complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
"""
POWERSHELL = """Register-ArgumentCompleter -Native -CommandName giantstep -ScriptBlock {
    param($word, $line, $place)
    $before = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
    if ($word -eq '') { $before += '""' }
    giantstep --complete @before | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH, "powershell": POWERSHELL}
PLACES = {
    "bash": ".local/share/bash-completion/completions/giantstep",
    "zsh": ".zfunc/_giantstep",
    "fish": ".config/fish/completions/giantstep.fish",
}
NEXT = {
    "bash": "open a new terminal (the package bash-completion finds the file)",
    "zsh": "if it is not there yet, add to ~/.zshrc: fpath+=~/.zfunc; autoload -Uz compinit; compinit",
    "fish": "open a new terminal",
}

TAKES_CLAIMS = {*CLAIM_COMMANDS, "show", "verify"}
TAKES_STUDIES = {"results", "figure", "forget"}

Shell = Annotated[
    Literal["", "bash", "zsh", "fish", "powershell"], Parameter(help="which shell (default: the one in use)")
]


def install_completion(shell: Shell = "", /) -> None:
    """Let the shell complete commands, claims, flags and studies at the key Tab."""
    chosen = shell or Path(os.environ.get("SHELL", "powershell" if os.name == "nt" else "")).name
    if chosen not in SCRIPTS:
        known = ", ".join(SCRIPTS)
        raise InputError(f"the shell '{chosen}' is not known here; name one: giantstep --install-completion ({known})")
    if chosen not in PLACES:
        print(f"Add these lines to the file that $PROFILE names:\n\n{SCRIPTS[chosen]}")
        return
    place = Path.home() / PLACES[chosen]
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(SCRIPTS[chosen], encoding="utf-8")
    except OSError as error:
        raise InputError(f"'{place}' cannot be written: {error.strerror}") from None
    print(f"completion for {chosen}: {place}\nThen: {NEXT[chosen]}")


def candidates(words: Sequence[str]) -> list[str]:
    """What may stand in the place of the last of the `words` after `giantstep`; nothing where a file may be meant.

    >>> candidates(["conv"]), candidates(["run", "bes22/wei"]), candidates(["run", "bes22/weight-spike", "--samples"])
    (['converge'], ['bes22/weight-spike'], ['--samples-per-dim'])
    """
    *before, current = words or [""]
    return [word for word in _possible(before, current) if word.startswith(current)]


def _possible(before: Sequence[str], current: str) -> Iterable[str]:
    if not before:
        return (*COMMANDS, "--help", "--version")
    command = before[0]
    if command not in COMMANDS:
        return ()
    if current.startswith("-"):
        return _flags(command, before[1:])
    if before[-1].startswith("--"):
        return _values(command, before[1:], before[-1])
    if command in TAKES_CLAIMS:
        from giantstep.claims import claim_names

        return claim_names() if command == "verify" or len(before) == 1 else ()
    return _studies() if command in TAKES_STUDIES and len(before) == 1 else ()


def _flags(command: str, rest: Sequence[str]) -> Iterable[str]:
    made = _loaded(CLAIM_COMMANDS[command])(_claim(rest)) if command in CLAIM_COMMANDS else _loaded(COMMANDS[command])
    offered = [p for p in inspect.signature(made, eval_str=True).parameters.values() if p.kind is p.KEYWORD_ONLY]
    named = [f"--{p.name.replace('_', '-')}" for p in offered]
    return [*named, *(flag for p in offered for flag in _negative(p.annotation)), "--help"]


def _negative(annotation: Any) -> Iterable[str]:
    """How a flag is denied: --no-caption."""
    told = (getattr(one, "negative", None) for one in getattr(annotation, "__metadata__", ()))
    return [flag for flags in told for flag in ([flags] if isinstance(flags, str) else flags or ()) if flag]


def _values(command: str, rest: Sequence[str], flag: str) -> Iterable[str]:
    """Values of a flag that are known by name."""
    from giantstep.claims import claim_class
    from giantstep.sources import SOURCES

    if flag == "--paper":
        return SOURCES
    if flag == "--activation":
        return ("tanh", "relu", "erf", "sigmoid", "softplus", "gelu", "sin", "cos", "abs")
    if flag == "--theme":
        return ("plain", "paper", "slide", "dark")
    if flag == "--kind":
        return ("theorem", "proposition", "lemma", "conjecture", "example", "figure")
    if command in CLAIM_COMMANDS and _claim(rest):
        cls = claim_class(_claim(rest))
        return tuple(cls.presets) if flag == "--preset" else cls.path_parameters() if flag == "--animate" else ()
    return ()


def _claim(rest: Sequence[str]) -> str:
    from giantstep.claims import claim_names

    return rest[0] if rest and rest[0] in claim_names() else ""


def _studies() -> Iterable[str]:
    from giantstep.studies import Store, default_path

    if not default_path().exists():
        return ()
    with Store(None) as store:
        # A shell puts these on its line: nothing but what a study may be called.
        return [entry.name for entry in store.studies() if re.fullmatch(r"[\w.-]+", entry.name)]


def _loaded(home: str) -> Any:
    module, name = home.split(":")
    return getattr(import_module(module), name)
