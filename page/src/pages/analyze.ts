/** The analyser: type a target, see its staircase, what each method needs, what one step learns at which n. */

import { readState, writeState } from "../base/address";
import { isAbort, post, Refusal, sentenceOf, type Control } from "../base/api";
import { fill, h, type Child } from "../base/dom";
import { Follower } from "../base/follow";
import { formula, mixed } from "../base/math";
import type { Place, Shown } from "../base/place";
import { told } from "../base/numbers";
import { fieldOf } from "../parts/controls";
import { CopyBox } from "../parts/copy";
import { Toolbar } from "../parts/toolbar";
import type { StaircasePicture } from "../plots/data";
import { Figure } from "../plots/figure";

interface Direction {
  readonly name: string;
  readonly vector: readonly number[];
  readonly step: number | null;
  readonly seen_by: readonly string[];
  readonly sentence: string;
}

interface Analysis {
  readonly target: string;
  readonly latex: string;
  readonly picture: StaircasePicture | null;
  readonly text: string;
  readonly summary: readonly string[];
  readonly stop: string;
  /** What the activation that was given learns of the staircase, if not all of it. */
  readonly sight: string;
  readonly directions: readonly Direction[];
  readonly one_step: readonly { readonly samples: string; readonly directions: readonly string[] }[];
  readonly methods: readonly {
    readonly method: string;
    readonly first: string;
    readonly all: string;
    readonly note: string;
    readonly source: string;
  }[];
  readonly notes: readonly string[];
  readonly record: object;
  readonly run: readonly { readonly claim: string; readonly address: string; readonly words: string }[];
  readonly command: string;
  readonly python: string;
}

const FIRST = "x1 + He2(x1)*x2";
const EXAMPLES = [FIRST, "relu(x1)", "x1*x2*x3", "He3(x1)", "x1 + x1*x2 + x1*x2*x3", "sign(x1)*sign(x2)"];
const TARGET: Control = {
  name: "target",
  kind: "target",
  default: FIRST,
  help: "a function of x1, x2, …: sums and products of powers, He2(x1), relu, sign, tanh …",
  symbol: "f^*",
};
const ACTIVATION: Control = {
  name: "activation",
  kind: "text",
  default: "",
  help: "optional: what this activation of the network can see",
  symbol: "\\sigma",
};

export async function analyze(place: Place): Promise<Shown> {
  const figure = new Figure(360);
  const head = h("div", { class: "target-facts" });
  const told_ = h("div", { class: "analysis", "aria-live": "polite" });
  const command = new CopyBox("Command");
  const python = new CopyBox("Python");
  const follower = new Follower<void>((_, signal) => ask(signal));
  const target = fieldOf(TARGET, () => moved());
  const activation = fieldOf({ ...ACTIVATION, kind: "activation" }, () => moved());
  const toolbar = new Toolbar({
    figure,
    name: () => "staircase",
    pins: () => [],
    more: () => ({ target: target.value() }),
  });

  const lines = h(
    "section",
    { class: "lines", "aria-label": "command and Python", hidden: true },
    h("h2", {}, "In the terminal"),
    command.element,
    python.element,
  );

  const moved = (): void => {
    place.replace(
      writeState({ fields: { target: target.value(), activation: activation.value() }, own: {} }, { activation: "" }),
    );
    follower.want();
  };
  const ask = async (signal: AbortSignal): Promise<void> => {
    try {
      const answer = await post<Analysis>(
        "/api/analyze",
        { target: target.value(), activation: activation.value() || null },
        signal,
      );
      target.complain("");
      command.set(answer.command);
      python.set(answer.python);
      fill(
        head,
        h(
          "ul",
          { class: "facts" },
          answer.summary.filter((words) => words !== answer.stop).map((words) => h("li", {}, mixed(words))),
        ),
      );
      if (answer.picture) figure.show([answer.picture]);
      else figure.silence(answer.stop);
      toolbar.element.hidden = !answer.picture;
      lines.hidden = false;
      toolbar.update();
      fill(told_, ...words(answer));
    } catch (problem) {
      if (isAbort(problem)) throw problem;
      const blamed = problem instanceof Refusal && problem.field === "activation" ? activation : target;
      blamed.complain(sentenceOf(problem));
      if (!figure.panels.length) figure.silence("There is nothing to draw as long as the text cannot be read.");
    }
  };
  const { fields } = readState(place.search());
  target.set(fields["target"] ?? FIRST);
  activation.set(fields["activation"] ?? "");
  figure.silence("Reading the target …");
  toolbar.element.hidden = true;
  follower.want();
  const examples = EXAMPLES.map((text) =>
    h("button", { type: "button", class: "small code", onclick: () => (target.set(text), moved()) }, text),
  );
  const element = h(
    "div",
    { class: "analyze" },
    h(
      "header",
      { class: "page-head" },
      h("h1", {}, "What does it take to learn this?"),
      h(
        "p",
        { class: "lead" },
        "A target's staircase: which directions giant steps find, one after the other, and from how many samples.",
      ),
    ),
    h(
      "section",
      { class: "ask", "aria-label": "target" },
      target.element,
      activation.element,
      h("div", { class: "presets", role: "group", "aria-label": "examples" }, examples),
    ),
    h(
      "section",
      { class: "stage", "aria-label": "staircase" },
      head,
      h("div", { class: "picture" }, figure.element),
      toolbar.element,
    ),
    told_,
    lines,
  );
  return { element, title: "analyser", end: () => (follower.stop(), figure.end()) };
}

