/** Simulate, stop, more seeds: a stream of seeds over the theory line. */

import { claimAddress, isAbort, listen, post, Refusal, sentenceOf, type Cost, type Simulated } from "../base/api";
import { freshId, h, say } from "../base/dom";
import { told } from "../base/numbers";
import { CopyBox } from "./copy";

export interface Job {
  readonly parameters: object;
  readonly view: number;
  readonly scope: string;
}

export interface Listener {
  readonly claim: string;
  job(): Job;
  started(command: string, python: string): void;
  seed(news: Simulated): void;
  ended(news: Simulated): void;
  refused(refusal: Refusal): void;
  changed(): void;
}

interface Start {
  readonly job: string;
  readonly command: string;
  readonly python: string;
}

interface Progress {
  readonly done: number;
  readonly total: number;
  readonly seconds_left: number | null;
}

interface End extends Simulated {
  readonly reason: "complete" | "stopped";
  readonly failures: readonly string[];
}

const MOST_SEEDS = 10_000;

export class Simulation {
  private control: AbortController | null = null;
  private job = "";
  /** How many seeds are shown; 0 where nothing is. */
  private there = 0;
  private readonly go = h("button", { type: "button", class: "primary", onclick: () => void this.start() }, "Simulate");
  private readonly halt = h("button", { type: "button", disabled: true, onclick: () => void this.stop() }, "Stop");
  private readonly again = h("button", { type: "button", disabled: true, onclick: () => this.more() }, "More seeds");
  private readonly seeds: HTMLInputElement;
  private readonly seed: HTMLInputElement;
  private readonly bar = h("progress", { max: 1, value: 0, "aria-label": "progress of the simulation" });
  private readonly words = h("p", { class: "soft progress-words", "data-testid": "progress" });
  private readonly terminal = new CopyBox("In the terminal");
  readonly element: HTMLElement;

  constructor(
    private readonly listener: Listener,
    seeds: string,
    seed: string,
    scopes: HTMLElement,
  ) {
    const ids = [freshId("seeds"), freshId("seed")] as const;
    this.seeds = h("input", { id: ids[0], type: "number", min: 1, max: 10000, value: seeds, class: "short" });
    this.seed = h("input", { id: ids[1], type: "number", min: 0, value: seed, class: "short" });
    for (const box of [this.seeds, this.seed])
      box.addEventListener("input", () => {
        this.cancel();
        this.listener.changed();
      });
    this.bar.hidden = true;
    this.offer("");
    this.element = h(
      "div",
      { class: "simulation", role: "group", "aria-label": "simulation" },
      h("div", { class: "simulation-row buttons" }, this.go, this.halt, this.again),
      h(
        "div",
        { class: "simulation-row" },
        h("span", { class: "pair" }, h("label", { for: ids[0] }, "seeds"), this.seeds),
        h("span", { class: "pair" }, h("label", { for: ids[1] }, "seed"), this.seed),
        scopes,
      ),
      h("div", { class: "simulation-row" }, this.bar, this.words),
      this.terminal.element,
    );
  }

  get state(): { seeds: string; seed: string } {
    return { seeds: this.seeds.value, seed: this.seed.value };
  }

  /** The number of seeds that Simulate would take. */
  get seedsAsked(): number {
    return Math.min(MOST_SEEDS, this.count(this.seeds, 1));
  }

  /** The first seed that it would take. */
  get seedAsked(): number {
    return this.count(this.seed, 0);
  }

  get isRunning(): boolean {
    return this.control !== null;
  }

  /** The line for the terminal that does what only the lab refuses. */
  offer(command: string): void {
    this.terminal.set(command);
  }

  /** What Simulate would cost here; what is too much, `command` does in the terminal. */
  cost(cost: Cost, command: string): void {
    if (this.isRunning || this.there) return;
    this.offer(cost.refusal && command);
    say(this.words, cost.refusal || cost.sentence);
    this.words.classList.toggle("refusal", cost.refusal !== "");
  }

  async start(): Promise<void> {
    this.cancel();
    const own = new AbortController();
    this.control = own;
    this.show(true);
    say(this.words, "starting …");
    const body = {
      ...this.listener.job(),
      preset: "",
      seeds: this.count(this.seeds, 1),
      seed: this.count(this.seed, 0),
    };
    try {
      for await (const event of listen(`${claimAddress(this.listener.claim)}/simulate`, body, own.signal)) {
        if (own.signal.aborted) return;
        this.hear(event.name, event.data);
      }
    } catch (problem) {
      if (isAbort(problem) || own.signal.aborted) return;
      say(this.words, sentenceOf(problem));
      this.words.classList.add("refusal");
      this.listener.refused(problem instanceof Refusal ? problem : new Refusal(sentenceOf(problem), "broken", "", ""));
    } finally {
      if (this.control === own) {
        this.control = null;
        this.show(false);
      }
    }
  }

  private hear(name: string, data: unknown): void {
    if (name === "start") {
      const start = data as Start;
      this.job = start.job;
      this.listener.started(start.command, start.python);
    } else if (name === "progress") {
      const { done, total, seconds_left: left } = data as Progress;
      this.bar.value = total ? done / total : 0;
      say(
        this.words,
        left === null
          ? `${told(done, 3)} of ${total}`
          : `${told(Math.floor(done))} of ${told(total)}, about ${told(left, 2)} s left`,
      );
    } else if (name === "seed") {
      const news = data as Simulated;
      this.bar.value = news.of ? news.seeds / news.of : 0;
      this.listener.seed(news);
    } else if (name === "end") {
      const end = data as End;
      this.again.disabled = false;
      this.there = end.seeds;
      // What is shown, and no more, is what the address and the lines to copy give again.
      if (end.reason === "stopped" && end.seeds) this.seeds.value = String(end.seeds);
      say(
        this.words,
        [
          `${told(end.seeds)} seed${end.seeds === 1 ? "" : "s"}${end.reason === "stopped" ? ", stopped" : ""}`,
          ...end.failures,
        ].join("; "),
      );
      this.words.classList.toggle("refusal", end.failures.length > 0);
      this.listener.ended(end);
      if (end.reason === "stopped") this.listener.changed();
    } else if (name === "error") {
      const said = data as { sentence: string; reason: string; field: string; command: string };
      throw new Refusal(said.sentence, said.reason, said.field, said.command);
    }
  }

  /** Stopped by hand: what was simulated stays. */
  async stop(): Promise<void> {
    if (!this.job) return this.cancel();
    await post(`/api/jobs/${encodeURIComponent(this.job)}/stop`, {}).catch(() => this.cancel());
  }

  /** The point changed or the page is left: the job ends with its request. */
  cancel(): void {
    this.control?.abort();
    this.control = null;
    this.job = "";
    this.there = 0;
    this.again.disabled = true;
    this.show(false);
  }

  private more(): void {
    this.seeds.value = String(2 * Math.max(1, this.there));
    this.listener.changed();
    void this.start();
    this.halt.focus(); // the button that was pressed can no longer be
  }

  private count(box: HTMLInputElement, least: number): number {
    const value = Math.round(Number(box.value));
    return Number.isFinite(value) ? Math.max(least, value) : least;
  }

  private show(running: boolean): void {
    // A button that is disabled loses the focus, and the keyboard would begin again at the top of the page.
    if (!running && document.activeElement === this.halt) this.go.focus();
    this.halt.disabled = !running;
    this.go.setAttribute("aria-disabled", String(running));
    this.bar.hidden = !running;
    this.bar.value = 0;
    if (running) {
      this.words.classList.remove("refusal");
      this.offer("");
    }
    this.element.dataset["running"] = String(running);
  }
}
