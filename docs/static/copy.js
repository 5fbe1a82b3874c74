// Commands, code and BibTeX can be copied with one press. No library: the page asks nobody.
document.addEventListener("DOMContentLoaded", () => {
  for (const block of document.querySelectorAll(".bd-article div.highlight")) {
    const button = document.createElement("button");
    button.className = "copy";
    button.type = "button";
    button.textContent = "copy";
    button.addEventListener("click", async () => {
      const text = block.querySelector("pre").textContent.trimEnd();
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "copied";
      } catch {
        getSelection().selectAllChildren(block.querySelector("pre")); // Ctrl-C does the rest
        button.textContent = "selected";
      }
    });
    block.append(button);
  }
});
