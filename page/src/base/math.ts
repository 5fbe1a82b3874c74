/** Formulas as MathML, typeset by the browser; the translator is loaded with the first formula. */

import { h } from "./dom";
import { plain } from "./tex";

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

/** Words with `$...$` formulas and names in backquotes among them. */
export function mixed(text: string): Node[] {
  return text.split(/(\$[^$]*\$|`[^`]+`)/).map((piece) => {
    if (piece.length > 1 && piece.startsWith("$")) return formula(piece.slice(1, -1));
    return piece.startsWith("`") ? h("code", {}, piece.slice(1, -1)) : document.createTextNode(piece);
  });
}
