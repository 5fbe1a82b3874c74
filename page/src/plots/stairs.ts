/** The staircase of a target: what is left open after each giant step, stacked in parts. */

import * as Plot from "@observablehq/plot";
import { told } from "../base/numbers";
import { plain } from "../base/tex";
import { colours, shade } from "../base/theme";
import type { StaircasePicture } from "./data";
import { letters, LINE, linesOf, text } from "./labels";
import { legendOf, plot, type Drawn, type Size } from "./marks";
import type { Reading } from "./readings";
import { type Entry } from "./tones";

interface Block {
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
  readonly colour: string;
  readonly label: string;
  readonly words: string;
}

export function drawStaircase(picture: StaircasePicture, size: Size): Drawn {
  const own = colours();
  const others = picture.part_labels.filter((label) => label !== picture.highlight);
  const tone = (label: string): string =>
    label === picture.highlight
      ? (own.groups[1] ?? own.ink)
      : shade(own.sequential, 0.72 - (0.45 * others.indexOf(label)) / Math.max(1, others.length));
  const blocks: Block[] = picture.parts.flatMap((row, level) => {
    let height = 0;
    return row.map((part, k) => {
      const label = picture.part_labels[k] ?? "";
      const block = {
        x1: level + 0.04,
        x2: level + 0.96,
        y1: height,
        y2: height + part,
        colour: tone(label),
        label,
        words: `${plain(label)}: ${told(part)}\nlevel ${level}: ${plain(picture.levels[level] ?? "")}`,
      };
      height += part;
      return block;
    });
  });
  const top = Math.max(1e-9, ...blocks.map((block) => block.y2));
  const seen = blocks.filter((block) => block.y2 > block.y1);
  const marks: Plot.Markish[] = [Plot.rect(seen, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: "colour", rx: 2 })];
  const count = picture.levels.length;
  const svg = plot(
    size,
    { label: picture.x_label, domain: [0, count], log: false },
    { label: picture.y_label, domain: [0, 1.08 * top], log: false },
    marks,
    seen.flatMap((block) => everywhere(block, top)),
    { color: { type: "identity" } as Plot.ScaleOptions },
  );
  nameLevels(svg, picture, size);
  const entries: Entry[] = picture.part_labels.map((label) => ({ label, colour: tone(label), mark: "fill" }));
  return { svg, legend: legendOf(entries) };
}

/** The same words all over a block, its middle first: the nearest middle may belong to another block. */
function everywhere({ x1, x2, y1, y2, label, words }: Block, top: number): Reading[] {
  const rows = Math.ceil((24 * (y2 - y1)) / top);
  const part = (low: number, high: number, i: number, count: number): number =>
    low + ((high - low) * (i + 0.5)) / count;
  const at = (x: number, y: number): Reading => ({ x, y, series: label, words });
  const all = Array.from({ length: rows }, (_, j) =>
    Array.from({ length: 9 }, (__, i) => at(part(x1, x2, i, 9), part(y1, y2, j, rows))),
  );
  return [at((x1 + x2) / 2, (y1 + y2) / 2), ...all.flat()];
}

/** Words of the levels in place of the numbers under the steps. */
function nameLevels(svg: SVGSVGElement, { levels, x_label }: StaircasePicture, size: Size): void {
  svg.querySelectorAll('[data-mark^="x-axis"], [data-mark^="x-grid"]').forEach((node) => node.remove());
  const letter = letters();
  const [left, right] = [Math.round(letter * 4.1), Math.round(letter * 1.3)];
  const wide = (size.width - left - right) / Math.max(1, levels.length);
  const below = linesOf(x_label, letter, size.width).length;
  const fits = Math.max(4, Math.floor(wide / (letter * 0.5)));
  levels.forEach((words, i) => {
    const short = plain(words).length > fits ? `${plain(words).slice(0, fits - 1)}…` : words;
    const label = text(
      short,
      { x: left + (i + 0.5) * wide, y: size.height - letter * (2 + LINE * (below - 1)), "text-anchor": "middle" },
      letter * 0.95,
    );
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = plain(words);
    label.append(title);
    svg.append(label);
  });
}
