/** The playground: a two-layer network that learns while you watch. */

import { readState, writeState } from "../base/address";
import { get, post, Refusal, remove, sentenceOf, type Control, type Preset } from "../base/api";
import { fill, freshId, h, say } from "../base/dom";
import { mixed } from "../base/math";
import { told } from "../base/numbers";
import type { Place, Shown } from "../base/place";
import { calm, colours, groupColours, onLook } from "../base/theme";
import { defaultText, fieldOf, outOfBounds, sent, type Field } from "../parts/controls";
import { CopyBox } from "../parts/copy";
import { LiveChart } from "../plots/live";
import { Plane, type Neurons } from "../plots/plane";
import { swatch } from "../plots/swatch";

interface Moment {
  readonly step: number;
  readonly overlaps: readonly { readonly mean: number; readonly low: number; readonly high: number }[];
  readonly singular_values: readonly number[];
  readonly risk: number | null;
  readonly loss: number | null;
}

interface State {
  readonly id: string;
  readonly step: number;
  readonly directions: readonly { readonly name: string; readonly level: number | null; readonly sentence: string }[];
  readonly levels: readonly { readonly level: number; readonly risk: number; readonly words: string }[];
  readonly neurons: Neurons;
  readonly history: readonly Moment[];
  readonly notes: readonly string[];
  readonly seconds: number;
  readonly command: string;
  readonly python: string;
}

/** Settings that may change while the network learns; the others begin anew. */
const IN_FLIGHT = new Set(["step", "samples", "ridge", "noise"]);
const MOST_STEPS = 50;
/** After so long without an answer the page says that it waits: other work may keep all workers for a moment. */
const LATE = 600;
const NOTHING_YET: Pick<State, "step" | "directions" | "levels" | "history"> = {
  step: 0,
  directions: [],
  levels: [],
  history: [],
};

export async function playground(place: Place): Promise<Shown> {
  const offered = await get<{ controls: readonly Control[]; presets: readonly Preset[] }>("/api/playground");
  const view = new Playground(offered.controls, offered.presets, place);
  return { element: view.element, title: "playground", end: () => view.end() };
}

class Playground {
  readonly element: HTMLElement;
  private readonly fields: readonly Field[];
  private readonly plane: Plane;
  private readonly charts: readonly [LiveChart, LiveChart, LiveChart];
  private readonly status = h("p", { class: "play-status", role: "status", "aria-live": "polite" }, "starting …");
  private readonly notes = h("div", { class: "play-notes" });
  /** Which two directions are shown; there is no choice before they have names. */
  private readonly choice = h("div", { class: "plane-axes", hidden: true });
  private readonly axes = [h("select", { id: freshId("axis") }), h("select", { id: freshId("axis") })] as const;
  private readonly key = h("ul", { class: "legend", "aria-label": "directions" });
  private readonly run = h("button", { type: "button", class: "primary", onclick: () => this.toggle() }, "Run");
  private readonly python = new CopyBox("Python");
  private readonly forget: () => void;
  private state: State | null = null;
  private running = false;
  private busy: Promise<void> = Promise.resolve();
  private frame = 0;
  private pending: Record<string, unknown> = {};
  private ended = false;

  constructor(
    private readonly controls: readonly Control[],
    presets: readonly Preset[],
    private readonly place: Place,
  ) {
    this.fields = controls.map((control) => fieldOf(control, () => this.moved(control.name)));
    const wanted = (): void => this.wake();
    this.plane = new Plane(wanted);
    this.charts = [
      new LiveChart("cosines with each direction over the steps", wanted),
      new LiveChart("singular values of the overlaps over the steps", wanted),
      new LiveChart("test risk over the steps", wanted),
    ];
    for (const axis of this.axes) axis.addEventListener("change", () => this.arrange(false));
    this.forget = onLook(wanted);
    window.addEventListener("resize", wanted);
    this.element = this.layout(presets);
    const { fields } = readState(place.search());
    for (const field of this.fields) field.set(fields[field.control.name] ?? defaultText(field.control));
    const steps = Math.min(MOST_STEPS, Math.max(0, Math.floor(Number(fields["at"] ?? 0)) || 0));
    this.wake(); // the circle and the axes are there before the first neuron
    this.queue(async () => {
      await this.begin();
      if (steps) await this.advance(steps);
    });
  }

  end(): void {
    this.ended = true;
    this.running = false;
    cancelAnimationFrame(this.frame);
    this.forget();
    if (this.state) void remove(`/api/playground/${this.state.id}`).catch(() => undefined);
  }

