// Each cell of a table with a head knows the name of its column: on a phone a row is shown as a list of them.
document.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll(".bd-article table")) {
    const names = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent.trim());
    if (names.length < 3) continue; // two columns fit
    for (const row of table.querySelectorAll("tbody tr")) {
      [...row.cells].forEach((cell, number) => {
        cell.dataset.label ??= number ? names[number] ?? "" : "";
        cell.classList.toggle("empty", !cell.textContent.trim() && !cell.querySelector("img"));
      });
    }
  }
  // The name of a module, too long for a phone, breaks behind a dot.
  const name = document.querySelector(".bd-article h1")?.firstChild;
  if (/^\w+(\.\w+)+$/.test(name?.textContent ?? "")) {
    const parts = name.textContent.split(/(?<=\.)/);
    name.replaceWith(...parts.flatMap((part) => [part, document.createElement("wbr")]));
  }
});
