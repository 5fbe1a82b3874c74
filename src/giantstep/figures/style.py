"""What every picture shares: colours, kinds of lines, sizes and matplotlib settings, as its look asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from giantstep.figures.look import Look

MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES: tuple[tuple[int, tuple[float, ...]], ...] = (
    (0, (1.0, 1.6)),
    (0, (5, 1.5, 1, 1.5)),
    (0, (3, 1, 1, 1, 1, 1)),
)


@dataclass(frozen=True)
class Colours:
    """Fixed roles. Blue, vermilion, green, purple and amber stay apart under the common kinds of colour blindness
    (after Okabe and Ito); marks differ in shape as well, so that a grey print can be read. The colours of heat maps are
    monotone in lightness, so that their order survives a grey print too."""

    paper: str = "#ffffff"
    ink: str = "#1a1d23"
    frame: str = "#4a505a"
    simulation: str = "#0b6cb5"
    bound: str = "#b3202c"
    reference: str = "#737b87"
    before: str = "#a9b0ba"
    grid: str = "#e6e8ec"
    hatch: str = "#8c939d"
    groups: tuple[str, ...] = ("#0b6cb5", "#d9680d", "#0a8f68", "#8a57a6", "#c79a00", "#57606d")
    sequential: tuple[str, ...] = ("#f0f4f9", "#d0e1f1", "#9cc4e2", "#5b9dcc", "#2676b3", "#14508a", "#0c2c55")


LIGHT = Colours()
DARK = Colours(
    paper="#16181a",
    ink="#e6e6e3",
    frame="#9ba1a7",
    simulation="#5aa9e6",
    bound="#ef7f78",
    reference="#8d949c",
    before="#5b6169",
    grid="#2b2f33",
    hatch="#6b7178",
    groups=("#5aa9e6", "#f2a25c", "#4cc39a", "#c39ae0", "#e3c04a", "#9aa4b1"),
    sequential=("#12263d", "#14508a", "#2676b3", "#5b9dcc", "#9cc4e2", "#d0e1f1", "#f0f4f9"),
)

# Inches, by the number of plots in a row. One picture fills a column of text; panels share a page.
PAGE_WIDTH = {1: 5.8, 2: 9.2, 3: 11.6}
PLOT_HEIGHT = {1: 3.2, 2: 2.9, 3: 2.5}
MARGIN = 0.1
GAP = 0.22
LINE_SPACING = 1.25

# Points, where a label has 10.5.
CAPTION_SIZE = 8.0
LEGEND_SIZE = 9.0
LABEL_SIZE = 10.5
TITLE_SIZE = 11.0
PAGE_TITLE_SIZE = 12.5
TICK_SIZE = 9.5

_now: ContextVar[Look] = ContextVar("look", default=Look())  # noqa: B039  (a look is frozen)


def now() -> Look:
    """The look of the picture that is being drawn."""
    return _now.get()


def colours() -> Colours:
    """The colours of the picture that is being drawn."""
    return DARK if now().theme == "dark" else LIGHT


def points(size: float) -> float:
    """A size of letters in points, as large as the look asks for."""
    return size * now().scale


@contextmanager
def looking(look: Look) -> Iterator[None]:
    """Within it, pictures are drawn with this look."""
    token = _now.set(look)
    try:
        yield
    finally:
        _now.reset(token)


def settings() -> dict[str, object]:
    """matplotlib's settings for the look of the picture that is being drawn."""
    own, tones = now(), colours()
    letters = {
        "font.size": LABEL_SIZE,
        "axes.titlesize": TITLE_SIZE,
        "axes.labelsize": LABEL_SIZE,
        "xtick.labelsize": TICK_SIZE,
        "ytick.labelsize": TICK_SIZE,
        "legend.fontsize": LEGEND_SIZE,
    }
    inked = ("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor")
    return {
        **SETTINGS,
        **{name: size * own.scale for name, size in letters.items()},
        **dict.fromkeys(inked, tones.ink),
        **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), tones.frame),
        **dict.fromkeys(("figure.facecolor", "savefig.facecolor", "axes.facecolor"), tones.paper),
        "grid.color": tones.grid,
    }


SETTINGS: dict[str, object] = {
    # Fonts that come with matplotlib: the same picture on every machine.
    "font.family": ["STIXGeneral", "DejaVu Sans"],
    "mathtext.fontset": "stix",
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 7,
    "axes.linewidth": 0.7,
    "xtick.direction": "out",
    "ytick.direction": "out",
    "xtick.major.size": 3.2,
    "ytick.major.size": 3.2,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "xtick.minor.size": 1.8,
    "ytick.minor.size": 1.8,
    "xtick.minor.width": 0.5,
    "ytick.minor.width": 0.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.6,
    "lines.solid_capstyle": "round",
    "axes.formatter.use_mathtext": True,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-4, 5),
    "axes.xmargin": 0.04,
    "axes.ymargin": 0.07,
    "legend.frameon": False,
    "legend.borderaxespad": 0.6,
    "legend.handlelength": 1.8,
    "legend.labelspacing": 0.35,
    "legend.columnspacing": 1.3,
    "legend.handletextpad": 0.6,
    "hatch.linewidth": 0.5,
    # Text as text, which can be searched and read aloud; PDF embeds the fonts.
    "svg.fonttype": "none",
    "svg.hashsalt": "giantstep",
    "pdf.fonttype": 42,
}


def group_colours(count: int) -> Sequence[str]:
    """One colour a group; past the palette's end, shades from light to dark, which say an order."""
    own = colours().groups
    if count <= len(own):
        return own[:count]
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    shades = colormaps["viridis"]
    least = 0.25 if now().theme == "dark" else 0.05
    return tuple(to_hex(shades(least + 0.75 * i / (count - 1))) for i in range(count))