function words(answer: Analysis): Child[] {
  const explained = h("p", { class: "explained", role: "status" });
  const buttons = answer.directions.map((direction) => {
    const button = h(
      "button",
      { type: "button", class: "direction", "aria-pressed": "false" },
      h("b", {}, direction.name),
      h("span", { class: "soft" }, direction.step === null ? "not with n ~ d" : `step ${direction.step}`),
    );
    button.addEventListener("click", () => {
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      fill(
        explained,
        mixed(direction.sentence),
        direction.vector.length
          ? h("span", { class: "soft" }, ` (${direction.vector.map((v) => told(v, 3)).join(", ")})`)
          : null,
      );
    });
    return button;
  });
  return [
    answer.sight
      ? [
          h("p", { class: "stop" }, mixed(answer.sight)),
          h("p", { class: "soft" }, "With activations that see every step, ", mixed(answer.stop), "."),
        ]
      : h("p", { class: "stop" }, mixed(answer.stop)),
    answer.run.length
      ? h(
          "p",
          { class: "run-it" },
          answer.run.map((one, i) =>
            h("a", { class: i ? "button" : "button primary", href: one.address }, `Run it: ${one.words}`),
          ),
        )
      : null,
    buttons.length
      ? [
          h("h2", {}, "Directions"),
          h("div", { class: "directions", role: "group", "aria-label": "directions" }, buttons),
          explained,
        ]
      : null,
    table(
      "What one step learns",
      ["samples", "directions"],
      answer.one_step.map((row) => [order(row.samples), row.directions.join(", ") || "none"]),
    ),
    table(
      "What each method needs",
      ["method", "first direction", "all of them", "why"],
      answer.methods.map((row) => [
        row.method,
        order(row.first) || "–",
        order(row.all) || "–",
        mixed([row.note, row.source].filter(Boolean).join(" · ")),
      ]),
    ),
    answer.notes.map((note) => h("p", { class: "note" }, mixed(note))),
    h(
      "details",
      { class: "box" },
      h("summary", {}, "as the terminal prints it"),
      h("pre", { tabindex: "0" }, answer.text),
    ),
  ];
}

/** Powers of d as mathematics: d^2, d^1.5. */
function order(samples: string): Child {
  if (!/^[\w^(){}.+*/ -]+$/.test(samples) || !/[d^]/.test(samples) || /[a-z]{2}/.test(samples)) return samples;
  return formula(samples.replace(/\^\(?([\w./+-]+)\)?/g, "^{$1}").replace(/\*/g, " "));
}

function table(title: string, columns: readonly string[], rows: readonly (readonly Child[])[]): Child {
  if (!rows.length) return null;
  return [
    h("h2", {}, title),
    h(
      "div",
      { class: "wide", tabindex: "0", role: "region", "aria-label": title },
      h(
        "table",
        { class: "stack" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            columns.map((c) => h("th", { scope: "col" }, c)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((row) =>
            h(
              "tr",
              {},
              row.map((cell, i) => h("td", { "data-label": columns[i] ?? "" }, h("span", {}, cell))),
            ),
          ),
        ),
      ),
    ),
  ];
}
