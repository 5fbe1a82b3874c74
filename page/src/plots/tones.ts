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

export function seriesColours(series: readonly Series[]): string[] {
  const own = colours();
  const roles = { theory: own.ink, simulation: own.simulation, reference: own.reference, bound: own.bound };
  const count = 1 + Math.max(-1, ...series.map((one) => one.color ?? -1));
  const palette = groupColours(count);
  return series.map((one) =>
    one.color === null || one.color === undefined ? roles[one.kind] : (palette[one.color] ?? own.ink),
  );
}
