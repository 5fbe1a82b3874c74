/** Colours of series and entries of legends, without the library that draws. */

import { colours, groupColours } from "../base/theme";
import type { Series } from "./data";

/** Letters of mathematics in pictures. */
export const MATHS = "'STIX Two Text', 'STIXGeneral', 'Latin Modern Roman', 'Times New Roman', serif";

/** One entry of a legend. */
export interface Entry {
  readonly label: string;
  readonly colour: string;
  readonly mark: "line" | "dot" | "fill" | "cross" | "arrow" | "hatch" | "ring";
  readonly dash?: string | undefined;
  readonly symbol?: string | undefined;
  /** Whether a dot has no bar of error. */
  readonly bare?: boolean | undefined;
}

/** Dashes of limits and of bounds with different names in one picture, and of what a source prints. */
const LIMIT_DASHES = ["6 4", "2 2.5", "12 4"];
const BOUND_DASHES = ["8 4", "2 2", "10 3 2 3"];
const PRINTED_DASH = "9 3 2 3";

/** The dashes of each series, none where it is a whole line or marks. */
export function seriesDashes(series: readonly Pick<Series, "label" | "kind" | "color">[]): (string | undefined)[] {
  return series.map(({ label, kind, color }) => {
    if (kind !== "reference" && kind !== "bound") return undefined;
    if (kind === "reference" && label.endsWith("as printed")) return PRINTED_DASH;
    const dashes = kind === "bound" ? BOUND_DASHES : LIMIT_DASHES;
    const names = [...new Set(series.filter((one) => one.kind === kind).map((one) => one.label))];
    // where lines have colours of their own these tell them apart
    return dashes[(color ?? null) === null ? names.indexOf(label) % dashes.length : 0];
  });
}

export function seriesColours(series: readonly Series[]): string[] {
  const own = colours();
  const roles = { theory: own.ink, simulation: own.simulation, reference: own.reference, bound: own.bound };
  const count = 1 + Math.max(-1, ...series.map((one) => one.color ?? -1));
  const palette = groupColours(count);
  return series.map((one) =>
    one.color === null || one.color === undefined ? roles[one.kind] : (palette[one.color] ?? own.ink),
  );
}

/** Where a line and marks share one entry, say once which is which. */
export function explained(entries: Entry[], series: readonly Pick<Series, "label" | "kind">[]): Entry[] {
  const kinds = new Map<string, Set<string>>();
  for (const one of series) kinds.set(one.label, (kinds.get(one.label) ?? new Set()).add(one.kind));
  const shared = [...kinds].filter(([label, kind]) => label && kind.has("theory") && kind.has("simulation"));
  if (!shared.length) return entries;
  const names = new Set(shared.map(([label]) => label));
  const isTheory = ({ label, mark, dash }: Entry): boolean =>
    names.has(label) && ((mark === "line" && !dash) || mark === "cross");
  const kept = entries.filter((entry) => !isTheory(entry));
  const places = entries.filter(isTheory).every((entry) => entry.mark === "cross");
  const ink = colours().ink;
  return [
    ...kept,
    { label: "theory", colour: ink, mark: places ? "cross" : "line" },
    { label: "simulation", colour: ink, mark: "dot", symbol: "circle" },
  ];
}
