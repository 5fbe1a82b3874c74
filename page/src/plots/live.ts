/** Charts on canvas for the playground: cheap enough to be drawn sixty times a second. */

import { told } from "../base/numbers";
import { runs } from "../base/tex";
import { colours, letterScale } from "../base/theme";
import { MATHS } from "./tones";

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

export interface LiveSeries {
  readonly label: string;
  readonly colour: string;
  readonly y: readonly (number | null)[];
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
}

export interface LivePicture {
  readonly series: readonly LiveSeries[];
  /** Horizontal lines with words. */
  readonly levels: readonly { readonly y: number; readonly words: string }[];
  /** Upper end of the y axis that is shown at least. */
  readonly least: number;
  readonly steps: number;
}

/** What reads values off a canvas: a place under the pointer, a step of the arrow keys, or neither any more. */
export interface Reader {
  point(x: number, y: number): void;
  walk(by: number): void;
  leave(): void;
}

/** A canvas as sharp as the screen, with its size in page pixels. */
export class Surface {
  readonly element = document.createElement("canvas");
  readonly context: CanvasRenderingContext2D | null = this.element.getContext("2d");
  width = 0;
  height = 0;

  constructor(
    private readonly label: string,
    private readonly ratio: number,
    reader: Reader,
  ) {
    this.element.setAttribute("role", "img");
    this.element.setAttribute("tabindex", "0");
    this.read([]);
    for (const name of ["pointermove", "pointerdown"] as const)
      this.element.addEventListener(name, (event) => reader.point(event.offsetX, event.offsetY));
    this.element.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") reader.leave(); // a finger that is lifted may be read on
    });
    this.element.addEventListener("blur", () => reader.leave());
    this.element.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (event.key === "Escape") return reader.leave();
      if (by === undefined) return;
      event.preventDefault();
      reader.walk(by);
    });
  }

  /** What is read off the canvas belongs to its name, for those who cannot see it. */
  read(words: readonly string[]): void {
    const name = [this.label, ...words].join("; ");
    if (this.element.getAttribute("aria-label") !== name) this.element.setAttribute("aria-label", name);
  }

  /** Words in a box beside a place, within the canvas, the first line in ink. */
  box(words: readonly string[], tones: readonly string[], x: number, top: number, size: number): void {
    const context = this.context;
    if (!context) return;
    const own = colours();
    context.font = `${size}px ${FONT}`;
    const wide = Math.max(...words.map((text) => context.measureText(text).width)) + size;
    const high = words.length * size * 1.4 + size * 0.4;
    const left = x + wide + 8 > this.width ? Math.max(0, x - wide - 6) : x + 6;
    const above = Math.max(0, Math.min(top, this.height - high));
    context.fillStyle = own.paper;
    context.globalAlpha = 0.92;
    context.fillRect(left, above, wide, high);
    context.globalAlpha = 1;
    context.strokeStyle = own.frame;
    context.lineWidth = 1;
    context.strokeRect(left, above, wide, high);
    words.forEach((text, i) => {
      context.fillStyle = tones[i - 1] ?? own.ink;
      write(context, text, left + size / 2, above + size * (1.2 + 1.4 * i), size);
    });
  }

  /** Clear, and take the size that the page gives. */
  begin(): CanvasRenderingContext2D | null {
    const wide = this.element.parentElement?.clientWidth ?? 0;
    const dense = window.devicePixelRatio || 1;
    const high = Math.round(wide * this.ratio);
    if (wide !== this.width || high !== this.height || this.element.width !== Math.round(wide * dense)) {
      [this.width, this.height] = [wide, high];
      this.element.width = Math.round(wide * dense);
      this.element.height = Math.round(high * dense);
      this.element.style.width = `${wide}px`;
      this.element.style.height = `${high}px`;
    }
    const context = this.context;
    if (!context || !wide) return null;
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.clearRect(0, 0, wide, high);
    return context;
  }
}

/** Words with mathematics on a canvas. */
export function write(
  context: CanvasRenderingContext2D,
  label: string,
  x: number,
  y: number,
  size: number,
  align: "left" | "right" | "center" = "left",
): void {
  const pieces = runs(label).map((run) => {
    context.font = `${run.italic ? "italic " : ""}${run.level ? size * 0.74 : size}px ${run.italic ? MATHS : FONT}`;
    return { run, font: context.font, wide: context.measureText(run.text).width };
  });
  const total = pieces.reduce((sum, piece) => sum + piece.wide, 0);
  let at = align === "left" ? x : align === "right" ? x - total : x - total / 2;
  context.textAlign = "left";
  for (const { run, font, wide } of pieces) {
    context.font = font;
    context.fillText(run.text, at, y - size * (run.level > 0 ? 0.36 : run.level < 0 ? -0.22 : 0));
    at += wide;
  }
}

/** Lines over the steps so far. */
export class LiveChart {
  private readonly surface: Surface;
  private hover: number | null = null;
  private picture: LivePicture | null = null;

  constructor(
    label: string,
    private readonly wanted: () => void,
  ) {
    this.surface = new Surface(label, 0.62, {
      point: (x) => this.turnTo(this.stepAt(x)),
      walk: (by) => this.turnTo(this.hover === null ? 0 : this.hover + by),
      leave: () => this.turnTo(null),
    });
  }

  get element(): HTMLCanvasElement {
    return this.surface.element;
  }

  private stepAt(x: number): number {
    const steps = Math.max(1, this.picture?.steps ?? 1);
    const [left, right] = this.sides();
    return Math.round(((x - left) / (right - left)) * steps);
  }

