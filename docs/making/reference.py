"""The reference: every name that a package exports, from its docstring, one page a package."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import giantstep
from making.docstrings import marked_down, summary
from making.staging import Stage, contents

SOURCE = Path(giantstep.__file__).parent
EXPORT = re.compile(r"^from (\.[\w.]*) import (\w+) as \w+$", re.MULTILINE)
DEFAULT_LENGTH = 30  # a default value that takes more is left out of the signature
ROOMS = (
    "problems",
    "gaussian",
    "learners",
    "theory",
    "estimators",
    "claims",
    "verdicts",
    "studies",
    "figures",
    "report",
    "lab",
)
BENEATH = {
    "giantstep.errors": ("InputError", "UnknownNameError", "TextError", "LostError", "TooLargeError"),
    "giantstep.sources": ("Source", "SOURCES"),
    "giantstep.streams": ("Streams",),
}
OPENING = "Every name that can be imported, by room. What most people need is in `giantstep` itself:"


class UndocumentedError(Exception):
    """A name that is exported without a word."""


def packages() -> list[str]:
    """The packages that export names, rooms before what is inside them."""
    found = sorted(".".join(("giantstep", *stub.parent.relative_to(SOURCE).parts)) for stub in SOURCE.rglob("*.pyi"))
    order = {f"giantstep.{room}": number for number, room in enumerate(ROOMS)}
    known = [name for name in found if ".".join(name.split(".")[:2]) in order]
    return sorted(known, key=lambda name: (order[".".join(name.split(".")[:2])], name))


def exports(package: str) -> list[tuple[str, str]]:
    """What a package exports: the file, and the name in it; subpackages have no file."""
    stub = SOURCE.joinpath(*package.split(".")[1:], "__init__.pyi")
    return [(file.lstrip("."), name) for file, name in EXPORT.findall(stub.read_text(encoding="utf-8"))]


def write_reference(stage: Stage, rooms: Sequence[str] = ROOMS) -> None:
    """The pages of all packages of these rooms, and their list by room."""
    known = [name for name in packages() if name.split(".")[1] in rooms]
    for package in known:
        stage.write(f"reference/{package}.md", package_page(package, known))
    lines = ["# Reference", "", OPENING]
    lines += ["", *_top_level(), ""]
    for room in (f"giantstep.{name}" for name in rooms):
        lines += [f"## {room}", "", summary(importlib.import_module(room).__doc__ or ""), ""]
        inside = [name for name in known if name == room or name.startswith(f"{room}.")]
        lines += [f"- [`{name}`]({name}.md): {_names(name)}" for name in inside] + [""]
    lines += ["## Beneath all rooms", ""]
    for module in BENEATH:
        stage.write(f"reference/{module}.md", module_page(module))
        names = ", ".join(f"{{py:obj}}`~{module}.{name}`" for name in BENEATH[module])
        lines.append(f"- [`{module}`]({module}.md): {names}")
    entries = [*(f"giantstep.{name}" for name in rooms), *BENEATH]
    stage.write("reference/index.md", "\n".join(lines) + "\n" + contents(_in_brief(entries), depth=2))


def _in_brief(modules: Iterable[str]) -> list[str]:
    """Entries of the navigation, where whole names would break in the middle of a word: `spectra`, below `theory`."""
    return [f"{name.rpartition('.')[2]} <{name}>" for name in modules]


def _names(package: str) -> str:
    names = [name for file, name in exports(package) if file]
    return ", ".join(f"{{py:obj}}`~{package}.{name}`" for name in names) or "what is inside it"


def _top_level() -> Iterator[str]:
    homes: dict[str, tuple[str, str]] = giantstep._HOMES
    for name, (package, attribute) in homes.items():
        words = summary(inspect.getdoc(getattr(giantstep, name)) or "")
        yield f"- {{py:obj}}`giantstep.{name} <{package}.{attribute}>`: {words}"


def module_page(name: str) -> str:
    """A module that is no package, with what users need of it."""
    module = importlib.import_module(name)
    lines = [f"# {name}", "", f":::{{py:module}} {name}", ":::", "", *marked_down(inspect.getdoc(module) or "")]
    for one in BENEATH[name]:
        lines += [*entry(name, one, getattr(module, one), module), ""]
    return "\n".join(lines)


def package_page(package: str, known: list[str]) -> str:
    """One package: its files in their order, each with its formulas and its names."""
    module = importlib.import_module(package)
    lines = [f"# {package}", "", f":::{{py:module}} {package}", ":::", "", *marked_down(inspect.getdoc(module) or "")]
    inside = [name for name in known if name.startswith(f"{package}.") and name.count(".") == package.count(".") + 1]
    if inside:
        told = {name: summary(inspect.getdoc(importlib.import_module(name)) or "") for name in inside}
        lines += [*(f"- [`{name}`]({name}.md): {words}" for name, words in told.items()), ""]
    files: dict[str, list[str]] = {}
    for file, name in exports(package):
        if file:
            files.setdefault(file, []).append(name)
    for file, names in files.items():
        home = importlib.import_module(f"{package}.{file}")
        lines += [f"## {file.replace('_', ' ')}", "", *marked_down(inspect.getdoc(home) or "")]
        for name in names:
            lines += [*entry(package, name, getattr(module, name), home), ""]
    page = "\n".join(lines)
    return page + contents(_in_brief(inside)) if inside else page


def entry(package: str, name: str, thing: Any, home: ModuleType) -> list[str]:
    """One exported name."""
    text = inspect.getdoc(thing) or ""
    if inspect.ismodule(thing):
        return [f"::::{{py:data}} {name}", *marked_down(text), "::::"]
    if inspect.isclass(thing):
        kind = "exception" if issubclass(thing, BaseException) else "class"
        _refuse_silence(package, name, thing.__doc__)
        return [f":::::{{py:{kind}}} {name}{signature(thing)}", *marked_down(text), *_members(thing), ":::::"]
    if inspect.isfunction(inspect.unwrap(thing)):
        _refuse_silence(package, name, text)
        return [f"::::{{py:function}} {name}{signature(thing) or '()'}", *marked_down(text), "::::"]
    return [f"::::{{py:data}} {name}", *marked_down(constant_words(home, name)), "", f"`{_short(repr(thing))}`", "::::"]


def _refuse_silence(package: str, name: str, text: str | None) -> None:
    if not text:
        raise UndocumentedError(f"{package}.{name} is exported and has no docstring")


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:97] + "..."


def signature(thing: Any) -> str:
    """Its parameters and short defaults; types stand in the docstring's words."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    parts, star = [], False
    for one in found.parameters.values():
        if one.name in ("self", "cls"):
            continue
        if one.kind is one.KEYWORD_ONLY and not star:
            parts, star = [*parts, "*"], True
        if one.kind is one.VAR_POSITIONAL:
            parts, star = [*parts, f"*{one.name}"], True
        elif one.kind is one.VAR_KEYWORD:
            parts.append(f"**{one.name}")
        else:
            parts.append(one.name + _default(one))
    return f"({', '.join(parts)})"


