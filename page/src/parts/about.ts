/** What stands beside a claim's picture: its words, its numbers, and the lines that give this very point. */

import type { ClaimPage, Predicted, PredictedQuantity } from "../base/api";
import { h, type Child } from "../base/dom";
import { formula, mixed } from "../base/math";
import { told } from "../base/numbers";
import { plain } from "../base/tex";
import { CopyBox } from "./copy";

const LONG = 20; // signs: a symbol of more takes the width of the table

export function statementHead(claim: ClaimPage): HTMLElement {
  return h(
    "header",
    { class: "claim-head" },
    h(
      "p",
      { class: "crumbs" },
      h("a", { href: "/" }, "Claims"),
      " / ",
      claim.name,
      " ",
      h("span", { class: "kind" }, claim.kind),
    ),
    h("h1", {}, mixed(claim.statement)),
  );
}

export function formulasOf(claim: ClaimPage): HTMLElement | null {
  if (!claim.formula) return null;
  return h(
    "div",
    { class: "formulas", tabindex: "0", role: "region", "aria-label": "formula" },
    claim.formula.latex.map((tex) => formula(tex, true)),
    claim.formula.where ? h("p", { class: "where" }, "where ", mixed(claim.formula.where)) : null,
  );
}

export function aboutOf(claim: ClaimPage): HTMLElement {
  const printed = Object.entries(claim.as_printed);
  const rest = claim.story.split(/\n\s*\n/).slice(1);
  return h(
    "section",
    { class: "about", "aria-label": "about the claim" },
    claim.finding ? h("div", { class: "finding" }, h("h2", {}, "Finding"), h("p", {}, mixed(claim.finding))) : null,
    rest.length ? [h("h2", {}, "The statement"), rest.map((text) => h("p", {}, mixed(text)))] : null,
    h("h2", {}, "Source"),
    h("p", {}, mixed(claim.source), claim.url ? [" ", link(claim.url)] : null),
    bibtexOf(claim),
    list([
      ["convention", claim.convention],
      ["engine", claim.engine],
      ["supposes", claim.hypotheses.join("; ")],
      ...printed.map(([name, says]): [string, string] => [`${name}, as printed`, says]),
    ]),
  );
}

/** The entry for a bibliography, folded away until somebody wants to cite. */
function bibtexOf(claim: ClaimPage): HTMLElement {
  const entry = new CopyBox("BibTeX");
  entry.set(claim.bibtex);
  return h("details", { class: "cite" }, h("summary", {}, "cite it"), entry.element);
}

/** An address outside the lab: it opens beside the page, and only when it is clicked. */
function link(address: string): HTMLElement {
  return h("a", { class: "address", href: address, target: "_blank", rel: "noopener noreferrer" }, address);
}

function list(rows: readonly (readonly [string, string])[]): HTMLElement {
  return h(
    "dl",
    {},
    rows.filter(([, words]) => words).map(([name, words]) => [h("dt", {}, name), h("dd", {}, mixed(words))]),
  );
}

/** The table of predictions at this point. */
export function numbersOf(prediction: Predicted, claim: ClaimPage): Child[] {
  const known = new Map(claim.quantities.map((q) => [q.name, q]));
  const none = h("p", { class: "soft" }, "Theory gives no number here before a simulation runs.");
  return [
    !prediction.quantities.length
      ? none
      : h(
          "div",
          { class: "wide", tabindex: "0", role: "region", "aria-label": "numbers at this point" },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                ["quantity", "theory", "simulation should give"].map((words) => h("th", { scope: "col" }, words)),
              ),
            ),
            h(
              "tbody",
              {},
              prediction.quantities.flatMap((q) => {
                const own = q.symbol && plain(`$${q.symbol}$`).length > LONG;
                return [
                  h(
                    "tr",
                    {},
                    h(
                      "th",
                      { scope: "row", title: q.help || (known.get(q.name)?.help ?? "") },
                      q.name,
                      q.symbol && !own ? h("span", { class: "symbol" }, " ", formula(q.symbol)) : null,
                    ),
                    h("td", {}, predicted(q)),
                    h("td", { title: q.rule }, allowed(q)),
                  ),
                  own ? h("tr", { class: "symbol" }, h("td", { colspan: 3 }, formula(q.symbol))) : null,
                ];
              }),
            ),
          ),
        ),
    prediction.regime ? h("p", { class: "soft" }, h("b", {}, "regime: "), mixed(prediction.regime)) : null,
    prediction.notes.map((note) => h("p", { class: "note" }, mixed(note))),
    [...new Set(prediction.quantities.map((q) => q.outside).filter(Boolean))].map((words) =>
      h("p", { class: "note warning" }, "Outside the theorem here: ", mixed(words)),
    ),
  ];
}

function predicted(q: PredictedQuantity): string {
  if (q.predicted === null) return "–";
  if (typeof q.predicted === "number") return told(q.predicted);
  return ends(q.predicted) || "–";
}

/** A curve by its two ends; empty if it has no places. */
function ends(values: readonly (number | null)[], digits = 4): string {
  const [first, last] = [told(values[0], digits), told(values.at(-1), digits)];
  return values.length ? (first === last ? first : `${first} … ${last}`) : "";
}

/** How the mean over seeds should relate to theory; what finite size may do is told, what chance does is not. */
function allowed(q: PredictedQuantity): string {
  const allowances = [q.allowance].flat();
  const far = allowances.some((one) => typeof one === "number" && one > 0) ? ends(allowances, 2) : "";
  switch (q.relation) {
    case "equal":
      return far ? `this ± ${far}` : "this, up to chance";
    case "at most":
      return far ? `at most this + ${far}` : "at most this";
    case "at least":
      return far ? `at least this − ${far}` : "at least this";
    case "reported":
      return "not judged";
    default:
      return far ? `${q.relation} ± ${far}` : q.relation;
  }
}
