/** Reading values off a picture: with the pointer, by touch, or with the arrow keys where it has the focus. */

import { told } from "../base/numbers";
import { plain } from "../base/tex";
import type { Point, Series } from "./data";

/** A place of a picture and what is read there; the arrow keys walk along its series. */
export interface Reading {
  readonly x: number;
  readonly y: number;
  readonly series: string;
  readonly words: string;
}

/** What Plot makes: its value is what the pointer reads. */
export type Readable = SVGSVGElement & { value?: Reading | null };

interface Row {
  readonly series: Series;
  readonly shown: readonly Point[];
}

/** Values of curves with their standard errors; where lines lie upon each other, one reading names them all. */
export function readingsOf(rows: readonly Row[], xLabel: string): Reading[] {
  const nameOf = names(rows.map((row) => row.series));
  const found = new Map<string, { point: Point; names: string[] }>();
  for (const { series, shown } of rows)
    for (const point of shown) {
      const error = series.kind === "simulation" ? point.error : 0;
      const key = `${point.x} ${point.y} ${error}`;
      const place = found.get(key) ?? { point: { ...point, error }, names: [] };
      if (!place.names.includes(nameOf(series))) place.names.push(nameOf(series));
      found.set(key, place);
    }
  return [...found.values()].map(({ point: { x, y, error }, names: all }) => ({
    x,
    y,
    series: all[0] ?? "",
    words: `${all.join(", ")}: ${told(y)}${error ? ` ± ${told(error, 2)}` : ""}\n${plain(xLabel)}: ${told(x)}`,
  }));
}

/** The label of a series, and its kind where that alone tells two apart. */
function names(all: readonly Series[]): (series: Series) => string {
  return (series) => {
    const shared = all.some((one) => one.label === series.label && one.kind !== series.kind);
    const label = plain(series.label);
    return !label ? series.kind : shared && label !== series.kind ? `${label}, ${series.kind}` : label;
  };
}

/** The reading that an arrow key leads to: along a series, or to the nearest value of another one. */
export function neighbour(stops: readonly Reading[], from: number, key: string): number | null {
  const way = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1 }[key];
  if (way === undefined || !stops.length) return null;
  const now = stops[from];
  if (!now) return 0;
  const all = [...new Set(stops.map((one) => one.series))];
  const mine = key === "ArrowRight" || key === "ArrowLeft";
  const wanted = mine ? now.series : all[all.indexOf(now.series) + way];
  const offered = stops.flatMap((one, i) => (one.series === wanted ? [i] : []));
  if (mine) return offered[offered.indexOf(from) + way] ?? from;
  const far = (i: number): number => Math.abs((stops[i]?.x ?? 0) - now.x);
  return offered.reduce((best, i) => (far(i) < far(best) ? i : best), offered[0] ?? from);
}

/** Let the arrow keys lead the pointer from reading to reading; `placed` gives its place in the drawing. */
export function walkable(
  svg: Readable,
  readings: readonly Reading[],
  placed: (one: Reading) => readonly [number, number],
): void {
  const stops = [...new Map([...readings].reverse().map((one) => [one.words, one])).values()].reverse();
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return leave(svg);
    const to = neighbour(
      stops,
      stops.findIndex((one) => one.words === svg.value?.words),
      event.key,
    );
    const next = stops[to ?? -1];
    const matrix = svg.getScreenCTM();
    if (!next || !matrix) return;
    event.preventDefault();
    const { x, y } = new DOMPoint(...placed(next)).matrixTransform(matrix);
    pointAt(svg, x, y);
    if (svg.value?.words === next.words) return;
    send(svg, "pointerdown", x, y); // a click had held another value
    pointAt(svg, x, y);
  });
  svg.addEventListener("blur", () => leave(svg));
}

/** Read what is at a place of the window. */
export function pointAt(svg: Readable, x: number, y: number): void {
  send(svg, "pointermove", x, y);
}

function leave(svg: Readable): void {
  svg.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" }));
}

function send(svg: Readable, name: string, clientX: number, clientY: number): void {
  svg.dispatchEvent(new PointerEvent(name, { clientX, clientY, pointerType: "mouse", bubbles: true }));
}