def _default(one: inspect.Parameter) -> str:
    if one.default is one.empty:
        return ""
    text = repr(one.default)
    plain_value = re.fullmatch(r"[\w.+\-'\" ()\[\]]*", text) and len(text) <= DEFAULT_LENGTH
    return f"={text}" if plain_value else "=..."


def _members(cls: type) -> Iterator[str]:
    """Its own methods and properties that have a docstring, and fields that the docstring does not name."""
    for base in reversed(cls.__mro__):
        if not base.__module__.startswith("giantstep") or base is not cls:
            continue
        for name, member in vars(base).items():
            if name.startswith("_"):
                continue
            function = getattr(member, "__func__", member)
            text = inspect.getdoc(getattr(member, "func", function)) or ""
            if isinstance(member, property) or hasattr(member, "func"):
                yield from (["", f"::::{{py:property}} {name}", *marked_down(text), "::::"] if text else [])
            elif inspect.isfunction(function) and text:
                option = [":classmethod:", ""] if isinstance(member, classmethod) else []
                yield from ["", f"::::{{py:method}} {name}{signature(function)}", *option, *marked_down(text), "::::"]
    if dataclasses.is_dataclass(cls):
        text = inspect.getdoc(cls) or ""
        unnamed = [field.name for field in dataclasses.fields(cls) if not re.search(rf"\b{field.name}\b", text)]
        if unnamed:
            yield from ["", f"Fields: {', '.join(f'`{name}`' for name in unnamed)}.", ""]


def constant_words(home: ModuleType, name: str) -> str:
    """What the code says of a constant: the text below it, or the comment above it or behind it."""
    source = inspect.getsource(home)
    body = ast.parse(source).body
    lines = source.splitlines()
    for number, node in enumerate(body):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if not any(isinstance(target, ast.Name) and target.id == name for target in targets):
            continue
        after = body[number + 1] if number + 1 < len(body) else None
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
            return inspect.cleandoc(after.value.value)
        above = []
        for line in reversed(lines[: node.lineno - 1]):
            if not line.startswith("#"):
                break
            above.insert(0, line.lstrip("# "))
        behind = re.search(r"#\s*(.*)$", lines[(node.end_lineno or node.lineno) - 1])
        return " ".join(above) or (behind[1] if behind else "")
    return ""
