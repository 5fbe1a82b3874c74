/** Formulas as MathML, typeset by the browser; the translator is loaded with the first formula. */

import { h } from "./dom";
import { plain } from "./tex";
import { wordRuns, type WordRun } from "./words";

type Temml = { render(tex: string, element: HTMLElement, options: object): void };
let loading: Promise<Temml> | null = null;

function translator(): Promise<Temml> {
  loading ??= import("temml").then((module) => module.default as unknown as Temml);
  return loading;
}

/** An element that shows its LaTeX at once and the formula as soon as the translator is there. */
export function formula(tex: string, display = false): HTMLElement {
  const element = h(display ? "div" : "span", { class: display ? "display" : "inline-math" }, plain(`$${tex}$`));
  translator()
    .then((temml) => {
      const drawn = h("span");
      temml.render(tex, drawn, { displayMode: display, throwOnError: true });
      element.replaceChildren(...drawn.childNodes);
    })
    .catch(() => element.classList.add("unset"));
  return element;
}

/** Words with `$...$` formulas, names in backquotes and mathematics as it is typed among them. */
export function mixed(text: string): Node[] {
  return text.split(/(\$[^$]*\$|`[^`]+`)/).flatMap((piece) => {
    if (piece.length > 1 && piece.startsWith("$")) return [formula(piece.slice(1, -1))];
    return piece.startsWith("`") ? [h("code", {}, piece.slice(1, -1))] : wordRuns(piece).flatMap(nodes);
  });
}

/** What is raised keeps its sign for those who copy or hear it: "d^2" is not "d2". */
function nodes({ text, place }: WordRun): Node[] {
  if (place === "line") return [document.createTextNode(text)];
  if (place === "lowered") return [h("sub", {}, text)];
  return [h("span", { class: "caret" }, "^"), h("sup", {}, text)];
}
