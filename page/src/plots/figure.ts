/** A figure of one or several panels on the page: titles, legends, captions, values as a table; drawn anew when it must. */

import { fill, h, say } from "../base/dom";
import { mixed } from "../base/math";
import { plain } from "../base/tex";
import { calm, letterScale, onLook } from "../base/theme";
import { drawCurve } from "./curve";
import { points, shown, type Panel, type Series } from "./data";
import { drawHeatMap } from "./heatmap";
import type { Drawn, Size } from "./marks";
import { pointAt, type Readable } from "./readings";
import { drawSpectrum } from "./spectrum";
import { drawStaircase } from "./stairs";
import { swatch } from "./swatch";
import type { Entry } from "./tones";
import { drawTrajectory } from "./trajectory";

export interface Pin {
  readonly label: string;
  readonly panels: readonly Panel[];
}

/** Draw one panel; of the pinned sheets the panel at the same place stands behind it. */
export function drawPanel(
  panel: Panel,
  size: Size,
  pins: readonly { label: string; panel: Panel }[] = [],
  part = 1,
): Drawn {
  switch (panel.type) {
    case "curve":
      return drawCurve(panel, size, pinnedSeries(pins));
    case "spectrum":
      return drawSpectrum(
        panel,
        size,
        pins.flatMap(({ label, panel: one }) => (one.type === "spectrum" ? [{ ...one, density_label: label }] : [])),
      );
    case "heat map":
      return drawHeatMap(
        panel,
        size,
        pins.flatMap(({ label, panel: one }) => (one.type === "heat map" ? [{ ...one, boundary_label: label }] : [])),
      );
    case "trajectory":
      return drawTrajectory(panel, size, pinnedSeries(pins), part);
    case "staircase":
      return drawStaircase(panel, size);
  }
}

/** The theory lines of what is pinned, or its simulation where there is no theory. */
function pinnedSeries(pins: readonly { label: string; panel: Panel }[]): Series[] {
  return pins.flatMap(({ label, panel }) => {
    const all = panel.type === "curve" ? panel.series : panel.type === "trajectory" ? panel.paths : [];
    const theory = all.filter((one) => one.kind === "theory");
    return (theory.length ? theory : all.filter((one) => one.kind === "simulation")).map((one): Series => ({
      ...one,
      label,
      kind: "reference",
      color: null,
    }));
  });
}

export class Figure {
  readonly element = h("div", { class: "sheet" });
  panels: readonly Panel[] = [];
  private pins: readonly Pin[] = [];
  private part = 1;
  private walking = 0;
  private width = 0;
  private pointed: { readonly x: number; readonly y: number } | null = null;
  private readonly forget: () => void;
  private readonly observer: ResizeObserver;

  constructor(private readonly height = 340) {
    this.forget = onLook(() => this.draw());
    this.observer = new ResizeObserver(() => {
      if (Math.abs(this.element.clientWidth - this.width) > 2) this.draw();
    });
    this.observer.observe(this.element);
    this.element.addEventListener("pointermove", (event) => (this.pointed = { x: event.clientX, y: event.clientY }));
    for (const gone of ["pointerleave", "focusout"]) this.element.addEventListener(gone, () => (this.pointed = null));
  }

  show(panels: readonly Panel[], pins: readonly Pin[] = []): void {
    this.panels = panels;
    this.pins = pins;
    this.draw();
  }

  /** Words in the place of a picture. */
  silence(words: string): void {
    this.panels = [];
    this.element.dataset["columns"] = "1";
    fill(this.element, h("p", { class: "silence" }, mixed(words)));
  }

  /** Walk along the paths of trajectories, unless motion is not wanted. */
  walk(): void {
    cancelAnimationFrame(this.walking);
    if (calm()) return;
    const start = performance.now();
    const frame = (now: number): void => {
      this.part = Math.min(1, (now - start) / 2500);
      this.draw();
      if (this.part < 1 && this.element.isConnected) this.walking = requestAnimationFrame(frame);
      else this.part = 1;
    };
    this.walking = requestAnimationFrame(frame);
  }

  end(): void {
    cancelAnimationFrame(this.walking);
    this.forget();
    this.observer.disconnect();
  }

  private draw(): void {
    const width = this.element.clientWidth;
    if (!this.panels.length || !width) return;
    this.width = width;
    const opened = [...this.element.querySelectorAll("details")].map((one) => one.open);
    const fits = Math.max(260, Math.min(this.height * letterScale(), 0.48 * window.innerHeight));
    const sizes = layout(width, this.panels.length, fits);
    const figures = this.panels.map((panel, i) => this.figure(panel, i, sizes, opened[i] ?? false));
    this.element.dataset["columns"] = String(sizes.columns);
    const { pointed } = this;
    const focused = this.plots().findIndex((svg) => svg === document.activeElement);
    fill(this.element, figures);
    this.plots()[focused]?.focus({ preventScroll: true });
    this.pointed = pointed;
    if (pointed) this.readAgain(pointed.x, pointed.y);
  }

  private plots(): Readable[] {
    return [...this.element.querySelectorAll<Readable>("svg.plot")];
  }

