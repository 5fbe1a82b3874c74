"""The one look: colours, line kinds, sizes and matplotlib settings of every picture."""

from __future__ import annotations

from collections.abc import Sequence

# Fixed roles. Blue, vermilion, green, purple and amber stay apart under the common kinds of colour blindness
# (after Okabe and Ito); marks differ in shape as well, so that a grey print can be read.
INK = "#1a1d23"
THEORY = INK
SIMULATION = "#0b6cb5"
BOUND = "#b3202c"
REFERENCE = "#737b87"
BEFORE = "#a9b0ba"
GRID = "#e6e8ec"
CAPTION = "#4a505a"
GROUPS = ("#0b6cb5", "#d9680d", "#0a8f68", "#8a57a6", "#c79a00", "#57606d")
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES: tuple[tuple[int, tuple[float, ...]], ...] = (
    (0, (1.0, 1.6)),
    (0, (5, 1.5, 1, 1.5)),
    (0, (3, 1, 1, 1, 1, 1)),
)

# Heat maps: light to dark, monotone in lightness, so that the order survives a grey print.
SEQUENTIAL = ("#f0f4f9", "#d0e1f1", "#9cc4e2", "#5b9dcc", "#2676b3", "#14508a", "#0c2c55")
MISSING = "#ffffff"
MISSING_HATCH = "#8c939d"

# Inches, by the number of plots in a row. One picture fills a column of text; panels share a page.
PAGE_WIDTH = {1: 5.8, 2: 9.2, 3: 11.6}
PLOT_HEIGHT = {1: 3.2, 2: 2.9, 3: 2.5}
MARGIN = 0.1
GAP = 0.22

# Points.
CAPTION_SIZE = 8.0
LEGEND_SIZE = 9.0
LABEL_SIZE = 10.5
TITLE_SIZE = 11.0
PAGE_TITLE_SIZE = 12.5
LINE_SPACING = 1.25

SETTINGS: dict[str, object] = {
    # Fonts that come with matplotlib: the same picture on every machine.
    "font.family": ["STIXGeneral", "DejaVu Sans"],
    "mathtext.fontset": "stix",
    "font.size": LABEL_SIZE,
    "axes.titlesize": TITLE_SIZE,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 7,
    "axes.labelsize": LABEL_SIZE,
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "legend.fontsize": LEGEND_SIZE,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#4a505a",
    "axes.linewidth": 0.7,
    "xtick.color": "#4a505a",
    "ytick.color": "#4a505a",
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
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
    "grid.color": GRID,
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
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    # Text as outlines: an SVG looks the same where the fonts are not installed; PDF embeds real fonts.
    "svg.fonttype": "path",
    "svg.hashsalt": "giantstep",
    "pdf.fonttype": 42,
}


def group_colours(count: int) -> Sequence[str]:
    """One colour a group; past the palette's end, shades from light to dark, which say an order."""
    if count <= len(GROUPS):
        return GROUPS[:count]
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    shades = colormaps["viridis"]
    return tuple(to_hex(shades(0.05 + 0.8 * i / (count - 1))) for i in range(count))