  private layout(presets: readonly Preset[]): HTMLElement {
    const button = (words: string, act: () => Promise<void>): HTMLElement =>
      h("button", { type: "button", onclick: () => (this.pause(), this.queue(act)) }, words);
    const card = (title: string, canvas: HTMLElement, ...more: HTMLElement[]): HTMLElement =>
      h(
        "figure",
        { class: "panel live" },
        h("h2", { class: "panel-title" }, title),
        ...more,
        h("div", { class: "canvas" }, canvas),
      );
    const [x, y] = this.axes;
    fill(this.choice, h("label", { for: x.id }, "across"), x, h("label", { for: y.id }, "up"), y);
    return h(
      "div",
      { class: "playground" },
      h(
        "header",
        { class: "page-head" },
        h("h1", {}, "Watch a network learn"),
        h(
          "p",
          { class: "lead" },
          "A two-layer network takes gradient steps on fresh samples. Only what lies in the plane of the target is simulated, exactly in law: a million dimensions cost no more than a hundred.",
        ),
      ),
      h(
        "section",
        { class: "controls", "aria-label": "controls" },
        h(
          "div",
          { class: "presets", role: "group", "aria-label": "presets" },
          presets.map((preset) =>
            h(
              "button",
              { type: "button", class: "small", onclick: () => this.apply(preset) },
              preset.title ?? preset.name,
            ),
          ),
        ),
        this.fields.map((field) => field.element),
      ),
      h(
        "section",
        { class: "stage", "aria-label": "the network" },
        h(
          "div",
          { class: "play-bar", role: "group", "aria-label": "training" },
          this.run,
          button("Step", () => this.advance(1)),
          button("Back", () => this.back()),
          button("Restart", () => this.begin()),
          this.status,
        ),
        h(
          "div",
          { class: "play-views" },
          h("div", { class: "play-column" }, card("Neurons in a plane", this.plane.element, this.choice), this.notes),
          h(
            "div",
            { class: "play-column" },
            card("Cosine with each direction", this.charts[0].element, this.key),
            card("Test risk and the staircase", this.charts[2].element),
            card("Singular values of the overlaps", this.charts[1].element),
          ),
        ),
      ),
      h("div", { class: "play-lines" }, this.python.element),
    );
  }

  /** One request after the other. */
  private queue(work: () => Promise<void>): void {
    this.busy = this.busy.then(async () => {
      if (this.ended) return;
      try {
        await work();
      } catch (problem) {
        this.pause();
        const field = this.fields.find((one) => problem instanceof Refusal && one.control.name === problem.field);
        field?.complain(sentenceOf(problem));
        say(this.status, sentenceOf(problem).split("\n")[0] ?? ""); // the rest points at the text of a field
      }
    });
  }

  private settings(): Record<string, unknown> {
    return Object.fromEntries(this.fields.map((field) => [field.control.name, sent(field.control, field.value())]));
  }

  private async begin(): Promise<void> {
    const old = this.state;
    for (const { control, value } of this.fields) {
      const wrong = ["number", "integer"].includes(control.kind) ? outOfBounds(control, value()) : "";
      if (wrong) throw new Refusal(wrong, "input", control.name, "");
    }
    this.pending = {};
    const state = await this.asked("", { settings: this.settings() });
    if (old) void remove(`/api/playground/${old.id}`).catch(() => undefined);
    this.show(state, true);
  }

  /** The network's answer; what is awaited for long is said. */
  private async asked(address: string, body: object): Promise<State> {
    const late = setTimeout(() => say(this.status, "computing …"), LATE);
    try {
      return await post<State>(`/api/playground${address}`, body);
    } finally {
      clearTimeout(late);
    }
  }

  private async advance(steps: number): Promise<void> {
    if (!this.state) return;
    const settings = this.pending;
    this.pending = {};
    this.show(await this.asked(`/${this.state.id}/step`, { steps, settings }), false);
  }

  private async back(): Promise<void> {
    if (!this.state?.step) return;
    this.show(await this.asked(`/${this.state.id}/back`, { steps: 1 }), false);
  }

  private toggle(): void {
    if (this.running) return this.pause();
    this.running = true;
    say(this.run, "Pause");
    this.queue(() => this.keepRunning());
  }

  private pause(): void {
    this.running = false;
    say(this.run, "Run");
  }

  /** Step after step, not faster than neurons can be followed. */
  private async keepRunning(): Promise<void> {
    while (this.running && !this.ended) {
      const rest = new Promise((done) => setTimeout(done, calm() ? 500 : 260));
      await this.advance(1);
      await rest;
    }
  }

  private moved(name: string): void {
    const field = this.fields.find((one) => one.control.name === name);
    if (!field) return;
    if (IN_FLIGHT.has(name)) this.pending = { ...this.pending, [name]: sent(field.control, field.value()) };
    else this.restartSoon();
    this.write();
  }

