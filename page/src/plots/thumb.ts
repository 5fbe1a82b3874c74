/** A picture as small as a card's: lines, bars and cells without axes. */

import { colours, shade } from "../base/theme";
import { isFiniteNumber, points, type Panel } from "./data";
import { limits } from "./limits";
import { seriesColours } from "./tones";

const [WIDE, HIGH] = [240, 96];
const SVG = "http://www.w3.org/2000/svg";

function shape(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

type Axis = (value: number) => number;

function axis(values: readonly number[], log: boolean, from: number, to: number): Axis {
  const [low, high] = limits(values, log, 0.05);
  const at = (v: number): number => (log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low));
  return (v) => from + (to - from) * at(v);
}

/** A path through points, broken at gaps. */
function path(all: readonly { x: number; y: number }[], x: Axis, y: Axis): string {
  let open = false;
  return all
    .map((p) => {
      const ok = Number.isFinite(p.x) && Number.isFinite(p.y);
      const step = ok ? `${open ? "L" : "M"}${x(p.x).toFixed(1)} ${y(p.y).toFixed(1)}` : "";
      open = ok;
      return step;
    })
    .join("");
}

export function thumb(panel: Panel): SVGSVGElement {
  const svg = shape("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true", class: "thumb" }) as SVGSVGElement;
  svg.append(...content(panel));
  svg.append(
    shape("path", { d: `M6 4V${HIGH - 6}H${WIDE - 4}`, fill: "none", stroke: colours().before, "stroke-width": 1 }),
  );
  return svg;
}

function content(panel: Panel): SVGElement[] {
  switch (panel.type) {
    case "curve":
      return lines(
        panel.series,
        panel.log_x ?? false,
        panel.log_y ?? false,
        panel.vertical_lines?.map((line) => line.x) ?? [],
      );
    case "trajectory":
      return lines(panel.paths, false, false, []);
    case "spectrum":
      return spectrum(panel);
    case "heat map":
      return cells(panel);
    case "staircase":
      return stairs(panel);
  }
}

function lines(
  series: Parameters<typeof seriesColours>[0],
  logX: boolean,
  logY: boolean,
  rules: readonly number[],
): SVGElement[] {
  const tones = seriesColours(series);
  const rows = series.map((one) => points(one, logX, logY));
  const seen = rows.flat().filter((p) => Number.isFinite(p.y) && Number.isFinite(p.x));
  const x = axis([...seen.map((p) => p.x), ...rules], logX, 6, WIDE - 4);
  const y = axis(
    seen.map((p) => p.y),
    logY,
    HIGH - 8,
    6,
  );
  const vertical = rules.map((place) =>
    shape("line", {
      x1: x(place),
      x2: x(place),
      y1: 4,
      y2: HIGH - 6,
      stroke: colours().reference,
      "stroke-dasharray": "2 3",
    }),
  );
  return [
    ...vertical,
    ...rows.flatMap((row, i): SVGElement[] => {
      const one = series[i];
      const colour = tones[i] ?? "";
      if (one?.kind === "simulation")
        return row
          .filter((p) => Number.isFinite(p.y))
          .map((p) => shape("circle", { cx: x(p.x), cy: y(p.y), r: 2.6, fill: colour }));
      const only = row.filter((p) => Number.isFinite(p.y));
      if (only.length === 1 && only[0])
        return [shape("circle", { cx: x(only[0].x), cy: y(only[0].y), r: 3.2, fill: colour })];
      const dash = one?.kind === "theory" ? {} : { "stroke-dasharray": "4 3" };
      return [
        shape("path", {
          d: path(row, x, y),
          fill: "none",
          stroke: colour,
          "stroke-width": one?.kind === "theory" ? 2 : 1.2,
          "stroke-linejoin": "round",
          ...dash,
        }),
      ];
    }),
  ];
}

