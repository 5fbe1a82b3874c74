/** Spectra: a histogram with its predicted density, and the spikes that leave the bulk. */

import * as Plot from "@observablehq/plot";
import { told } from "../base/numbers";
import { plain } from "../base/tex";
import { colours, letterScale } from "../base/theme";
import { isFiniteNumber, type Bins, type SpectrumPicture } from "./data";
import { limits, quantile } from "./limits";
import { DASHES, legendOf, plot, type Drawn, type Size } from "./marks";
import type { Reading } from "./readings";
import { type Entry } from "./tones";

export function drawSpectrum(picture: SpectrumPicture, size: Size, pinned: readonly SpectrumPicture[] = []): Drawn {
  const own = colours();
  const density = densityOf(picture);
  const top = topOf(picture, density);
  const spikes = picture.spikes ?? [];
  const entries: Entry[] = [];
  const marks: Plot.Markish[] = [];
  const readings: Reading[] = [];
  if (picture.before) {
    marks.push(bars(picture.before, own.before, 0.45, top));
    entries.push({ label: picture.before_label ?? "before", colour: own.before, mark: "fill" });
  }
  if (picture.bins) {
    marks.push(
      bars(picture.bins, own.simulation, picture.before ? 0.12 : 0.3, top),
      outline(picture.bins, own.simulation, top),
    );
    entries.push({ label: picture.values_label ?? "simulation", colour: own.simulation, mark: "fill" });
    readings.push(...binReadings(picture.bins, picture, top));
  }
  pinned.forEach((one, i) => {
    const dash = DASHES[i % DASHES.length] ?? "";
    marks.push(
      Plot.line(densityOf(one), {
        x: "x",
        y: "y",
        stroke: own.reference,
        strokeDasharray: dash,
        strokeWidth: 1.6,
        clip: true,
      }),
    );
    for (const spike of one.spikes ?? [])
      if (spike.kind === "predicted")
        marks.push(Plot.dot([spike], { x: "x", y: 0, symbol: "times", stroke: own.reference, strokeWidth: 2, r: 5 }));
    entries.push({ label: one.density_label ?? "pinned", colour: own.reference, mark: "line", dash });
  });
  if (density.length) {
    marks.push(Plot.line(density, { x: "x", y: "y", stroke: own.ink, strokeWidth: 2.1 * letterScale(), clip: true }));
    entries.push({ label: picture.density_label ?? "theory", colour: own.ink, mark: "line" });
    const name = picture.density_label ?? "theory";
    readings.push(
      ...density
        .filter((p) => Number.isFinite(p.y))
        .map((p) => ({
          x: p.x,
          y: Math.min(p.y, top),
          series: "density",
          words: `${plain(name)}: density ${told(p.y)}\n${plain(picture.x_label)}: ${told(p.x)}`,
        })),
    );
  }
  for (const spike of spikes) {
    const [mark, entry] = spikeMark(spike, top);
    marks.push(...mark);
    entries.push(entry);
    readings.push({ x: spike.x, y: 0, series: "spikes", words: `${plain(spike.label)}: ${told(spike.x)}` });
  }
  const far = outliers(picture);
  if (far.length)
    marks.push(
      Plot.ruleX(far, { y1: 0, y2: 0.035 * top, stroke: own.simulation, strokeWidth: 1.2, strokeOpacity: 0.8 }),
    );
  const domain = limits(xsOf(picture, pinned, far), false, 0.03);
  const x = { label: picture.x_label, domain, log: false };
  return {
    svg: plot(size, x, { label: "density", domain: [0, top], log: false }, marks, readings),
    legend: legendOf(entries),
  };
}

function densityOf(picture: SpectrumPicture): { x: number; y: number }[] {
  const { x, y } = picture.density ?? { x: [], y: [] };
  return x.map((place, i) => {
    const height = y[i];
    return { x: place ?? NaN, y: isFiniteNumber(height) ? height : NaN };
  });
}

