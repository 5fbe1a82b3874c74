/** The store's studies, with live progress. */

import { get, isAbort, listen, post, sentenceOf } from "../base/api";
import { fill, h, say } from "../base/dom";
import type { Place, Shown } from "../base/place";
import { told } from "../base/numbers";
import { followVerdicts } from "../parts/judged";
import { badge } from "../parts/verdict";

export interface StudyRow {
  readonly name: string;
  readonly claim: string;
  readonly state: string;
  readonly told: string;
  readonly records: number;
  readonly done: number;
  readonly failed: number;
  readonly mine: boolean;
}

interface Listed {
  readonly studies: readonly StudyRow[];
}

export async function studies(_place: Place): Promise<Shown> {
  const first = await get<Listed>("/api/studies");
  const list = h("div", { class: "studies" });
  const said = h("p", { class: "soft", role: "status" });
  const control = new AbortController();
  const verdicts = new Map<string, string>();
  let latest = first;
  const show = (news: Listed): void => {
    latest = news;
    fill(list, news.studies.length ? news.studies.map((row) => card(row, verdicts.get(row.name), said)) : empty());
  };
  show(first);
  void followVerdicts((known) => {
    const news = Object.values(known).filter(({ study, status }) => study && verdicts.get(study) !== status);
    for (const { study, status } of news) verdicts.set(study ?? "", status);
    if (news.length) show(latest);
  }, control.signal);
  void follow(control.signal, show);
  const element = h(
    "div",
    { class: "studies-page" },
    h(
      "header",
      { class: "page-head" },
      h("h1", {}, "Studies"),
      h("p", { class: "lead" }, "Grids of simulations in the store, from here and from the terminal alike."),
    ),
    said,
    list,
  );
  return { element, title: "studies", end: () => control.abort() };
}

async function follow(signal: AbortSignal, show: (news: Listed) => void): Promise<void> {
  try {
    for await (const event of listen("/api/studies/watch", null, signal))
      if (event.name === "studies") show(event.data as Listed);
  } catch (problem) {
    if (!isAbort(problem) && !signal.aborted) console.info(sentenceOf(problem));
  }
}

function empty(): HTMLElement {
  return h(
    "div",
    { class: "box empty" },
    h("p", {}, "The store is empty. A study is a grid of points and seeds that survives everything:"),
    h("pre", { tabindex: "0" }, "giantstep sweep bes22/weight-spike --step 0:8:9 --seeds 16 --name spikes"),
    h("p", {}, "or open a ", h("a", { href: "/" }, "claim"), " and choose “Make it a study”."),
  );
}

/** What the store tells of a study besides its state and how far it is. */
export function more(row: StudyRow): string {
  const after = row.told.startsWith(row.state) ? row.told.slice(row.state.length) : row.told;
  return after.replace(/^( at \d+ of \d+)?[,;]? */, "");
}

export function progressOf(row: StudyRow): HTMLElement {
  return h("progress", { max: Math.max(1, row.records), value: row.done, "aria-label": `progress of ${row.name}` });
}

export function stopButton(row: StudyRow, said: HTMLElement): HTMLElement | null {
  if (!row.mine || row.state !== "running") return null;
  const button = h("button", { type: "button", class: "small" }, "Stop");
  button.setAttribute("aria-label", `Stop ${row.name}`);
  button.addEventListener("click", () => {
    post(`/api/studies/${encodeURIComponent(row.name)}/stop`, {}).then(
      () => say(said, `${row.name} stops; the same command goes on.`),
      (problem: unknown) => say(said, sentenceOf(problem)),
    );
  });
  return button;
}

function card(row: StudyRow, verdict: string | undefined, said: HTMLElement): HTMLElement {
  return h(
    "article",
    { class: "study-card", "data-state": row.state },
    h("h2", {}, h("a", { href: `/studies/${encodeURIComponent(row.name)}` }, row.name)),
    h("p", { class: "soft" }, row.claim),
    progressOf(row),
    h(
      "p",
      {},
      verdict ? [badge(verdict), " "] : null,
      h("span", { class: "kind" }, row.state),
      ` ${told(row.done)} of ${told(row.records)}`,
      row.failed ? `, ${told(row.failed)} failed` : "",
      h("span", { class: "soft" }, ` ${more(row)}`),
      stopButton(row, said),
    ),
  );
}
