"""The flags that commands share: each is said once. Nothing is imported here that takes time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter, Token

from giantstep.errors import InputError


def whole(_: Any, tokens: Sequence[Token]) -> int:
    """A whole number as typed; 1e3 is one, 1.5 is not."""
    text = tokens[0].value
    for read in (int, float):
        try:
            if read(text) == int(read(text)):
                return int(read(text))
        except (ValueError, OverflowError):
            continue
    name = (tokens[0].keyword or "").lstrip("-")
    raise InputError(f"{name} = '{text}' is not allowed; it must be a whole number")


ClaimName = Annotated[str, Parameter(help="name of the claim, as 'giantstep claims' lists it")]
Seeds = Annotated[int | None, Parameter(converter=whole, help="how many seeds (default: the claim's own number)")]
Seed = Annotated[int, Parameter(converter=whole, help="the first seed; the others follow it")]
Json = Annotated[bool, Parameter(help="print one JSON document instead of text")]
Workers = Annotated[
    int | None,
    Parameter(converter=whole, help="how many processes (default: all cores); results do not depend on it"),
]
Preset = Annotated[str, Parameter(help="start from the parameters of a slide or figure of the paper")]
Figure = Annotated[
    Path | None, Parameter(help="write the picture to this file: .svg, .pdf, .png, or .gif of trajectories")
]
Format = Annotated[
    str, Parameter(help="write the picture as svg, pdf or png; without --figure its file is named after the claim")
]
Animate = Annotated[
    str, Parameter(help="make a film along this parameter, such as step; --figure names a .gif, .mp4 or .webm")
]
DryRun = Annotated[bool, Parameter(help="print the time and memory it would need, and run nothing")]

# What studies take besides: where their records are kept and where they run.
Name = Annotated[str, Parameter(help="name of the study in the store (default: made from the claim and its axes)")]
StorePath = Annotated[Path | None, Parameter(help="the file that keeps the records (default: in your data directory)")]
Cluster = Annotated[
    str, Parameter(help="a running dask scheduler, tcp://host:port, or slurm, pbs, sge, lsf, oar or htcondor")
]
Slurm = Annotated[bool, Parameter(help="the same as --cluster slurm")]
Jobs = Annotated[int | None, Parameter(converter=whole, help="how many jobs to ask a queueing system for (default: 2)")]
JobOption = Annotated[
    tuple[str, ...], Parameter(help="an option for the jobs, such as queue=short or walltime=02:00:00; may be repeated")
]
AsPrinted = Annotated[
    bool, Parameter(help="also judge what the source prints, where it had to be corrected, on the same simulations")
]
RetryFailed = Annotated[bool, Parameter(help="try simulations again that failed before", negative="--no-retry-failed")]
Quiet = Annotated[bool, Parameter(help="show no progress")]
SaveConfig = Annotated[Path | None, Parameter(help="write the study to this TOML file, and run nothing")]

Options = dict[str, tuple[Any, Any]]  # by name: annotation and default

# Flags of every command that runs a study: what is run and kept, and where.
STUDY: Options = {
    "preset": (Preset, ""),
    "seeds": (Seeds, None),
    "seed": (Seed, 0),
    "name": (Name, ""),
    "store": (StorePath, None),
}
WHERE: Options = {
    "workers": (Workers, None),
    "cluster": (Cluster, ""),
    "slurm": (Slurm, False),
    "jobs": (Jobs, None),
    "job_option": (JobOption, ()),
}
# How a picture is drawn, wherever one is; a claim's own parameter of the same name goes before it.
Theme = Annotated[str, Parameter(help="look of the picture: plain, paper, slide or dark")]
Size = Annotated[str, Parameter(help="size of the picture: 12x7cm, 5x3in")]
FontSize = Annotated[float | None, Parameter(alias="--font", help="size of its letters in points")]
Dpi = Annotated[int, Parameter(converter=whole, help="dots per inch of a .png")]
Transparent = Annotated[bool, Parameter(help="leave the ground of the picture out", negative="")]
Panel = Annotated[str, Parameter(help="draw this panel alone: a, b, ...")]
Title = Annotated[str, Parameter(help="what stands above the picture")]
Caption = Annotated[bool, Parameter(help="say the parameters below the picture", negative="--no-caption")]
LogX = Annotated[bool | None, Parameter(help="make horizontal axes logarithmic, or not", negative="--no-log-x")]
LogY = Annotated[bool | None, Parameter(help="make vertical axes logarithmic, or not", negative="--no-log-y")]
HeatMap = Annotated[bool | None, Parameter(help="two numeric axes as a heat map, or as curves", negative="--curves")]
PICTURE: Options = {
    "theme": (Theme, "plain"),
    "size": (Size, ""),
    "font_size": (FontSize, None),
    "dpi": (Dpi, 200),
    "transparent": (Transparent, False),
    "panel": (Panel, ""),
    "title": (Title, ""),
    "caption": (Caption, True),
    "log_x": (LogX, None),
    "log_y": (LogY, None),
    "heat_map": (HeatMap, None),
}
LOOK = ("theme", "size", "font_size", "dpi", "transparent")
SHOWN: Options = {
    "quiet": (Quiet, False),
    "figure": (Figure, None),
    "format": (Format, ""),
    "json": (Json, False),
    "dry_run": (DryRun, False),
}