/** A density may be singular at an edge: most of it, not its largest value, sets the scale. */
function topOf(picture: SpectrumPicture, density: readonly { y: number }[]): number {
  const highest = Math.max(0, ...(picture.bins?.heights ?? []), ...(picture.before?.heights ?? []));
  const most = quantile(density.map((p) => p.y).filter(Number.isFinite), 0.95);
  const top = density.length ? Math.max(most, Math.min(highest, 2.5 * most)) : highest;
  return 1.12 * (top || 1);
}

function cells(bins: Bins, top: number): { x1: number; x2: number; y: number }[] {
  return bins.heights
    .map((y, i) => ({ x1: bins.edges[i] ?? 0, x2: bins.edges[i + 1] ?? 0, y: Math.min(y, top) }))
    .filter((cell) => cell.y > 0);
}

function bars(bins: Bins, colour: string, opacity: number, top: number): Plot.Markish {
  return Plot.rectY(cells(bins, top), { x1: "x1", x2: "x2", y1: 0, y2: "y", fill: colour, fillOpacity: opacity });
}

function outline(bins: Bins, colour: string, top: number): Plot.Markish {
  const path = bins.heights.flatMap((y, i) =>
    [bins.edges[i] ?? 0, bins.edges[i + 1] ?? 0].map((x) => ({ x, y: Math.min(y, top) })),
  );
  const ends = [{ x: bins.edges[0] ?? 0, y: 0 }, ...path, { x: bins.edges.at(-1) ?? 0, y: 0 }];
  return Plot.line(ends, { x: "x", y: "y", stroke: colour, strokeWidth: 1.3 });
}

function binReadings(bins: Bins, picture: SpectrumPicture, top: number): Reading[] {
  const name = plain(picture.values_label ?? "simulation");
  return bins.heights.map((y, i) => {
    const [a, b] = [bins.edges[i] ?? 0, bins.edges[i + 1] ?? 0];
    return {
      x: (a + b) / 2,
      y: Math.min(y, top),
      series: "bars",
      words: `${name}: density ${told(y)}\n${told(a)} to ${told(b)}`,
    };
  });
}

/** Single values beyond the bars. */
function outliers(picture: SpectrumPicture): number[] {
  const values = (picture.values ?? []).filter(isFiniteNumber);
  const [low, high] = [picture.bins?.edges[0], picture.bins?.edges.at(-1)];
  return low === undefined || high === undefined ? [] : values.filter((v) => v < low || v > high);
}

function xsOf(picture: SpectrumPicture, pinned: readonly SpectrumPicture[], far: readonly number[]): number[] {
  return [picture, ...pinned].flatMap((one) => [
    ...densityOf(one)
      .filter((p) => p.y > 0)
      .map((p) => p.x),
    ...(one.bins?.edges ?? []),
    ...(one.before?.edges ?? []),
    ...(one.spikes ?? []).map((spike) => spike.x),
    ...far,
  ]);
}

function spikeMark(spike: NonNullable<SpectrumPicture["spikes"]>[number], top: number): [Plot.Markish[], Entry] {
  const own = colours();
  const { x, label, kind } = spike;
  if (kind === "edge") {
    const dash = DASHES[0] ?? "";
    return [
      [Plot.ruleX([x], { stroke: own.reference, strokeDasharray: dash, strokeWidth: 1.3 })],
      { label, colour: own.reference, mark: "line", dash },
    ];
  }
  if (kind === "predicted") {
    const cross = Plot.dot([{ x }], {
      x: "x",
      y: 0,
      symbol: "times",
      stroke: own.ink,
      strokeWidth: 2.6 * letterScale(),
      r: 6 * letterScale(),
    });
    return [[cross], { label, colour: own.ink, mark: "cross" }];
  }
  const arrow = Plot.arrow([{ x }], {
    x1: "x",
    x2: "x",
    y1: 0.24 * top,
    y2: 0.03 * top,
    stroke: own.simulation,
    strokeWidth: 2,
    headLength: 9,
    inset: 0,
  });
  return [[arrow], { label, colour: own.simulation, mark: "arrow" }];
}
