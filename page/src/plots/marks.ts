/** What all pictures share: sizes, letters, axes and the way Plot's answer is made fit for the page. */

import * as Plot from "@observablehq/plot";
import { told } from "../base/numbers";
import { colours } from "../base/theme";
import { fitting, letters, LINE, linesOf, text, wide } from "./labels";
import { logTicks, wholeTicks } from "./limits";
import { walkable, type Readable, type Reading } from "./readings";
import type { Entry } from "./tones";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A drawn panel: the plot, its legend, and the values under it for those who cannot see it. */
export interface Drawn {
  readonly svg: Readable;
  readonly legend: readonly Entry[];
}

export const SYMBOLS = ["circle", "square", "triangle", "diamond", "triangle2", "plus"] as const;
export const DASHES = ["1.5 2.5", "8 3 2 3", "5 2 2 2 2 2"];
export const REFERENCE_DASH = "6 4";
/** How far from a value the pointer reads it, in pixels. */
export const REACH = 60;

export function legendOf(entries: readonly Entry[]): Entry[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const key = `${entry.label}\0${entry.mark}\0${entry.colour}`;
    if (!entry.label || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

export interface AxisWish {
  readonly label: string;
  readonly domain: readonly [number, number];
  readonly log: boolean;
  /** Whether only whole numbers are shown: steps are counted. */
  readonly whole?: boolean;
}

/** A plot with the house's axes: a frame on the left and below, a light grid, labels that hold mathematics. */
export function plot(
  size: Size,
  x: AxisWish,
  y: AxisWish,
  marks: Plot.Markish[],
  readings: readonly Reading[],
  more: Plot.PlotOptions = {},
  reach = REACH,
): Readable {
  const own = colours();
  const letter = letters();
  const around = margins(size, x.label, y.label);
  const room = {
    x: Math.max(2, Math.floor(size.width / (letter * 6.5))),
    y: Math.max(2, Math.floor(size.height / (letter * 4.2))),
  };
  const axis = (wish: AxisWish, count: number): Record<string, unknown> => ({
    ...ticksOf(wish, count),
    // not as Plot's tickFormat: on a logarithmic axis that would leave some of the ticks without words
    text: (value: number) => tick(value, wish),
    label: null,
    color: own.ink,
    stroke: own.frame,
    fill: own.ink,
    tickSize: 4,
    fontSize: letter,
  });
  const scale = (wish: AxisWish): Plot.ScaleOptions => ({
    type: wish.log ? "log" : "linear",
    domain: [...wish.domain],
    label: null,
  });
  const node = Plot.plot({
    ...size,
    ...around,
    style: { fontSize: `${letter}px`, background: "transparent", color: own.ink },
    x: scale(x),
    y: scale(y),
    marks: [
      Plot.gridX({ ...ticksOf(x, room.x), stroke: own.grid, strokeOpacity: 1 }),
      Plot.gridY({ ...ticksOf(y, room.y), stroke: own.grid, strokeOpacity: 1 }),
      Plot.axisX(axis(x, room.x)),
      Plot.axisY(axis(y, room.y)),
      Plot.frame({ anchor: "left", stroke: own.frame }),
      Plot.frame({ anchor: "bottom", stroke: own.frame }),
      ...marks,
      tip(readings, reach, size.width),
    ],
    ...more,
  });
  const svg = node as unknown as Readable; // Plot wraps it only where it draws a legend or a title of its own
  const at = (name: "x" | "y", value: number): number => Number(node.scale(name)?.apply(value));
  walkable(svg, readings, (one) => [at("x", one.x), at("y", one.y)]);
  return finish(svg, size, x.label, y.label);
}

/** Limits that make one unit as long on both axes, under these labels: the shorter side is opened. */
export function equalUnits(
  x: [number, number],
  y: [number, number],
  size: Size,
  labels: { readonly x_label: string; readonly y_label: string },
): [[number, number], [number, number]] {
  const own = margins(size, labels.x_label, labels.y_label);
  const wide = size.width - own.marginLeft - own.marginRight;
  const high = size.height - own.marginTop - own.marginBottom;
  const unit = Math.max((x[1] - x[0]) / wide, (y[1] - y[0]) / high);
  const open = (range: [number, number], length: number): [number, number] => {
    const middle = (range[0] + range[1]) / 2;
    return [middle - (unit * length) / 2, middle + (unit * length) / 2];
  };
  return [open(x, wide), open(y, high)];
}

interface Margins {
  readonly marginLeft: number;
  readonly marginBottom: number;
  readonly marginTop: number;
  readonly marginRight: number;
}

/** Room around the frame; a label of two lines takes more. */
function margins(size: Size, x: string, y: string): Margins {
  const letter = letters();
  const more = (label: string): number => LINE * Math.max(0, linesOf(label, letter, size.width).length - 1);
  return {
    marginLeft: Math.round(letter * 4.1),
    marginBottom: Math.round(letter * (3.3 + more(x))),
    marginTop: Math.round(letter * (2.1 + more(y))),
    marginRight: Math.round(letter * 1.3),
  };
}

function ticksOf({ log, whole, domain: [low, high] }: AxisWish, count: number): { ticks: number[] | number } {
  if (log) return { ticks: logTicks(low, high, count) };
  return { ticks: whole && high - low <= count ? wholeTicks(low, high) : count };
}

function tick(value: number, wish: AxisWish): string {
  if (wish.log && value > 0) {
    const power = Math.log10(value);
    if (Number.isInteger(power) && Math.abs(power) > 3) return `10${raised(power)}`;
  }
  return told(value);
}

const RAISED: Readonly<Record<string, string>> = {
  "-": "⁻",
  "0": "⁰",
  "1": "¹",
  "2": "²",
  "3": "³",
  "4": "⁴",
  "5": "⁵",
  "6": "⁶",
  "7": "⁷",
  "8": "⁸",
  "9": "⁹",
};
function raised(power: number): string {
  return [...String(power)].map((sign) => RAISED[sign] ?? sign).join("");
}

/** Plot's own style sheet is taken away, for the page's policy forbids inline styles and the page has the rules itself. */
function finish(svg: Readable, size: Size, x: string, y: string): Readable {
  svg.querySelectorAll("style").forEach((style) => style.remove());
  // The picture is one image with one name: Plot's names of its parts are for us, not for screen readers.
  svg.querySelectorAll<SVGElement>("[aria-label]").forEach((part) => {
    part.dataset["mark"] = part.getAttribute("aria-label") ?? "";
    part.removeAttribute("aria-label");
  });
  svg.classList.add("plot");
  const letter = letters();
  const { marginLeft, marginRight } = margins(size, x, y);
  const room = size.width - marginLeft - marginRight;
  const below = linesOf(x, letter, size.width);
  // A label that is longer than its axis stands in the middle of the picture, in letters that let it fit.
  const long = below.some((line) => wide(line, letter) > room);
  const middle = long ? size.width / 2 : marginLeft + room / 2;
  below.forEach((line, i) => {
    const height = size.height - letter * (0.55 + LINE * (below.length - 1 - i));
    svg.append(text(line, { x: middle, y: height, "text-anchor": "middle" }, fitting(below, letter, size.width)));
  });
  const above = linesOf(y, letter, size.width);
  above.forEach((line, i) => {
    const height = letter * (1.05 + LINE * i);
    svg.append(text(line, { x: 2, y: height, "text-anchor": "start" }, fitting(above, letter, size.width)));
  });
  return svg;
}

/** A tip that shows the reading nearest to the pointer, no further than so many pixels, and stays in the picture. */
function tip(readings: readonly Reading[], reach: number, width: number): Plot.Markish {
  const own = colours();
  const letter = Math.min(letters(), width / 24);
  return Plot.tip(
    readings as Reading[],
    Plot.pointer({
      x: "x",
      y: "y",
      title: (one: Reading) => one.words.replace(/_(\d)/g, (_, digit) => String.fromCharCode(0x2080 + Number(digit))),
      lineHeight: 1.3,
      fill: own.paper,
      stroke: own.frame,
      fontSize: letter,
      lineWidth: Math.min(20, (0.55 * width) / letter),
      textPadding: 8,
      maxRadius: reach,
    }),
  );
}
