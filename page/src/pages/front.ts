/** The front page: tours, a search box, and every claim as a card, by question or by paper. */

import { get, type Catalogue, type ClaimCard, type Judged, type Paper } from "../base/api";
import { readState, writeState } from "../base/address";
import { fill, h, say } from "../base/dom";
import { mixed } from "../base/math";
import type { Place, Shown } from "../base/place";
import { calm, onLook } from "../base/theme";
import { Badges, followVerdicts } from "../parts/judged";
import { thumb } from "../plots/thumb";

interface Group {
  readonly title: string;
  /** What the way to it is called. */
  readonly short: string;
  readonly about: string;
  readonly claims: readonly ClaimCard[];
}

export async function front(place: Place): Promise<Shown> {
  const catalogue = await get<Catalogue>("/api/claims");
  const verdicts = new Map<string, Judged>();
  for (const one of catalogue.claims) if (one.verdict) verdicts.set(one.name, one.verdict);
  const { fields } = readState(place.search());
  const search = h("input", {
    type: "search",
    id: "search",
    placeholder: "spike, staircase, kernel, He3 …",
    autocomplete: "off",
  });
  search.value = fields["q"] ?? "";
  const count = h("p", { class: "soft count", role: "status" });
  const list = h("div", { class: "groups" });
  const ways = h("div", { class: "presets ways", role: "group", "aria-label": "ways to the groups" });
  let by = fields["by"] === "paper" ? "paper" : "question";
  const choices = (["question", "paper"] as const).map((key) => {
    const button = h(
      "button",
      { type: "button", class: "choice", onclick: () => choose(key) },
      key === "question" ? "By question" : "By paper",
    );
    return { key, button };
  });

  const drawer = lazyDrawer();
  const badges = new Badges(verdicts);
  const draw = (): void => {
    const found = catalogue.claims.filter((one) => matches(one, search.value, catalogue.papers));
    say(
      count,
      search.value
        ? `${found.length} of ${catalogue.claims.length} claims`
        : `${catalogue.claims.length} claims of ${catalogue.papers.length} sources`,
    );
    for (const { key, button } of choices) button.setAttribute("aria-pressed", String(key === by));
    drawer.forget();
    badges.forget();
    const groups = groupsOf(catalogue, found, by);
    const sections = groups.map((group) => section(group, badges, drawer));
    fill(ways, groups.length < 2 ? null : groups.map((group, i) => wayTo(group, sections[i])));
    fill(
      list,
      found.length ? null : h("p", { class: "box" }, "No claim has all of these words. Fewer words find more."),
      sections,
    );
    place.replace(writeState({ fields: { q: search.value, by }, own: {} }, { q: "", by: "question" }));
  };
  const choose = (key: "question" | "paper"): void => {
    by = key;
    draw();
  };
  search.addEventListener("input", draw);
  draw();
  const left = new AbortController();
  void followVerdicts((known) => badges.hear(known), left.signal);
  const forget = onLook(draw);

  const element = h(
    "div",
    { class: "front" },
    h(
      "section",
      { class: "hero" },
      h("h1", {}, "Theorems about feature learning, moving under your hand"),
      h(
        "p",
        { class: "lead" },
        "Each card is a prediction for two-layer networks, most of them proved. Move a slider and theory follows; press Simulate and see, seed after seed, whether it holds.",
      ),
    ),
    h(
      "section",
      { "aria-labelledby": "tours-title" },
      h("h2", { id: "tours-title" }, "Start with a tour"),
      h(
        "div",
        { class: "tours" },
        catalogue.tours.map((tour, i) =>
          h(
            "a",
            { class: "tour-card", href: `/tours/${tour.name}` },
            h("span", { class: "tour-number", "aria-hidden": "true" }, i + 1),
            h(
              "span",
              {},
              h("b", {}, mixed(tour.title)),
              h("span", { class: "soft" }, mixed(tour.summary)),
              h("span", { class: "soft small-words" }, `${tour.stations} stations`),
            ),
          ),
        ),
      ),
    ),
    h(
      "section",
      { "aria-labelledby": "claims-title" },
      h(
        "div",
        { class: "find" },
        h("h2", { id: "claims-title" }, "All claims"),
        h("label", { for: "search", class: "hidden-words" }, "Search claims"),
        search,
        h(
          "div",
          { class: "choices", role: "group", "aria-label": "order of the cards" },
          choices.map(({ button }) => button),
        ),
      ),
      h("div", { class: "found" }, count, ways),
      list,
    ),
  );
  return { element, title: "claims", end: () => (forget(), drawer.forget(), left.abort()) };
}