  private turnTo(step: number | null): void {
    this.hover = step === null ? null : Math.min(this.picture?.steps ?? 0, Math.max(0, step));
    this.wanted();
  }

  private sides(): [number, number] {
    const size = 12 * letterScale();
    return [size * 3.4, this.surface.width - size];
  }

  draw(picture: LivePicture): void {
    this.picture = picture;
    const context = this.surface.begin();
    if (!context) return;
    const own = colours();
    const size = 12 * letterScale();
    const [left, right] = this.sides();
    const [top, bottom] = [size * 0.8, this.surface.height - size * 3.1];
    const values = picture.series
      .flatMap((one) => [...one.y, ...(one.high ?? [])])
      .filter((v): v is number => typeof v === "number");
    const most = Math.max(picture.least, ...values, ...picture.levels.map((level) => level.y)) * 1.05;
    const steps = Math.max(1, picture.steps);
    const x = (step: number): number => left + ((right - left) * step) / steps;
    const y = (value: number): number => bottom - ((bottom - top) * value) / most;
    axes(context, { left, right, top, bottom, most, steps, size }, x, y);
    for (const level of picture.levels) {
      context.strokeStyle = own.reference;
      context.setLineDash([6, 4]);
      line(
        context,
        [
          [left, y(level.y)],
          [right, y(level.y)],
        ],
        1.2,
      );
      context.setLineDash([]);
      context.fillStyle = own.reference;
      write(context, level.words, right, y(level.y) - size * 0.35, size * 0.92, "right");
    }
    for (const one of picture.series) paint(context, one, x, y);
    if (this.hover === null) this.surface.read([]);
    else this.read(context, picture, x, y, size);
  }

  /** Values at the step under the pointer. */
  private read(
    context: CanvasRenderingContext2D,
    picture: LivePicture,
    x: (step: number) => number,
    y: (value: number) => number,
    size: number,
  ): void {
    const own = colours();
    const step = Math.min(picture.steps, this.hover ?? 0);
    context.strokeStyle = own.frame;
    line(
      context,
      [
        [x(step), y(0)],
        [x(step), size],
      ],
      0.8,
    );
    const words = [`step ${step}`, ...picture.series.map((one) => `${one.label}: ${told(one.y[step], 3)}`)];
    this.surface.read(words);
    this.surface.box(
      words,
      picture.series.map((one) => one.colour),
      x(step),
      size,
      size,
    );
  }
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly most: number;
  readonly steps: number;
  readonly size: number;
}

function axes(
  context: CanvasRenderingContext2D,
  box: Box,
  x: (step: number) => number,
  y: (value: number) => number,
): void {
  const own = colours();
  const { left, right, top, bottom, size } = box;
  context.fillStyle = own.ink;
  for (const value of roundTicks(box.most, Math.max(2, (bottom - top) / (size * 3.4)))) {
    context.strokeStyle = own.grid;
    line(
      context,
      [
        [left, y(value)],
        [right, y(value)],
      ],
      1,
    );
    write(context, told(value, 3), left - size * 0.45, y(value) + size * 0.35, size, "right");
  }
  const stride = Math.max(1, roundTicks(box.steps, Math.max(2, (right - left) / (size * 4)))[1] ?? 1);
  for (let step = 0; step <= box.steps; step += Math.ceil(stride)) {
    context.fillStyle = own.ink;
    write(context, told(step), x(step), bottom + size * 1.35, size, "center");
  }
  write(context, "step", (left + right) / 2, bottom + size * 2.6, size, "center");
  context.strokeStyle = own.frame;
  line(
    context,
    [
      [left, top],
      [left, bottom],
      [right, bottom],
    ],
    1,
  );
}

/** 0, step, 2 step, ... up to a value, with a round step. */
export function roundTicks(most: number, count: number): number[] {
  const raw = most / Math.max(1, count);
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = unit * ([1, 2, 5, 10].find((k) => k * unit >= raw) ?? 10);
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(10)));
}

export function line(
  context: CanvasRenderingContext2D,
  path: readonly (readonly [number, number])[],
  width: number,
): void {
  context.lineWidth = width * letterScale();
  context.lineJoin = "round";
  context.beginPath();
  path.forEach(([a, b], i) => (i ? context.lineTo(a, b) : context.moveTo(a, b)));
  context.stroke();
}

function paint(
  context: CanvasRenderingContext2D,
  one: LiveSeries,
  x: (step: number) => number,
  y: (value: number) => number,
): void {
  const { low, high } = one;
  if (low && high && high.length > 1) {
    context.fillStyle = one.colour;
    context.globalAlpha = 0.15;
    context.beginPath();
    high.forEach((value, i) => context[i ? "lineTo" : "moveTo"](x(i), y(value ?? 0)));
    [...low].reverse().forEach((value, i) => context.lineTo(x(low.length - 1 - i), y(value ?? 0)));
    context.fill();
    context.globalAlpha = 1;
  }
  context.strokeStyle = one.colour;
  context.fillStyle = one.colour;
  const known = one.y.flatMap((value, i): [number, number][] => (typeof value === "number" ? [[x(i), y(value)]] : []));
  line(context, known, 2);
  const last = known.at(-1);
  for (const [a, b] of known.length <= 25 ? known : last ? [last] : []) {
    context.beginPath();
    context.arc(a, b, 2.6 * letterScale(), 0, 2 * Math.PI);
    context.fill();
  }
}
