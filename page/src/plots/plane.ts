/** The neurons in the plane of two directions, moving from step to step. */

import { calm, colours, letterScale } from "../base/theme";
import { line, Surface, write } from "./live";

export interface Neurons {
  readonly cosines: readonly (readonly number[])[];
  readonly norms: readonly number[];
  readonly second_layer: readonly number[];
}

const LASTS = 420; // milliseconds of a move
const TRAIL = 12;

export class Plane {
  private readonly surface = new Surface("neurons in the plane of two directions", 1);
  private from: [number, number][] = [];
  private to: [number, number][] = [];
  private trails: [number, number][][] = [];
  private neurons: Neurons | null = null;
  private began = 0;
  private names: readonly [string, string] = ["", ""];
  private axes: readonly [number, number] = [0, 1];

  get element(): HTMLCanvasElement {
    return this.surface.element;
  }

  /** A new state: neurons move to it from where they stand, or jump if the number of them changed. */
  show(
    neurons: Neurons,
    axes: readonly [number, number],
    names: readonly [string, string],
    fresh: boolean,
    now: number,
  ): void {
    const to = neurons.cosines.map((row): [number, number] => [row[axes[0]] ?? 0, row[axes[1]] ?? 0]);
    const turned = axes[0] !== this.axes[0] || axes[1] !== this.axes[1];
    if (fresh || turned || to.length !== this.to.length) {
      this.from = to;
      this.trails = to.map((place) => [place]);
    } else {
      this.from = this.places(now);
      this.trails = this.trails.map((trail, i) => [...trail, to[i] ?? ([0, 0] as [number, number])].slice(-TRAIL));
    }
    [this.to, this.neurons, this.names, this.axes, this.began] = [to, neurons, names, axes, now];
  }

  get isMoving(): boolean {
    return !calm() && performance.now() - this.began < LASTS;
  }

  private places(now: number): [number, number][] {
    const raw = calm() ? 1 : Math.min(1, (now - this.began) / LASTS);
    const part = raw * raw * (3 - 2 * raw);
    return this.to.map(([x, y], i) => {
      const [a, b] = this.from[i] ?? [x, y];
      return [a + part * (x - a), b + part * (y - b)];
    });
  }

  draw(now: number): void {
    const context = this.surface.begin();
    if (!context) return;
    const own = colours();
    const size = 13 * letterScale();
    const middle = this.surface.width / 2;
    const radius = middle - size * 1.9;
    const at = ([x, y]: readonly [number, number]): [number, number] => [middle + radius * x, middle - radius * y];
    frame(context, middle, radius, size, this.names);
    const layer = this.neurons?.second_layer ?? [];
    const most = Math.max(1e-12, ...layer.map(Math.abs));
    const tone = (i: number): string =>
      (layer[i] ?? 0) >= 0 ? (own.groups[0] ?? own.ink) : (own.groups[1] ?? own.ink);
    const many = this.to.length > 400;
    if (!many)
      this.trails.forEach((trail, i) => {
        context.globalAlpha = 0.25;
        context.strokeStyle = tone(i);
        line(context, trail.map(at), 1);
      });
    this.places(now).forEach((place, i) => {
      const [x, y] = at(place);
      context.globalAlpha = many ? 0.5 : 0.85;
      context.fillStyle = tone(i);
      context.beginPath();
      context.arc(
        x,
        y,
        (many ? 1.8 : 2.4 + 3.2 * Math.sqrt(Math.abs(layer[i] ?? 0) / most)) * letterScale(),
        0,
        2 * Math.PI,
      );
      context.fill();
    });
    context.globalAlpha = 1;
  }
}

function frame(
  context: CanvasRenderingContext2D,
  middle: number,
  radius: number,
  size: number,
  names: readonly [string, string],
): void {
  const own = colours();
  context.strokeStyle = own.grid;
  for (const part of [0.25, 0.5, 0.75]) {
    context.beginPath();
    context.arc(middle, middle, part * radius, 0, 2 * Math.PI);
    context.lineWidth = 1;
    context.stroke();
  }
  line(
    context,
    [
      [middle - radius, middle],
      [middle + radius, middle],
    ],
    1,
  );
  line(
    context,
    [
      [middle, middle - radius],
      [middle, middle + radius],
    ],
    1,
  );
  context.strokeStyle = own.frame;
  context.beginPath();
  context.arc(middle, middle, radius, 0, 2 * Math.PI);
  context.lineWidth = 1.2;
  context.stroke();
  context.fillStyle = own.ink;
  write(context, names[0], middle + radius + size * 1.6, middle - size * 0.5, size, "right");
  write(context, names[1], middle + size * 0.5, middle - radius - size * 0.45, size);
}
