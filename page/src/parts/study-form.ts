/** Start a study from a claim's page: axes, seeds, a name; what it would cost before it runs. */

import { post, sentenceOf, type ClaimPage, type Control, type Cost } from "../base/api";
import { fill, freshId, h } from "../base/dom";
import { Latest } from "../base/streams";
import { CopyBox } from "./copy";

interface Dry {
  readonly name: string;
  readonly command: string;
  readonly points: number;
  readonly records: number;
  readonly cost: Cost;
}

/** `fields` gives the values of the page's controls that differ from their defaults. */
export function studyForm(claim: ClaimPage, fields: () => Record<string, unknown>): HTMLElement {
  const numbers = claim.controls.filter((control) => control.kind !== "boolean");
  const menu = (chosen: string, first: string): HTMLSelectElement =>
    h(
      "select",
      { id: freshId("axis") },
      h("option", { value: "" }, first),
      numbers.map((one) => h("option", { value: one.name, selected: one.name === chosen }, one.name)),
    );
  const axis = claim.views.find((view) => view.x)?.x ?? "";
  const rows = [menu(axis, "no axis"), menu("", "no second axis")].map((select, i) => {
    const box = h("input", {
      id: freshId("values"),
      type: "text",
      class: "code",
      value: i === 0 ? rangeOf(claim.controls.find(({ name }) => name === axis)) : "",
      placeholder: "0:8:9 or log:0.1:10:7 or 1,2,4",
      autocomplete: "off",
    });
    // another axis has other values
    select.addEventListener("change", () => {
      box.value = rangeOf(claim.controls.find(({ name }) => name === select.value));
    });
    return { select, box };
  });
  const seeds = h("input", { id: freshId("study-seeds"), type: "number", min: 1, value: 8, class: "short" });
  const name = h("input", {
    id: freshId("study-name"),
    type: "text",
    placeholder: "chosen for you",
    autocomplete: "off",
  });
  const said = h("p", { class: "soft", "aria-live": "polite" });
  const command = new CopyBox("Command of the study");
  const latest = new Latest();

  const body = (dry: boolean): object => ({
    claim: claim.name,
    parameters: {
      ...fields(),
      ...Object.fromEntries(
        rows.filter(({ select, box }) => select.value && box.value).map(({ select, box }) => [select.value, box.value]),
      ),
    },
    preset: "",
    seeds: Number(seeds.value),
    seed: 0,
    name: name.value,
    ...(dry ? { dry_run: true } : {}),
  });
  const ask = async (): Promise<void> => {
    const signal = latest.start();
    try {
      const dry = await post<Dry>("/api/studies", body(true), signal);
      fill(said, `${dry.points} points, ${dry.records} records: ${dry.cost.refusal || dry.cost.sentence}`);
      command.set(dry.command);
    } catch (problem) {
      if (!signal.aborted) fill(said, sentenceOf(problem));
    }
  };
  const start = async (): Promise<void> => {
    try {
      const made = await post<{ name: string }>("/api/studies", body(false));
      fill(
        said,
        "It runs, also when this page is closed: ",
        h("a", { href: `/studies/${encodeURIComponent(made.name)}` }, made.name),
      );
    } catch (problem) {
      fill(said, sentenceOf(problem));
    }
  };
  const labelled = (words: string, input: HTMLElement): HTMLElement =>
    h("div", { class: "pair" }, h("label", { for: input.id }, words), input);
  const form = h(
    "div",
    { class: "study-form" },
    rows.map(({ select, box }, i) =>
      h(
        "div",
        { class: "axis" },
        labelled(i === 0 ? "axis" : "second axis", select),
        labelled(i === 0 ? "values" : "its values", box),
      ),
    ),
    h("div", { class: "axis" }, labelled("seeds of the study", seeds), labelled("name", name)),
    h(
      "div",
      { class: "axis" },
      h("button", { type: "button", class: "primary", onclick: () => void start() }, "Start the study"),
      h("button", { type: "button", onclick: () => void ask() }, "What would it cost?"),
    ),
    said,
    command.element,
  );
  return h(
    "details",
    { class: "box" },
    h("summary", {}, "Make it a study"),
    h(
      "p",
      { class: "soft" },
      "A grid of points, kept in the store: the same study as in the terminal, and it goes on when the page is closed.",
    ),
    form,
  );
}

/** Nine values along what the slider of a control covers, as an axis is written; empty for a text. */
export function rangeOf(control: Pick<Control, "slider"> | undefined): string {
  const slider = control?.slider;
  return slider ? `${slider.log ? "log:" : ""}${slider.from || (slider.log ? 0.01 : 0)}:${slider.to}:9` : "";
}
