"""The scripts of the report, without a network and without a library: one filters the front page's cards, one saves
pictures. A picture stands in its page as SVG, so that this works from a file as well: a browser lets no page read the
files beside it."""

from __future__ import annotations

import base64
import hashlib

FILTER = """
(function () {
  var words = document.getElementById("words"), paper = document.getElementById("paper");
  if (!words) { return; }
  var status = document.getElementById("status"), none = document.getElementById("none");
  function show() {
    var asked = words.value.toLowerCase().split(/\\s+/), seen = 0;
    document.querySelectorAll("section.paper").forEach(function (section) {
      var left = 0;
      section.querySelectorAll(".card").forEach(function (card) {
        var text = card.textContent.toLowerCase() + " " + section.dataset.words;
        var fits = asked.every(function (word) { return text.indexOf(word) >= 0; })
          && (!paper.value || section.dataset.paper === paper.value)
          && (!status.value || card.dataset.status === status.value);
        card.hidden = !fits;
        left += fits ? 1 : 0;
      });
      section.hidden = left === 0;
      seen += left;
    });
    none.hidden = seen > 0;
  }
  [words, paper, status].forEach(function (field) { field.addEventListener("input", show); });
  document.getElementById("filter").hidden = false;
  show();
})();
"""

SAVE = """
document.querySelectorAll("figure[data-name]").forEach(figure => {
  const picture = figure.querySelector("svg"), size = picture.viewBox.baseVal, scale = 20 / 72;
  const make = (tag, told) => Object.assign(document.createElement(tag), told);
  const give = (href, ending) => make("a", {href, download: figure.dataset.name + ending}).click();
  figure.querySelectorAll("button").forEach(button => {
    button.hidden = false;
    button.onclick = () => {
      const src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(picture));
      if (button.value === "svg") return give(src, ".svg");
      const canvas = make("canvas", {width: scale * size.width, height: scale * size.height});
      make("img", {src, onload() {
        canvas.getContext("2d").drawImage(this, 0, 0, canvas.width, canvas.height);
        give(canvas.toDataURL(), ".png");
      }});
    };
  });
});
"""
SAVE_FILE = "save.js"  # which all pages of a report share; a picture has ten units a point, and 200 pixels an inch


def policy(script: str, beside: bool = False) -> str:
    """What a page may load: pictures and, if it has any, a script `beside` it, its own `script`; no network."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    own = f"'sha256-{digest}'" if script else "'none'"
    allowed = "'self' file:" if beside else own
    seen = "style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data:"
    return f"default-src 'none'; script-src {allowed}; {seen}; base-uri 'none'; form-action 'none'"
