"""How Sphinx makes the site: `make docs` gathers the pages in build/site-source, and they become site/.

Nothing on a page asks another host: mathematics is MathML, fonts and search are files of the site.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from giantstep.version import __version__

project = "giantstep"
author = "The giantstep developers"
project_copyright = author
version = release = __version__

extensions = ["myst_parser", "making.mathml"]
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
myst_dmath_double_inline = True
html_math_renderer = "mathml"
highlight_language = "none"
pygments_style = "tango"
smartquotes = False  # W'W is a transpose

html_theme = "pydata_sphinx_theme"
html_title = "giantstep"
html_static_path = ["static"]
html_css_files = ["giantstep.css"]
html_js_files = ["tables.js", "copy.js"]
html_logo = "static/mark.svg"
html_favicon = "static/mark.svg"
html_show_sourcelink = False
html_copy_source = False
html_show_search_summary = False  # a page that is opened as a file may not read others
html_theme_options = {
    "logo": {"text": "giantstep"},
    "navbar_align": "left",
    "header_links_before_dropdown": 8,
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
    "pygments_light_style": "tango",
    "pygments_dark_style": "github-dark",
    "show_prev_next": False,
}
WITHOUT_NEIGHBOURS = ("index", "gallery", "findings", "search", "genindex", "readme", "contributing", "changelog")
html_sidebars = {name: [] for name in WITHOUT_NEIGHBOURS}
html_context = {"default_mode": "auto"}