function spectrum(panel: Extract<Panel, { type: "spectrum" }>): SVGElement[] {
  const density = (panel.density?.x ?? []).map((place, i) => ({ x: place ?? NaN, y: panel.density?.y[i] ?? NaN }));
  const bars = (panel.bins?.heights ?? []).map((y, i) => ({
    x: panel.bins?.edges[i] ?? 0,
    next: panel.bins?.edges[i + 1] ?? 0,
    y,
  }));
  const spikes = panel.spikes ?? [];
  const heights = [...density.map((p) => p.y), ...bars.map((b) => b.y)].filter(Number.isFinite).sort((a, b) => a - b);
  const top = 1.15 * (heights[Math.floor(0.97 * heights.length)] ?? 1);
  const x = axis(
    [...density.filter((p) => p.y > 0).map((p) => p.x), ...bars.map((b) => b.x), ...spikes.map((s) => s.x)],
    false,
    8,
    WIDE - 8,
  );
  const y = (v: number): number => HIGH - 6 - (HIGH - 12) * Math.min(1, v / top);
  return [
    ...bars.map((b) =>
      shape("rect", {
        x: x(b.x),
        y: y(b.y),
        width: Math.max(0, x(b.next) - x(b.x)),
        height: HIGH - 6 - y(b.y),
        fill: colours().simulation,
        "fill-opacity": 0.35,
      }),
    ),
    shape("path", { d: path(density, x, y), fill: "none", stroke: colours().ink, "stroke-width": 2 }),
    ...spikes.map((s) =>
      s.kind === "edge"
        ? shape("line", {
            x1: x(s.x),
            x2: x(s.x),
            y1: 4,
            y2: HIGH - 6,
            stroke: colours().reference,
            "stroke-dasharray": "2 3",
          })
        : shape("line", {
            x1: x(s.x),
            x2: x(s.x),
            y1: HIGH - 6,
            y2: 0.45 * HIGH,
            stroke: colours().simulation,
            "stroke-width": 3,
            "stroke-linecap": "round",
          }),
    ),
  ];
}

function cells(panel: Extract<Panel, { type: "heat map" }>): SVGElement[] {
  const all = panel.values.flat().filter(isFiniteNumber);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const [wide, tall] = [(WIDE - 10) / panel.x.length, (HIGH - 10) / panel.y.length];
  const blocks = panel.values.flatMap((row, j) =>
    row.map((value, i) =>
      shape("rect", {
        x: 6 + i * wide,
        y: HIGH - 6 - (j + 1) * tall,
        width: wide + 0.3,
        height: tall + 0.3,
        fill: isFiniteNumber(value)
          ? shade(colours().sequential, high > low ? (value - low) / (high - low) : 0.5)
          : "none",
      }),
    ),
  );
  if (!panel.boundary) return blocks;
  const x = axisOf(panel.x, panel.log_x ?? false, 6 + wide / 2, WIDE - 4 - wide / 2);
  const y = axisOf(panel.y, panel.log_y ?? false, HIGH - 6 - tall / 2, 4 + tall / 2);
  const along = panel.boundary.x.map((place, i) => ({ x: place ?? NaN, y: panel.boundary?.y[i] ?? NaN }));
  return [
    ...blocks,
    shape("path", { d: path(along, x, y), fill: "none", stroke: colours().groups[1] ?? "", "stroke-width": 2 }),
  ];
}

function axisOf(places: readonly number[], log: boolean, from: number, to: number): Axis {
  const [low, high] = [places[0] ?? 0, places.at(-1) ?? 1];
  const at = (v: number): number =>
    high === low ? 0.5 : log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low);
  return (v) => from + (to - from) * at(v);
}

function stairs(panel: Extract<Panel, { type: "staircase" }>): SVGElement[] {
  const heights = panel.parts.map((row) => row.reduce((a, b) => a + b, 0));
  const top = Math.max(1e-9, ...heights);
  const wide = (WIDE - 12) / Math.max(1, heights.length);
  return heights.map((height, i) => {
    const tall = ((HIGH - 14) * height) / top;
    return shape("rect", {
      x: 8 + i * wide,
      y: HIGH - 6 - tall,
      width: wide - 3,
      height: tall,
      fill: colours().simulation,
      "fill-opacity": 0.5,
    });
  });
}
