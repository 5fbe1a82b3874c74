/** Curves: theory as lines, simulation as marks with standard errors, bounds as red limits. */

import * as Plot from "@observablehq/plot";
import { told } from "../base/numbers";
import { colours, letterScale } from "../base/theme";
import { heightOf, layersAbove, onPaper, sideways } from "./apart";
import { points, shown, type CurvePicture, type Point, type Series } from "./data";
import { inSight, limits } from "./limits";
import { DASHES, equalUnits, legendOf, plot, SYMBOLS, type Drawn, type Size } from "./marks";
import { readingsOf } from "./readings";
import { explained, seriesColours, seriesDashes, type Entry } from "./tones";

const CROWDED = 60; // from so many marks on, error bars become a band
const LINE = 2.1; // pixels
const WIDER = 2.6; // so much of a line is seen beneath another that covers it
const MARK = 4.2; // radius

interface Row {
  readonly series: Series;
  readonly colour: string;
  readonly dash?: string | undefined;
  readonly all: Point[];
  readonly shown: Point[];
  /** How many lines run over this one, and how far its marks stand aside, in widths of a mark. */
  readonly above?: number;
  readonly aside?: number;
  /** Whether it leaves the picture, whose edge then ends it. */
  readonly leaves?: boolean;
}

export function drawCurve(picture: CurvePicture, size: Size, pinned: readonly Series[] = []): Drawn {
  const logX = picture.log_x ?? false;
  const logY = picture.log_y ?? false;
  const tones = seriesColours(picture.series);
  const dashes = seriesDashes(picture.series);
  const plainRows = picture.series.map((series, i) => ({
    ...rowOf(series, tones[i] ?? "", logX, logY),
    dash: dashes[i],
  }));
  const inside = logY ? inSight(plainRows) : () => true;
  const rows = drawnApart(plainRows, logX, logY).map((row) => ({ ...row, leaves: !row.shown.every(inside) }));
  const ghosts = pinned.map((series) => rowOf(series, colours().reference, logX, logY));
  const lines = picture.vertical_lines ?? [];
  const all = [...rows, ...ghosts];
  const xs = [...all.flatMap((row) => row.shown.map((p) => p.x)), ...lines.map((line) => line.x)];
  const ys = all.flatMap((row) =>
    row.shown
      .filter(inside)
      .flatMap((p) => (row.series.kind === "simulation" ? [p.y - p.error, p.y + p.error] : [p.y])),
  );
  let domainX = limits(xs, logX, 0.03);
  let domainY = limits(ys, logY, 0.07);
  if (picture.equal_axes) [domainX, domainY] = equalUnits(domainX, domainY, size, picture);
  const entries: Entry[] = [];
  const marks: Plot.Markish[] = rows
    .filter((row) => row.series.forbidden)
    .map((row) => forbidden(row, domainX, domainY));
  lines.forEach((line, i) => {
    const dash = DASHES[i % DASHES.length] ?? "";
    marks.push(
      Plot.ruleX([line.x], { stroke: colours().reference, strokeDasharray: dash, strokeWidth: 1.3 * letterScale() }),
    );
    entries.push({ label: line.label, colour: colours().reference, mark: "line", dash });
  });
  ghosts.forEach((row, i) => {
    const dash = DASHES[(lines.length + i) % DASHES.length] ?? "";
    marks.push(line(row, dash, 1.6));
    entries.push({ label: row.series.label, colour: row.colour, mark: "line", dash });
  });
  const drawnRows = rows
    .map((row) => paint(row, domainX))
    .map((drawn, i, all_) => {
      const alone = drawn.entry.mark === "cross" ? rows[i]?.shown[0] : undefined;
      const twice = all_.some(({ entry }, k) => k !== i && entry.label === drawn.entry.label);
      // a line and a single place may have one name: then the place is told
      return alone && twice && rows[i]?.series.kind === "reference"
        ? { ...drawn, entry: { ...drawn.entry, label: `${drawn.entry.label}, at ${told(alone.x, 3)} alone` } }
        : rows[i]?.leaves && !rows[i]?.shown.some(inside)
          ? { ...drawn, entry: { ...drawn.entry, label: `${drawn.entry.label}, far below` } }
          : drawn;
    });
  // A line that runs along an edge would hide its dashes: such an edge is drawn last.
  const last = (i: number): boolean => rows[i]?.series.kind === "bound" && (rows[i]?.above ?? 0) > 0;
  const order = [...drawnRows.keys()].sort((a, b) => Number(last(a)) - Number(last(b)));
  for (const i of order) marks.push(...(drawnRows[i]?.marks ?? []));
  for (const drawn of drawnRows) entries.push(drawn.entry);
  const x = { label: picture.x_label, domain: domainX, log: logX, whole: xs.length > 1 && xs.every(Number.isInteger) };
  const y = { label: picture.y_label, domain: domainY, log: logY };
  const seen = all.map((row) => ({ ...row, shown: row.shown.filter(inside) }));
  const readings = readingsOf(seen, picture.x_label);
  return { svg: plot(size, x, y, marks, readings), legend: explained(legendOf(entries), picture.series) };
}