/** All words of the search, in any of name, statement, kind and source. */
export function matches(claim: ClaimCard, search: string, papers: readonly Paper[]): boolean {
  const paper = papers.find((one) => one.key === claim.paper);
  const text =
    `${claim.name} ${claim.statement} ${claim.kind} ${claim.corrected ? "corrected finding" : ""} ${paper?.cite ?? ""} ${paper?.title ?? ""}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function groupsOf(catalogue: Catalogue, found: readonly ClaimCard[], by: string): Group[] {
  const rows: { title: string; short: string; about: string; names: readonly string[] }[] =
    by === "paper"
      ? catalogue.papers.map((paper) => ({
          title: paper.title || paper.key,
          short: shortOf(paper),
          about: [paper.authors, paper.year || ""].filter(Boolean).join(", "),
          names: paper.claims,
        }))
      : catalogue.questions.map(({ words, answer, claims }) => ({
          title: words,
          short: words,
          about: answer,
          names: claims,
        }));
  const named = new Set(rows.flatMap((row) => row.names));
  const rest = found.filter((one) => !named.has(one.name));
  if (rest.length) rows.push({ title: "And more", short: "And more", about: "", names: rest.map((one) => one.name) });
  return rows
    .map(({ title, short, about, names }) => {
      const own = new Set(names);
      const claims = found.filter((one) => own.has(one.name)).sort((a, b) => Number(b.flagship) - Number(a.flagship));
      return { title, short, about, claims };
    })
    .filter((group) => group.claims.length);
}

/** A paper as people speak of it: Ba et al. 2022. */
export function shortOf({ authors, year, key }: Pick<Paper, "authors" | "year" | "key">): string {
  const all = authors.split(",").filter(Boolean);
  const first = all[0]?.trim().split(" ").at(-1);
  return first ? `${first}${all.length > 1 ? " et al." : ""} ${year || ""}`.trim() : key;
}

interface Drawer {
  watch(element: HTMLElement, draw: () => void): void;
  forget(): void;
}

/** Small pictures are drawn when they come into sight. */
function lazyDrawer(): Drawer {
  const waiting = new Map<Element, () => void>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        waiting.get(target)?.();
        waiting.delete(target);
        observer.unobserve(target);
      }
    },
    { rootMargin: "600px" },
  );
  return {
    watch(element, draw) {
      waiting.set(element, draw);
      observer.observe(element);
    },
    forget() {
      waiting.clear();
      observer.disconnect();
    },
  };
}

/** A way down a long page: to a group, whose heading then has the focus. */
function wayTo(group: Group, section: HTMLElement | undefined): HTMLElement {
  const go = (): void => {
    section?.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
    section?.querySelector("h3")?.focus({ preventScroll: true });
  };
  const count = h("span", { class: "soft" }, ` ${group.claims.length}`);
  return h("button", { type: "button", class: "small", onclick: go }, mixed(group.short), count);
}

function section(group: Group, badges: Badges, drawer: Drawer): HTMLElement {
  return h(
    "section",
    { class: "group" },
    h("h3", { tabindex: "-1" }, mixed(group.title)),
    group.about ? h("p", { class: "soft" }, mixed(group.about)) : null,
    h(
      "div",
      { class: "cards" },
      group.claims.map((one) => card(one, badges, drawer)),
    ),
  );
}

function card(claim: ClaimCard, badges: Badges, drawer: Drawer): HTMLElement {
  const picture = h("div", { class: "card-picture" });
  const { thumbnail } = claim;
  if (thumbnail) drawer.watch(picture, () => fill(picture, thumb(thumbnail)));
  else fill(picture, h("p", { class: "soft" }, "measured only: press Simulate on its page"));
  return h(
    "a",
    { class: "card", href: `/claims/${claim.name}` },
    picture,
    h("p", { class: "card-statement" }, mixed(claim.statement)),
    h(
      "p",
      { class: "card-foot" },
      h("span", { class: "card-name" }, claim.name),
      h("span", { class: "kind" }, claim.kind),
      claim.corrected
        ? h("span", { class: "kind corrected", title: "the source's statement had to be corrected" }, "corrected")
        : null,
      badges.place(claim.name),
    ),
  );
}