  /** While seeds arrive the picture is drawn anew under the pointer: what it reads stays. */
  private readAgain(x: number, y: number): void {
    const under = this.plots().find((svg) => {
      const box = svg.getBoundingClientRect();
      return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
    });
    if (under) pointAt(under, x, y);
  }

  private figure(panel: Panel, place: number, sizes: Size, open: boolean): HTMLElement {
    const pins = this.pins.flatMap(({ label, panels }) => {
      const one = panels[place];
      return one?.type === panel.type ? [{ label, panel: one }] : [];
    });
    const drawn = drawPanel(panel, sizes, pins, this.part);
    drawn.svg.setAttribute("role", "img");
    drawn.svg.setAttribute("tabindex", "0");
    const read = h("p", { class: "hidden-words", "aria-live": "polite" });
    drawn.svg.addEventListener("input", () => say(read, drawn.svg.value?.words ?? ""));
    drawn.svg.setAttribute("aria-label", `${plain(panel.title)}. ${plain(panel.caption ?? "")}`.trim());
    return h(
      "figure",
      { class: "panel" },
      h("h2", { class: "panel-title" }, mixed(panel.title)),
      legend(drawn.legend),
      drawn.svg,
      read,
      panel.caption ? h("figcaption", {}, mixed(panel.caption)) : null,
      valuesOf(panel, open),
    );
  }
}

/** Panels side by side as long as each has room; the height follows the width. */
export function layout(width: number, count: number, height: number): Size & { readonly columns: number } {
  const least = 300 * letterScale();
  const columns = Math.max(1, Math.min(count, 3, Math.floor((width + 16) / (least + 16))));
  const each = Math.floor((width - 16 * (columns - 1)) / columns) - 26;
  const wanted = columns === 1 ? height : 0.86 * each;
  return { width: each, height: Math.round(Math.max(240, Math.min(wanted, 0.82 * each + 60))), columns };
}

function legend(entries: readonly Entry[]): HTMLElement | null {
  if (!entries.length) return null;
  return h(
    "ul",
    { class: "legend", "aria-label": "legend" },
    entries.map((entry) => h("li", {}, swatch(entry), h("span", {}, mixed(entry.label)))),
  );
}

const MOST_ROWS = 200;

/** The numbers of a panel as a table, for screen readers and for the curious; made when it is opened. */
function valuesOf(panel: Panel, open: boolean): HTMLElement {
  const body = h("div", {
    class: "wide",
    tabindex: "0",
    role: "region",
    "aria-label": `values of ${plain(panel.title)}`,
  });
  const details = h("details", { class: "values" }, h("summary", {}, "values"), body);
  const make = (): void => {
    if (!details.open) return fill(body);
    const { columns, rows } = tableOf(panel);
    fill(
      body,
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            columns.map((c) => h("th", { scope: "col" }, c)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.slice(0, MOST_ROWS).map((row) =>
            h(
              "tr",
              {},
              row.map((cell) => h("td", {}, cell)),
            ),
          ),
        ),
      ),
      rows.length > MOST_ROWS
        ? h("p", { class: "soft" }, `… and ${rows.length - MOST_ROWS} more: take the data as CSV.`)
        : null,
    );
  };
  details.addEventListener("toggle", make);
  details.open = open;
  if (open) make();
  return details;
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** A panel as rows of numbers: what the table shows and what CSV holds. */
export function tableOf(panel: Panel): Table {
  const [x, y] = [
    "x_label" in panel ? plain(panel.x_label) : "x",
    "y_label" in panel ? plain(panel.y_label) : "density",
  ];
  switch (panel.type) {
    case "curve":
    case "trajectory": {
      const all = panel.type === "curve" ? panel.series : panel.paths;
      const rows = all.flatMap((one) =>
        shown(points(one)).map((p) => [plain(one.label), one.kind, p.x, p.y, one.error ? p.error : ""]),
      );
      return { columns: ["series", "kind", x, y, "standard error"], rows };
    }
    case "spectrum": {
      const density =
        panel.density?.x.map((place, i) => [
          panel.density_label ?? "theory",
          "density",
          place ?? "",
          panel.density?.y[i] ?? "",
        ]) ?? [];
      const bars =
        panel.bins?.heights.map((height, i) => [
          panel.values_label ?? "simulation",
          "density",
          ((panel.bins?.edges[i] ?? 0) + (panel.bins?.edges[i + 1] ?? 0)) / 2,
          height,
        ]) ?? [];
      const spikes = panel.spikes?.map((spike) => [plain(spike.label), spike.kind, spike.x, ""]) ?? [];
      return { columns: ["series", "kind", x, "density"], rows: [...spikes, ...bars, ...density] };
    }
    case "heat map":
      return {
        columns: [x, y, plain(panel.value_label) || "value"],
        rows: panel.y.flatMap((b, j) => panel.x.map((a, i) => [a, b, panel.values[j]?.[i] ?? ""])),
      };
    case "staircase":
      return {
        columns: ["level", ...panel.part_labels.map(plain)],
        rows: panel.levels.map((level, i) => [plain(level), ...(panel.parts[i] ?? [])]),
      };
  }
}
