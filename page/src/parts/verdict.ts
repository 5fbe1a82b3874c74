/** The verdict: one sentence in a live region, the judgements under it. */

import type { Status, Verdict } from "../base/api";
import { fill, h } from "../base/dom";
import { mixed } from "../base/math";

export function badge(status: Status | string): HTMLElement {
  return h("span", { class: `badge ${status}` }, status);
}

export class VerdictView {
  private readonly line = h("p", {
    class: "verdict-line",
    role: "status",
    "aria-live": "polite",
    "aria-atomic": "true",
    "data-testid": "verdict",
  });
  private refused = false;
  private readonly more = h("div", { class: "judgements" });
  readonly element = h("section", { class: "verdict", "aria-label": "verdict" }, this.line, this.more);

  constructor() {
    this.invite("");
  }

  /** Whether nothing was judged, nor refused, yet. */
  get isInviting(): boolean {
    return this.element.dataset["status"] === "none" && !this.refused;
  }

  /** Why nothing is simulated here. */
  refuse(words: string): void {
    this.invite(words);
    this.refused = true;
  }

  /** Words before anything was simulated. */
  invite(words: string): void {
    this.refused = false;
    this.element.dataset["status"] = "none";
    fill(this.line, words);
    fill(this.more);
  }

  show(verdict: Verdict): void {
    this.element.dataset["status"] = verdict.status;
    const rest = verdict.told.startsWith(verdict.status)
      ? verdict.told.slice(verdict.status.length)
      : ` ${verdict.sentence}`;
    const colon = rest.startsWith(": ");
    if (this.line.textContent !== verdict.told)
      fill(
        this.line,
        badge(verdict.status),
        colon ? h("span", { class: "hidden-words" }, ": ") : null,
        colon ? rest.slice(2) : rest,
      );
    const opened = this.more.querySelector("details")?.open ?? false;
    fill(this.more, details(verdict, opened));
  }
}

function details(verdict: Verdict, open: boolean): HTMLElement {
  return h(
    "details",
    open ? { open: true } : {},
    h("summary", {}, "how it was judged"),
    h(
      "ul",
      {},
      verdict.judgements.map((one) =>
        h("li", {}, badge(one.status), " ", h("b", {}, one.quantity), " ", mixed(without(one.sentence, one.quantity))),
      ),
    ),
    verdict.sharpness
      ? h("p", {}, h("b", {}, "How sharp: "), mixed(verdict.sharpness.replace(/^Sharpness: /, "")))
      : null,
    verdict.as_printed.length ? h("h4", {}, "As printed in the source") : null,
    h(
      "ul",
      {},
      verdict.as_printed.map((one) =>
        h(
          "li",
          {},
          badge(one.as_printed),
          " ",
          h("b", {}, one.quantity),
          " ",
          mixed(one.says),
          " ",
          h("span", { class: "soft" }, mixed(one.sentence), `; corrected: ${one.corrected}`),
        ),
      ),
    ),
  );
}

/** A sentence without the name that it begins with and that stands before it already. */
function without(sentence: string, name: string): string {
  return sentence.startsWith(`${name} `) ? sentence.slice(name.length + 1) : sentence;
}