function rowOf(series: Series, colour: string, logX: boolean, logY: boolean): Row {
  const all = points(series, logX, logY);
  return { series, colour, all, shown: shown(all) };
}

/** Lines that others run over are told, and rows of marks that hide each other set side by side. */
function drawnApart(rows: readonly Row[], logX: boolean, logY: boolean): Row[] {
  const places = rows.map((row) => onPaper(row.shown, logX, logY));
  const of = (kind: Series["kind"]): number[] => rows.flatMap((row, i) => (row.series.kind === kind ? [i] : []));
  // On a logarithmic axis a bound may fall by many decades, and leaves the picture.
  const tall = logY ? [...of("theory"), ...of("simulation")] : rows.map((_, i) => i);
  const height = heightOf(tall.map((i) => places[i] ?? []));
  const at = (list: readonly number[]): (readonly { x: number; y: number }[])[] => list.map((i) => places[i] ?? []);
  const [lines, dotted] = [of("theory"), of("simulation")];
  const above = new Map(layersAbove(at(lines), height).map((count, k) => [lines[k], count]));
  for (const edge of of("bound")) above.set(edge, layersAbove(at([edge, ...lines]), height)[0] ?? 0);
  const aside = new Map(sideways(at(dotted), height).map((far, k) => [dotted[k], far]));
  return rows.map((row, i) => ({ ...row, above: above.get(i) ?? 0, aside: aside.get(i) ?? 0 }));
}

function paint(row: Row, domainX: readonly [number, number]): { marks: Plot.Markish[]; entry: Entry } {
  const { series, colour, dash } = row;
  const label = series.label;
  if (series.kind === "simulation")
    return { marks: dots(row), entry: { label, colour, mark: "dot", symbol: symbolOf(series), bare: !series.error } };
  if (series.kind === "bound") {
    const only = row.shown.length === 1 ? row.shown[0] : undefined;
    const flat = only && { ...row, all: domainX.map((x) => ({ ...only, x })) };
    return { marks: [line(flat ?? row, dash, 1.5)], entry: { label, colour, mark: "line", dash } };
  }
  const marks: Plot.Markish[] = [];
  if (series.error) marks.push(band(row, 0.13));
  if (row.shown.length !== 1) {
    marks.push(line(row, dash, dash ? 1.3 : LINE + WIDER * Math.min(row.above ?? 0, 3)));
    return { marks, entry: { label, colour, mark: "line", dash } };
  }
  marks.push(Plot.dot(row.shown, { x: "x", y: "y", symbol: "times", stroke: colour, strokeWidth: 2, r: 5 }));
  return { marks, entry: { label, colour, mark: "cross" } };
}

function line(row: Row, dash: string | undefined, width: number): Plot.Markish {
  const look = dash ? { strokeDasharray: dash } : {};
  return Plot.line(row.all, {
    x: "x",
    y: "y",
    stroke: row.colour,
    strokeWidth: width * letterScale(),
    strokeLinecap: dash ? "butt" : "round",
    ...(row.leaves ? { clip: true } : {}),
    ...look,
  });
}

function band(row: Row, opacity: number): Plot.Markish {
  return Plot.areaY(row.all, {
    x: "x",
    y1: (p: Point) => p.y - p.error,
    y2: (p: Point) => p.y + p.error,
    fill: row.colour,
    fillOpacity: opacity,
  });
}

function symbolOf(series: Series): (typeof SYMBOLS)[number] {
  return SYMBOLS[(series.color ?? 0) % SYMBOLS.length] ?? "circle";
}

function dots(row: Row): Plot.Markish[] {
  const crowded = row.shown.length > CROWDED;
  const radius = (crowded ? 2 : MARK) * letterScale();
  const dx = crowded ? 0 : 2 * radius * (row.aside ?? 0);
  const look = {
    x: "x",
    y: "y",
    fill: row.colour,
    stroke: colours().paper,
    strokeWidth: crowded ? 0.4 : 0.9,
    r: radius,
    symbol: symbolOf(row.series),
    dx,
  };
  const bars = Plot.ruleX(row.shown, {
    x: "x",
    y1: (p: Point) => p.y - p.error,
    y2: (p: Point) => p.y + p.error,
    stroke: row.colour,
    strokeWidth: 1.7 * letterScale(),
    dx,
  });
  return [...(row.series.error ? [crowded ? band(row, 0.2) : bars] : []), Plot.dot(row.shown, look)];
}

/** Beyond a bound, up to the edge of what is shown. */
function forbidden(row: Row, domainX: readonly [number, number], domainY: readonly [number, number]): Plot.Markish {
  const edge = row.series.forbidden === "above" ? domainY[1] : domainY[0];
  const only = row.shown.length === 1 ? row.shown[0] : undefined;
  const along = only ? domainX.map((x) => ({ ...only, x })) : row.all;
  const look = { fill: colours().bound, fillOpacity: 0.08, ...(row.leaves ? { clip: true } : {}) };
  return Plot.areaY(along, { x: "x", y1: "y", y2: () => edge, ...look });
}
