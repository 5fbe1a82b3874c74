/** Paths in a plane: each an open circle at the start, a dot at the end; they can be walked. */

import * as Plot from "@observablehq/plot";
import { told } from "../base/numbers";
import { plain } from "../base/tex";
import { colours, letterScale } from "../base/theme";
import { points, shown, type Series, type TrajectoryPicture } from "./data";
import { limits } from "./limits";
import { equalUnits, legendOf, plot, REFERENCE_DASH, type Drawn, type Size } from "./marks";
import { seriesColours, type Entry } from "./tones";

/** `part` of each path, from 0 to 1, is walked; the axes stay those of the whole. */
export function drawTrajectory(
  picture: TrajectoryPicture,
  size: Size,
  pinned: readonly Series[] = [],
  part = 1,
): Drawn {
  const own = colours();
  const paths = [...pinned, ...picture.paths];
  const tones = [...pinned.map(() => own.reference), ...seriesColours(picture.paths)];
  const entries: Entry[] = [];
  const marks: Plot.Markish[] = [];
  const many = paths.length > 12;
  const whole = paths.map((path) => points(path));
  whole.forEach((all, i) => {
    const path = paths[i];
    if (!path) return;
    const walked = all.slice(0, Math.max(1, Math.ceil(part * all.length)));
    const seen = shown(walked);
    const colour = tones[i] ?? own.ink;
    const thin = path.kind === "simulation";
    const dash = path.kind === "reference" || i < pinned.length ? REFERENCE_DASH : undefined;
    marks.push(
      Plot.line(walked, {
        x: "x",
        y: "y",
        stroke: colour,
        strokeOpacity: many ? 0.55 : thin ? 0.8 : 1,
        strokeWidth: (thin ? 1.1 : 2) * letterScale(),
        curve: "linear",
        ...(dash ? { strokeDasharray: dash } : {}),
      }),
    );
    if (thin && !many && seen.length <= 40)
      marks.push(Plot.dot(seen, { x: "x", y: "y", fill: colour, r: 1.8 * letterScale() }));
    marks.push(
      Plot.dot(seen.slice(0, 1), {
        x: "x",
        y: "y",
        stroke: colour,
        fill: own.paper,
        r: (many ? 2.4 : 3.6) * letterScale(),
        strokeWidth: 1.4,
      }),
    );
    marks.push(
      Plot.dot(seen.slice(-1), {
        x: "x",
        y: "y",
        fill: colour,
        stroke: own.paper,
        strokeWidth: 0.7,
        r: (many ? 2.8 : 4.2) * letterScale(),
      }),
    );
    entries.push({ label: path.label, colour, mark: "line", dash });
  });
  if (whole.some((all) => all.length > 1)) {
    entries.push({ label: "start", colour: own.ink, mark: "ring" });
    entries.push({ label: "end", colour: own.ink, mark: "dot", bare: true });
  }
  const places = picture.marks ?? [];
  marks.push(
    Plot.dot(places, {
      x: "x",
      y: "y",
      symbol: "star",
      fill: own.groups[1] ?? own.ink,
      stroke: own.paper,
      r: 6.5 * letterScale(),
    }),
  );
  marks.push(
    Plot.text(places, {
      x: "x",
      y: "y",
      text: (mark: { label: string }) => plain(mark.label),
      dy: -12 * letterScale(),
      fill: own.ink,
      stroke: own.paper,
      strokeWidth: 3,
    }),
  );
  const everywhere = whole.flatMap(shown);
  const readings = whole.flatMap((all, i) =>
    shown(all).map((p) => ({
      x: p.x,
      y: p.y,
      series: String(i),
      words: `${plain(p.label) || "path"}\n${plain(picture.x_label)}: ${told(p.x)}\n${plain(picture.y_label)}: ${told(p.y)}`,
    })),
  );
  let x = limits([...everywhere.map((p) => p.x), ...places.map((p) => p.x)], false, 0.06);
  let y = limits([...everywhere.map((p) => p.y), ...places.map((p) => p.y)], false, 0.06);
  if (picture.equal_axes ?? true) [x, y] = equalUnits(x, y, size, picture);
  return {
    svg: plot(
      size,
      { label: picture.x_label, domain: x, log: false },
      { label: picture.y_label, domain: y, log: false },
      marks,
      readings,
    ),
    legend: legendOf(entries),
  };
}
