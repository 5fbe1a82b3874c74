/** The lab: a head with ways to all pages, and the page that the address names. */

import "./style.css";
import { sentenceOf } from "./base/api";
import { fill, h } from "./base/dom";
import { browserPlace, type Page, type Shown } from "./base/place";
import { startTheme } from "./base/theme";
import { head } from "./parts/head";

const ROUTES: readonly (readonly [RegExp, () => Promise<Page>])[] = [
  [/^\/$/, async () => (await import("./pages/front")).front],
  [/^\/claims\/[^/]+\/[^/]+$/, async () => (await import("./pages/claim")).claim],
  [/^\/analyze$/, async () => (await import("./pages/analyze")).analyze],
  [/^\/playground$/, async () => (await import("./pages/playground")).playground],
  [/^\/tours\/[^/]+$/, async () => (await import("./pages/tour")).tour],
  [/^\/studies$/, async () => (await import("./pages/studies")).studies],
  [/^\/studies\/[^/]+$/, async () => (await import("./pages/study")).study],
];

const main = h("main", { id: "main", tabindex: "-1" });
let current: Shown | null = null;
let turn = 0;

/** How far down a page was when it was left. */
interface Left {
  readonly scroll?: number;
}

/** Show the page of the address; `down` is where it was left, if the way leads back to it. */
async function show(focus: boolean, down = 0): Promise<void> {
  const mine = ++turn;
  const place = browserPlace();
  head.mark(place.path);
  current?.end();
  current = null;
  main.setAttribute("aria-busy", "true");
  const found = ROUTES.find(([pattern]) => pattern.test(place.path));
  try {
    if (!found) throw new Error(`There is no page ${place.path} in the lab.`);
    const shown = await (await found[1]())(place);
    if (mine !== turn) return shown.end();
    current = shown;
    fill(main, shown.element);
    document.title = `${shown.title} · giantstep lab`;
  } catch (problem) {
    if (mine !== turn) return;
    fill(
      main,
      h(
        "div",
        { class: "narrow" },
        h("h1", {}, "This page cannot be shown"),
        h("p", { role: "alert" }, sentenceOf(problem)),
        h("p", {}, h("a", { href: "/" }, "All claims")),
      ),
    );
    document.title = "giantstep lab";
  }
  main.removeAttribute("aria-busy");
  if (!location.hash) window.scrollTo(0, down);
  if (focus) main.focus({ preventScroll: true });
}

/** Links inside the lab change the page without loading it anew. */
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (
    !link ||
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  if (
    link.origin !== location.origin ||
    link.target ||
    link.hasAttribute("download") ||
    link.pathname.startsWith("/api/")
  )
    return;
  if (link.pathname === location.pathname && link.search === location.search && link.hash) return;
  event.preventDefault();
  leave();
  history.pushState(null, "", link.href);
  void show(true);
});

/** Pages come later than the browser would scroll: where this one is left is written down for the way back. */
function leave(): void {
  history.replaceState({ ...(history.state as Left | null), scroll: window.scrollY }, "");
}
history.scrollRestoration = "manual";
window.addEventListener("pagehide", leave);
window.addEventListener("popstate", (event) => void show(true, (event.state as Left | null)?.scroll));

startTheme();
fill(
  document.getElementById("page") ?? document.body,
  h("a", { class: "skip", href: "#main" }, "Skip to the page"),
  head.element,
  main,
);
void show(false, (history.state as Left | null)?.scroll);
