/** Take the picture away: SVG, PNG, and its numbers as CSV or JSON. */

import { runs } from "../base/tex";
import { colours, letterScale } from "../base/theme";
import type { Panel } from "./data";
import { drawPanel, tableOf, type Pin } from "./figure";
import { letters, text } from "./labels";
import { parts } from "./swatch";
import type { Entry } from "./tones";

const SVG = "http://www.w3.org/2000/svg";
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** All panels under each other in one drawing that needs no style sheet. */
export function asSvg(panels: readonly Panel[], pins: readonly Pin[] = [], width = 720): string {
  const own = colours();
  const root = document.createElementNS(SVG, "svg");
  const letter = letters();
  let y = letter;
  panels.forEach((panel, place) => {
    const behind = pins.flatMap(({ label, panels: all }) => {
      const one = all[place];
      return one?.type === panel.type ? [{ label, panel: one }] : [];
    });
    const drawn = drawPanel(panel, { width, height: Math.round(0.56 * width) }, behind);
    drawn.svg.querySelectorAll('[data-mark="tip"]').forEach((node) => node.remove());
    y += letter * 1.2;
    root.append(text(panel.title, { x: 16, y, "font-weight": "bold" }, letter * 1.15));
    y += letter * 0.8;
    y = drawLegend(root, drawn.legend, y, width, letter);
    drawn.svg.setAttribute("x", "8");
    drawn.svg.setAttribute("y", String(y));
    root.append(drawn.svg);
    y += Math.round(0.56 * width) + letter;
  });
  const size = { width: width + 16, height: Math.ceil(y) };
  for (const [name, value] of Object.entries({
    ...size,
    viewBox: `0 0 ${size.width} ${size.height}`,
    "font-family": FONT,
    "font-size": letter,
    fill: own.ink,
    color: own.ink,
  }))
    root.setAttribute(name, String(value));
  const paper = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: own.paper }))
    paper.setAttribute(name, value);
  root.prepend(paper);
  return new XMLSerializer().serializeToString(root);
}

function drawLegend(
  root: SVGSVGElement,
  entries: readonly Entry[],
  top: number,
  width: number,
  letter: number,
): number {
  if (!entries.length) return top;
  let [x, y] = [16, top];
  for (const entry of entries) {
    const long =
      36 + runs(entry.label).reduce((sum, run) => sum + run.text.length * letter * (run.level ? 0.4 : 0.55), 0) + 14;
    if (x > 16 && x + long > width) [x, y] = [16, y + letter * 1.6];
    const sign = document.createElementNS(SVG, "g");
    sign.setAttribute("transform", `translate(${x}, ${y})`);
    sign.append(...parts(entry));
    root.append(sign, text(entry.label, { x: x + 34, y: y + 12.5 }, letter));
    x += long;
  }
  return y + letter * 1.9;
}

export async function asPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = 2;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth * scale, image.naturalHeight * scale];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("This browser cannot write PNG."))), "image/png"),
  );
}

export function asCsv(panels: readonly Panel[]): string {
  const quoted = (cell: string | number): string =>
    typeof cell === "number" ? String(cell) : /[",\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell;
  return panels
    .map((panel) => {
      const { columns, rows } = tableOf(panel);
      return [columns, ...rows].map((row) => row.map(quoted).join(",")).join("\n");
    })
    .join("\n\n");
}

/** Hand a file to the browser. */
export function download(name: string, content: Blob | string, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export type Format = "SVG" | "PNG" | "CSV" | "JSON";

export async function take(
  format: Format,
  name: string,
  panels: readonly Panel[],
  pins: readonly Pin[],
  more: object,
): Promise<void> {
  const file = `${name.replace(/[^\w-]+/g, "-")}.${format.toLowerCase()}`;
  const wide = Math.round(720 * letterScale());
  if (format === "SVG") download(file, asSvg(panels, pins, wide), "image/svg+xml");
  else if (format === "PNG") download(file, await asPng(asSvg(panels, pins, wide)));
  else if (format === "CSV") download(file, asCsv(panels), "text/csv");
  else download(file, JSON.stringify({ ...more, panels, pinned: pins }, null, 1), "application/json");
}
