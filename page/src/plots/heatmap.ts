/** Heat maps: one quantity over two axes as a raster, with the predicted boundary drawn over it. */

import * as Plot from "@observablehq/plot";
import { told } from "../base/numbers";
import { plain } from "../base/tex";
import { colours, letterScale, shade, theme } from "../base/theme";
import { isFiniteNumber, type HeatMapPicture } from "./data";
import { cellEdges } from "./limits";
import { legendOf, plot, REACH, type Drawn, type Size } from "./marks";
import { type Entry } from "./tones";

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly value: number | null;
}

export function drawHeatMap(picture: HeatMapPicture, size: Size, pinned: readonly HeatMapPicture[] = []): Drawn {
  const own = colours();
  const [logX, logY] = [picture.log_x ?? false, picture.log_y ?? false];
  const [edgesX, edgesY] = [cellEdges(picture.x, logX), cellEdges(picture.y, logY)];
  const cells: Cell[] = picture.y.flatMap((y, j) =>
    picture.x.map((x, i) => ({ x, y, value: picture.values[j]?.[i] ?? null })),
  );
  const finite = cells.map((cell) => cell.value).filter(isFiniteNumber);
  const [low, high] = finite.length ? [Math.min(...finite), Math.max(...finite)] : [0, 1];
  const missing = cells.filter((cell) => cell.value === null);
  const marks: Plot.Markish[] = [
    Plot.raster(cells, {
      x: "x",
      y: "y",
      fill: (cell: Cell) => cell.value ?? NaN,
      interpolate: "nearest",
      pixelSize: 2,
      imageRendering: "pixelated",
    }),
  ];
  const entries: Entry[] = [];
  if (missing.length) {
    marks.push(Plot.dot(missing, { x: "x", y: "y", symbol: "times", stroke: own.hatch, r: 3 }));
    entries.push({ label: "not measured", colour: own.hatch, mark: "hatch" });
  }
  const line = (one: HeatMapPicture, dash: string, colour: string): void => {
    if (!one.boundary) return;
    const along = one.boundary.x.map((x, i) => ({ x: x ?? NaN, y: one.boundary?.y[i] ?? NaN }));
    const halo = theme() === "dark" ? "#000000" : "#ffffff";
    marks.push(
      Plot.line(along, {
        x: "x",
        y: "y",
        stroke: halo,
        strokeOpacity: 0.65,
        strokeWidth: 4.5 * letterScale(),
        clip: true,
      }),
    );
    marks.push(
      Plot.line(along, {
        x: "x",
        y: "y",
        stroke: colour,
        strokeWidth: 2.1 * letterScale(),
        clip: true,
        ...(dash ? { strokeDasharray: dash } : {}),
      }),
    );
    entries.push({ label: one.boundary_label ?? "theory", colour, mark: "line", dash: dash || undefined });
  };
  for (const one of pinned) line(one, "4 3", own.reference);
  line(picture, "", own.groups[1] ?? own.ink);
  const rings = picture.marks ?? [];
  const ring = (stroke: string, strokeWidth: number): Plot.Markish =>
    Plot.dot(rings, {
      x: "x",
      y: "y",
      stroke,
      strokeWidth: strokeWidth * letterScale(),
      r: 7 * letterScale(),
      clip: true,
    });
  marks.push(ring("#ffffff", 5), ring("#000000", 2));
  entries.push(...rings.map((one): Entry => ({ label: one.label, colour: own.ink, mark: "ring" })));
  const readings = cells.map((c) => ({
    x: c.x,
    y: c.y,
    series: String(c.y),
    words: `${plain(picture.value_label) || "value"}: ${told(c.value)}\n${plain(picture.x_label)}: ${told(c.x)}\n${plain(picture.y_label)}: ${told(c.y)}`,
  }));
  const widest = Math.max(size.width / picture.x.length, size.height / picture.y.length); // of a cell
  const domain = (edges: readonly number[]): [number, number] => [edges[0] ?? 0, edges.at(-1) ?? 1];
  const stops = own.sequential;
  const svg = plot(
    size,
    { label: picture.x_label, domain: domain(edgesX), log: logX },
    { label: picture.y_label, domain: domain(edgesY), log: logY },
    marks,
    readings,
    {
      color: {
        type: "linear",
        domain: [low, high === low ? low + 1 : high],
        // One argument: Plot takes it for the whole scale. A range of several colours would be cut into pieces.
        interpolate: (part: number) => shade(stops, part),
        label: null,
      },
    },
    Math.max(REACH, widest),
  );
  const told_ = high > low ? [low, (low + high) / 2, high] : [low];
  entries.unshift(
    ...told_.map((value, i): Entry => ({
      label:
        i === 1 ? `${told(value, 3)}` : `${i === 0 ? (picture.value_label || "value") + ": " : ""}${told(value, 3)}`,
      colour: stops[[0, 3, 6][i] ?? 0] ?? "",
      mark: "fill",
    })),
  );
  return { svg, legend: legendOf(entries) };
}
