/** The small sign before an entry of a legend. */

import { colours } from "../base/theme";
import type { Entry } from "./tones";

const SVG = "http://www.w3.org/2000/svg";

function shape(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

const PATHS: Readonly<Record<string, string>> = {
  square: "M9.5 3.5h9v9h-9z",
  triangle: "M14 3l5.4 9.4H8.6z",
  triangle2: "M14 13l5.4-9.4H8.6z",
  diamond: "M14 2.4l5.4 5.6-5.4 5.6L8.6 8z",
  plus: "M12.2 3h3.6v3.2H19v3.6h-3.2V13h-3.6V9.8H9V6.2h3.2z",
};

export function swatch(entry: Entry): SVGSVGElement {
  const svg = shape("svg", {
    width: 28,
    height: 16,
    viewBox: "0 0 28 16",
    "aria-hidden": "true",
    class: "swatch",
  }) as SVGSVGElement;
  svg.append(...parts(entry));
  return svg;
}

/** The shapes of a sign in a box of 28 by 16. */
export function parts(entry: Entry): SVGElement[] {
  const { colour, mark, dash, symbol } = entry;
  if (mark === "line")
    return [
      shape("line", {
        x1: 2,
        x2: 26,
        y1: 8,
        y2: 8,
        stroke: colour,
        "stroke-width": dash ? 1.6 : 2.2,
        ...(dash ? { "stroke-dasharray": dash } : {}),
      }),
    ];
  if (mark === "fill")
    return [
      shape("rect", {
        x: 6,
        y: 3,
        width: 16,
        height: 10,
        rx: 2,
        fill: colour,
        "fill-opacity": 0.85,
        // a tone may be that of the ground
        stroke: colours().frame,
        "stroke-opacity": 0.6,
        "stroke-width": 0.7,
      }),
    ];
  if (mark === "cross" || mark === "hatch")
    return [
      shape("path", {
        d: "M9.5 3.5l9 9m0-9l-9 9",
        stroke: colour,
        "stroke-width": mark === "cross" ? 2.4 : 1.2,
        fill: "none",
      }),
    ];
  if (mark === "arrow")
    return [shape("path", { d: "M14 1v12m-4-5l4 5 4-5", stroke: colour, "stroke-width": 1.8, fill: "none" })];
  if (mark === "ring")
    return [shape("circle", { cx: 14, cy: 8, r: 5.4, stroke: colour, "stroke-width": 2, fill: "none" })];
  const path = PATHS[symbol ?? ""];
  const dot = path
    ? shape("path", { d: path, fill: colour })
    : shape("circle", { cx: 14, cy: 8, r: 4.4, fill: colour });
  if (entry.bare) return [dot];
  return [shape("line", { x1: 14, x2: 14, y1: 1, y2: 15, stroke: colour, "stroke-width": 1.4 }), dot];
}