  private timer = 0;
  /** A setting that needs a new network: begin anew when the hand rests. */
  private restartSoon(): void {
    this.pause();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.queue(() => this.begin()), 180);
  }

  private apply(preset: Preset): void {
    for (const field of this.fields) {
      const given = preset.values[field.control.name];
      field.set(given === undefined ? defaultText(field.control) : String(given));
    }
    this.restartSoon();
    this.write();
  }

  private show(state: State, fresh: boolean): void {
    const renamed =
      state.directions.map((one) => one.name).join() !== this.state?.directions.map((one) => one.name).join();
    this.state = state;
    if (renamed) this.nameAxes(state);
    for (const field of this.fields) field.complain("");
    const last = state.history.at(-1);
    const overlaps = state.directions.map((one, i) => `${one.name} ${told(last?.overlaps[i]?.mean, 2)}`).join(", ");
    say(
      this.status,
      `step ${state.step}: ${last?.risk === null || last?.risk === undefined ? "" : `risk ${told(last.risk, 3)}, `}cosines ${overlaps}`,
    );
    fill(
      this.notes,
      state.directions.map((one) => (one.sentence ? h("p", { class: "soft" }, mixed(one.sentence)) : null)),
      state.notes.map((note) => h("p", { class: "note" }, mixed(note))),
    );
    this.python.set(state.python);
    this.arrange(fresh);
    this.write();
  }

  private nameAxes(state: State): void {
    const { fields } = readState(this.place.search());
    this.choice.hidden = false;
    this.axes.forEach((axis, k) => {
      fill(
        axis,
        state.directions.map((one, i) => h("option", { value: i }, one.name)),
      );
      const wanted = Number(fields[k ? "up" : "across"] ?? k);
      axis.value = String(wanted < state.directions.length ? wanted : 0);
    });
    const tones = groupColours(state.directions.length);
    fill(
      this.key,
      state.directions.map((one, i) =>
        h("li", {}, swatch({ label: one.name, colour: tones[i] ?? "", mark: "line" }), one.name),
      ),
    );
  }

  private arrange(fresh: boolean): void {
    if (!this.state) return;
    const [a, b] = [Number(this.axes[0].value) || 0, Number(this.axes[1].value) || 0];
    const name = (i: number): string => this.state?.directions[i]?.name ?? "";
    const alone = this.state.directions.length < 2;
    this.plane.show(
      alone ? alongside(this.state.neurons) : this.state.neurons,
      alone ? [0, 1] : [a, b],
      alone ? [name(0), "the rest"] : [name(a), name(b)],
      fresh,
      performance.now(),
    );
    this.write();
    this.wake();
  }

  /** Draw now, and go on as long as something moves. */
  private wake(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame((now) => {
      this.draw(now);
      if (this.plane.isMoving && !this.ended) this.wake();
    });
  }

  private draw(now: number): void {
    const state = this.state ?? NOTHING_YET;
    this.plane.draw(now);
    const tones = groupColours(state.directions.length);
    const steps = Math.max(5, state.step);
    const history = state.history;
    this.charts[0].draw({
      steps,
      least: 1,
      levels: [],
      series: state.directions.map((one, i) => ({
        label: one.name,
        colour: tones[i] ?? "",
        y: history.map((m) => m.overlaps[i]?.mean ?? null),
        low: history.map((m) => m.overlaps[i]?.low ?? null),
        high: history.map((m) => m.overlaps[i]?.high ?? null),
      })),
    });
    const count = history[0]?.singular_values.length ?? 0;
    this.charts[1].draw({
      steps,
      least: 0.1,
      levels: [],
      series: Array.from({ length: count }, (_, i) => ({
        label: `value ${i + 1}`,
        colour: tones[i] ?? colours().ink,
        y: history.map((m) => m.singular_values[i] ?? null),
      })),
    });
    this.charts[2].draw({
      steps,
      least: 0.1,
      levels: state.levels.map((level) => ({ y: level.risk, words: level.words })),
      series: [{ label: "risk", colour: colours().simulation, y: history.map((m) => m.risk) }],
    });
  }

  private write(): void {
    const fields = Object.fromEntries(this.fields.map((field) => [field.control.name, field.value()]));
    const defaults = Object.fromEntries(this.controls.map((control) => [control.name, defaultText(control)]));
    const own = { at: String(this.state?.step ?? 0), across: this.axes[0].value || "0", up: this.axes[1].value || "1" };
    this.place.replace(
      writeState({ fields: { ...fields, ...own }, own: {} }, { ...defaults, at: "0", across: "0", up: "1" }),
    );
  }
}

/** One direction alone: the other axis is what is left of the neuron, so that it lies on the circle. */
function alongside(neurons: Neurons): Neurons {
  return { ...neurons, cosines: neurons.cosines.map(([c]) => [c ?? 0, Math.sqrt(Math.max(0, 1 - (c ?? 0) ** 2))]) };
}
