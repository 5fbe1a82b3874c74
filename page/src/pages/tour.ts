/** A tour: a few sentences, a state of the page, what to look at, next. */

import { readState, writeState } from "../base/address";
import { get, sentenceOf } from "../base/api";
import { fill, h } from "../base/dom";
import { mixed } from "../base/math";
import { innerPlace, type Page, type Place, type Shown } from "../base/place";

interface Station {
  readonly title: string;
  readonly text: readonly string[];
  readonly look: string;
  readonly address: string;
  readonly claim: string;
  readonly seeds: number;
  readonly simulate: boolean;
  readonly statement: string;
}

interface Tour {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly stations: readonly Station[];
}

async function pageOf(address: string): Promise<Page> {
  if (address.startsWith("/analyze")) return (await import("./analyze")).analyze;
  if (address.startsWith("/playground")) return (await import("./playground")).playground;
  return (await import("./claim")).claim;
}

/** The station's address with its number of seeds, so that Simulate does what the text speaks of. */
function withSeeds(station: Station): string {
  if (
    !station.simulate ||
    !station.seeds ||
    !station.address.startsWith("/claims") ||
    /[?&]seeds=/.test(station.address)
  )
    return station.address;
  return `${station.address}${station.address.includes("?") ? "&" : "?"}seeds=${station.seeds}`;
}

export async function tour(place: Place): Promise<Shown> {
  const name = decodeURIComponent(place.path.replace(/^\/tours\//, ""));
  const story = await get<Tour>(`/api/tours/${encodeURIComponent(name)}`);
  const words = h("section", { class: "station", "aria-live": "polite", "aria-label": "station" });
  const state = h("div", { class: "station-page" });
  let inner: Shown | null = null;
  let at = -1;
  let turn = 0;

  const visit = async (number: number, focus: boolean): Promise<void> => {
    const mine = ++turn;
    at = Math.min(story.stations.length - 1, Math.max(0, number || 0));
    const station = story.stations[at];
    if (!station) return;
    const search = writeState({ fields: at ? { station: String(at + 1) } : {}, own: {} });
    if (focus) place.push(search);
    else place.replace(search);
    const address = withSeeds(station);
    fill(words, ...narrative(story, station, at, (next) => void visit(next, true)));
    if (focus) words.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    const made = await pageOf(address)
      .then((page) => page(innerPlace(address)))
      .catch((problem: unknown): Shown => {
        const sentence = h("p", { class: "silence", role: "alert" }, sentenceOf(problem));
        return { element: sentence, title: "", end: () => undefined };
      });
    if (mine !== turn) return made.end();
    inner?.end();
    inner = made;
    fill(state, made.element);
    if (focus) window.scrollTo(0, 0);
  };
  await visit(Number(readState(place.search()).fields["station"] ?? 1) - 1, false);
  const keys = (event: KeyboardEvent): void => {
    if (
      event.target instanceof Element &&
      event.target.closest("input, select, textarea, [role=tablist], summary, a, pre")
    )
      return;
    if (event.key === "PageDown" || event.key === "n") void visit(at + 1, true);
    else if (event.key === "PageUp" || event.key === "p") void visit(at - 1, true);
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", keys);
  return {
    element: h("div", { class: "tour" }, words, state),
    title: story.title,
    end() {
      turn += 1;
      document.removeEventListener("keydown", keys);
      inner?.end();
    },
  };
}

function narrative(story: Tour, station: Station, at: number, visit: (number: number) => void): HTMLElement[] {
  const last = at === story.stations.length - 1;
  const dots = story.stations.map((one, i) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "dot",
          "aria-current": i === at ? "step" : null,
          "aria-label": `Station ${i + 1}: ${one.title}`,
          title: one.title,
          onclick: () => visit(i),
        },
        i + 1,
      ),
    ),
  );
  return [
    h("p", { class: "crumbs" }, h("a", { href: "/" }, "Tours"), " / ", story.title),
    h("h1", { tabindex: "-1" }, mixed(station.title)),
    h(
      "div",
      { class: "station-text" },
      station.text.map((paragraph) => h("p", {}, mixed(paragraph))),
    ),
    ...(station.look ? [h("p", { class: "look" }, h("b", {}, "Look at: "), mixed(station.look))] : []),
    h(
      "div",
      { class: "station-ways" },
      h("button", { type: "button", disabled: at === 0, onclick: () => visit(at - 1) }, "Back"),
      h("ol", { class: "dots", "aria-label": "stations" }, dots),
      last
        ? h("a", { class: "button primary", href: "/" }, "All tours")
        : h("button", { type: "button", class: "primary", onclick: () => visit(at + 1) }, "Next"),
      h("a", { class: "soft", href: station.address }, "open without the tour"),
    ),
  ];
}
