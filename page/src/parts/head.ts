/** The head of every page: ways to the pages, light or dark, large type for a room. */

import { h } from "../base/dom";
import { presenting, setPresenting, setTheme, theme } from "../base/theme";

const WAYS = [
  ["/", "Claims"],
  ["/analyze", "Analyser"],
  ["/playground", "Playground"],
  ["/studies", "Studies"],
] as const;

const links = WAYS.map(([address, words]) => h("a", { href: address }, words));
const light = h("button", { type: "button", class: "quiet", onclick: () => turnLight() });
const large = h(
  "button",
  { type: "button", class: "quiet", "aria-pressed": "false", onclick: () => present(!presenting()) },
  "Present",
);

function turnLight(): void {
  setTheme(theme() === "dark" ? "light" : "dark");
  name();
}

function name(): void {
  light.textContent = theme() === "dark" ? "Light" : "Dark";
}

/** Large type, nothing but the picture and its controls. The address remembers it. */
function present(on: boolean): void {
  setPresenting(on);
  large.setAttribute("aria-pressed", String(on));
  const url = new URL(location.href);
  if (on) url.searchParams.set("present", "1");
  else url.searchParams.delete("present");
  history.replaceState(history.state, "", url.pathname + url.search);
}

if (new URLSearchParams(location.search).has("present")) queueMicrotask(() => present(true));
queueMicrotask(name);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);

export const head = {
  element: h(
    "header",
    { class: "head" },
    h(
      "div",
      { class: "head-inside" },
      h(
        "a",
        { href: "/", class: "brand" },
        h("img", { src: "/favicon.svg", alt: "", width: 24, height: 24 }),
        "giantstep lab",
      ),
      h("nav", { "aria-label": "pages" }, links),
      h("div", { class: "head-tools" }, light, large),
    ),
  ),
  mark(path: string): void {
    links.forEach((link, i) => {
      const own = WAYS[i]?.[0] ?? "";
      const here =
        own === "/" ? path === "/" || path.startsWith("/claims") || path.startsWith("/tours") : path.startsWith(own);
      if (here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
  },
};
