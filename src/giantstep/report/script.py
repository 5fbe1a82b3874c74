"""The one script of the report: it filters the cards of the front page, without a network and without a library."""

from __future__ import annotations

import base64
import hashlib

SCRIPT = """
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


def policy() -> str:
    """What a page may load: pictures beside it, this very script, and nothing from a network."""
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src 'self' file: data:; "
        "base-uri 'none'; form-action 'none'"
    )
