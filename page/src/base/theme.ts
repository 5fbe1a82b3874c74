/** Light or dark, the colours of the terminal's figures, and the size of letters. */

import both from "./colours.json";

export type Colours = typeof both.light;
export type Theme = "light" | "dark";
const VIRIDIS = ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725"];
const listeners = new Set<() => void>();
const system = window.matchMedia("(prefers-color-scheme: dark)");

/** What was chosen, else what the system says. */
export function theme(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "light" || chosen === "dark") return chosen;
  return system.matches ? "dark" : "light";
}

export function colours(): Colours {
  return both[theme()];
}

export function presenting(): boolean {
  return "present" in document.documentElement.dataset;
}

/** How much larger the letters of pictures are than usual. */
export function letterScale(): number {
  return presenting() ? 1.5 : 1;
}

export function calm(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function setTheme(next: Theme): void {
  document.documentElement.dataset["theme"] = next;
  remember("theme", next);
  changed();
}

export function setPresenting(on: boolean): void {
  if (on) document.documentElement.dataset["present"] = "";
  else delete document.documentElement.dataset["present"];
  changed();
}

/** Called whenever pictures must be drawn anew; the answer takes the listener away. */
export function onLook(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changed(): void {
  for (const listener of listeners) listener();
}

export function startTheme(): void {
  const kept = recall("theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset["theme"] = kept;
  system.addEventListener("change", changed);
}

/** One colour a group; past the palette's end shades that say an order. */
export function groupColours(count: number): readonly string[] {
  const own = colours().groups;
  if (count <= own.length) return own.slice(0, count);
  const least = theme() === "dark" ? 0.25 : 0.05;
  return Array.from({ length: count }, (_, i) => shade(VIRIDIS, least + ((0.95 - least) * i) / (count - 1)));
}

/** The colour at a part from 0 to 1 of a row of colours. */
export function shade(stops: readonly string[], part: number): string {
  const place = Math.min(1, Math.max(0, part)) * (stops.length - 1);
  const left = Math.min(stops.length - 2, Math.floor(place));
  const mix = place - left;
  const [from, to] = [channels(stops[left] ?? "#000000"), channels(stops[left + 1] ?? "#000000")];
  return `rgb(${from.map((c, i) => Math.round(c + mix * ((to[i] ?? 0) - c))).join(", ")})`;
}

function channels(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

/** Storage may be forbidden; a choice is then forgotten, nothing else. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`giantstep-${key}`, value);
  } catch {
    return;
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`giantstep-${key}`);
  } catch {
    return null;
  }
}
