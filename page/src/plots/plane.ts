/** The neurons in the plane of two directions, moving from step to step. */

import { told } from "../base/numbers";
import { calm, colours, letterScale } from "../base/theme";
import { line, Surface, write } from "./live";

export interface Neurons {
  readonly cosines: readonly (readonly number[])[];
  readonly norms: readonly number[];
  readonly second_layer: readonly number[];
}

const LASTS = 420; // milliseconds of a move
const TRAIL = 12;
const REACH = 24; // pixels from a neuron at which it is read

export class Plane {
  private readonly surface: Surface;
  private from: [number, number][] = [];
  private to: [number, number][] = [];
  private trails: [number, number][][] = [];
  private neurons: Neurons | null = null;
  private began = 0;
  private names: readonly [string, string] = ["", ""];
  private axes: readonly [number, number] = [0, 1];
  /** The neuron that is read. */
  private chosen: number | null = null;

  constructor(private readonly wanted: () => void) {
    this.surface = new Surface("neurons in the plane of two directions", 1, {
      point: (x, y) => this.choose(this.nearest(x, y)),
      walk: (by) => this.choose(this.chosen === null ? 0 : this.chosen + by),
      leave: () => this.choose(null),
    });
  }

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

  private choose(neuron: number | null): void {
    this.chosen = neuron === null ? null : Math.min(this.to.length - 1, Math.max(0, neuron));
    this.wanted();
  }

  /** The neuron under the pointer, where one is near. */
  private nearest(x: number, y: number): number | null {
    const { at } = this.room();
    const far = this.places(performance.now()).map((place) => {
      const [a, b] = at(place);
      return Math.hypot(a - x, b - y);
    });
    const least = Math.min(...far);
    return least <= REACH * letterScale() ? far.indexOf(least) : null;
  }

  private room(): {
    size: number;
    middle: number;
    radius: number;
    at: (place: readonly [number, number]) => [number, number];
  } {
    const size = 13 * letterScale();
    const middle = this.surface.width / 2;
    const radius = middle - size * 1.9;
    return { size, middle, radius, at: ([x, y]) => [middle + radius * x, middle - radius * y] };
  }

  draw(now: number): void {
    const context = this.surface.begin();
    if (!context) return;
    const own = colours();
    const { size, middle, radius, at } = this.room();
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
    this.read(context, now);
  }

  /** Cosines, second layer and length of the neuron that was chosen, beside it. */
  private read(context: CanvasRenderingContext2D, now: number): void {
    const i = this.chosen;
    const place = i === null ? undefined : this.places(now)[i];
    if (i === null || !place || !this.neurons) return this.surface.read([]);
    const { size, at } = this.room();
    const [x, y] = at(place);
    const [a, b] = this.to[i] ?? place;
    const words = [
      `neuron ${i + 1}`,
      `${this.names[0]}: ${told(a, 3)}`,
      ...(this.names[1] === this.names[0] ? [] : [`${this.names[1]}: ${told(b, 3)}`]),
      `second layer: ${told(this.neurons.second_layer[i], 3)}`,
      `length: ${told(this.neurons.norms[i], 3)}`,
    ];
    context.strokeStyle = colours().ink;
    context.lineWidth = 1.5 * letterScale();
    context.beginPath();
    context.arc(x, y, 8 * letterScale(), 0, 2 * Math.PI);
    context.stroke();
    this.surface.read(words);
    this.surface.box(words, [], x + size, y, size);
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
