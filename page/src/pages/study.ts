/** One study of the store: its figures, its table, its verdict, its data. */

import { get, isAbort, listen, sentenceOf, type Verdict } from "../base/api";
import { fill, h, say, type Child } from "../base/dom";
import { mixed } from "../base/math";
import { told } from "../base/numbers";
import type { Place, Shown } from "../base/place";
import { CopyBox } from "../parts/copy";
import { Toolbar } from "../parts/toolbar";
import { VerdictView } from "../parts/verdict";
import type { Panel } from "../plots/data";
import { Figure } from "../plots/figure";
import { more, progressOf, stopButton, type StudyRow } from "./studies";

interface Study {
  readonly study: StudyRow;
  readonly panels: readonly Panel[];
  readonly silence: string;
  readonly verdict: Verdict | null;
  readonly table: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  };
  readonly axes: Readonly<Record<string, string>>;
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** How many seeds points have, without repetition. */
  readonly seeds: readonly number[];
  readonly seed: number;
  readonly command: string;
  readonly python: string;
  readonly failures: readonly string[];
}

export async function study(place: Place): Promise<Shown> {
  const name = decodeURIComponent(place.path.replace(/^\/studies\//, ""));
  const address = `/api/studies/${encodeURIComponent(name)}`;
  const figure = new Figure(380);
  const verdict = new VerdictView();
  const command = new CopyBox("Command");
  const python = new CopyBox("Python");
  const state = h("div", { class: "study-state" });
  const said = h("p", { class: "soft", "aria-live": "polite" });
  const table = h("div", { class: "wide tall", tabindex: "0", role: "region", "aria-label": "table" });
  const toolbar = new Toolbar({ figure, name: () => name, pins: () => [], more: () => ({ study: name }) });
  const control = new AbortController();

  const show = (one: Study): void => {
    fill(
      state,
      progressOf(one.study),
      h(
        "p",
        {},
        h("span", { class: "kind" }, one.study.state),
        ` ${told(one.study.done)} of ${told(one.study.records)} records `,
        h("span", { class: "soft" }, more(one.study)),
        " ",
        stopButton(one.study, said),
      ),
      one.failures.map((words) => h("p", { class: "note warning" }, words)),
    );
    if (one.panels.length) figure.show(one.panels);
    else figure.silence(one.silence || "There is nothing to draw yet.");
    toolbar.update();
    if (one.verdict) verdict.show(one.verdict);
    else verdict.invite("undecided: nothing is measured yet");
    command.set(one.command);
    python.set(one.python);
    fill(table, ...rows(one));
  };
  const first = await get<Study>(address);
  show(first);
  const refresh = async (): Promise<void> => {
    try {
      show(await get<Study>(address, control.signal));
    } catch (problem) {
      if (!isAbort(problem)) say(said, sentenceOf(problem));
    }
  };
  void follow(control.signal, first.study, () => void refresh());
  const element = h(
    "div",
    { class: "study-page" },
    h(
      "header",
      { class: "page-head" },
      h("p", { class: "crumbs" }, h("a", { href: "/studies" }, "Studies"), " / ", name),
      h("h1", {}, name),
      h(
        "p",
        { class: "soft" },
        h("a", { href: `/claims/${first.study.claim}` }, first.study.claim),
        ` · ${words(first)}`,
      ),
    ),
    state,
    said,
    h(
      "section",
      { class: "stage", "aria-label": "picture" },
      h("div", { class: "picture" }, figure.element),
      toolbar.element,
      verdict.element,
    ),
    h("section", { class: "lines", "aria-label": "command and Python" }, command.element, python.element),
    h(
      "h2",
      {},
      "Table ",
      h("a", { class: "button small", href: `${address}/data.csv`, download: `${name}.csv` }, "all rows as CSV"),
      " ",
      h("a", { class: "button small", href: `${address}/data.json`, download: `${name}.json` }, "JSON"),
    ),
    table,
  );
  return { element, title: name, end: () => (control.abort(), figure.end()) };
}

function words(one: Study): string {
  const values = Object.entries({ ...one.fixed, ...one.axes }).map(([key, value]) => `${key} = ${String(value)}`);
  const [least, most] = [one.seeds[0] ?? 0, one.seeds.at(-1) ?? 0];
  const seeds =
    least === most ? `${told(least)} ${least === 1 ? "seed" : "seeds"}` : `${told(least)} to ${told(most)} seeds`;
  return [...values, one.seed ? `${seeds}, the first ${one.seed}` : seeds].join(", ");
}

function rows(one: Study): Child[] {
  const cell = (value: string | number | boolean | null): string =>
    typeof value === "number" ? told(value) : value === null ? "–" : String(value);
  return [
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          one.table.columns.map((c) => h("th", { scope: "col" }, mixed(c))),
        ),
      ),
      h(
        "tbody",
        {},
        one.table.rows.map((row) =>
          h(
            "tr",
            {},
            row.map((value) => h("td", {}, cell(value))),
          ),
        ),
      ),
    ),
  ];
}

/** Look again when the store has news of this study, beginning with what the page shows. */
async function follow(signal: AbortSignal, shown: StudyRow, refresh: () => void): Promise<void> {
  let before = `${shown.done} ${shown.state}`;
  try {
    for await (const event of listen("/api/studies/watch", null, signal)) {
      const row = (event.data as { studies: readonly StudyRow[] }).studies?.find((one) => one.name === shown.name);
      const now = row ? `${row.done} ${row.state}` : "";
      if (now !== before) refresh();
      before = now;
    }
  } catch {
    return; // the page shows what it has
  }
}
