/** A claim's page: theory follows the hand, a simulation streams over it, the address holds the state. */

import { readState, writeState, type Fields } from "../base/address";
import {
  claimAddress,
  get,
  isAbort,
  post,
  Refusal,
  sentenceOf,
  type ClaimPage,
  type Predicted,
  type Simulated,
} from "../base/api";
import { fill, freshId, h, say } from "../base/dom";
import { Follower } from "../base/follow";
import type { Place, Shown } from "../base/place";
import { presenting } from "../base/theme";
import { aboutOf, formulasOf, numbersOf, statementHead } from "../parts/about";
import { defaultText, fieldOf, isLeftOut, sent, sentencesOf, type Field } from "../parts/controls";
import { CopyBox, putOnClipboard } from "../parts/copy";
import { Simulation } from "../parts/simulation";
import { studyForm } from "../parts/study-form";
import { Tabs } from "../parts/tabs";
import { Toolbar } from "../parts/toolbar";
import { VerdictView } from "../parts/verdict";
import { Figure, type Pin } from "../plots/figure";

const MOST_PINS = 3;
const PATIENT_SECONDS = 0.04;
const ALONE = "Press Simulate to see whether it holds here.";
const INVITATION = `Lines are theory. ${ALONE}`;

export async function claim(place: Place): Promise<Shown> {
  const name = decodeURIComponent(place.path.replace(/^\/claims\//, ""));
  const described = await get<ClaimPage>(claimAddress(name));
  const view = new ClaimView(described, place);
  return { element: view.element, title: name, end: () => view.end() };
}

class ClaimView {
  readonly element: HTMLElement;
  private readonly defaults: Fields;
  private readonly fields: readonly Field[];
  private readonly figure = new Figure(400);
  private readonly tabs: Tabs;
  private readonly toolbar: Toolbar;
  private readonly simulation: Simulation;
  private readonly verdict = new VerdictView();
  private readonly numbers = h("section", { class: "numbers", "aria-label": "numbers" });
  private readonly command = new CopyBox("Command");
  private readonly python = new CopyBox("Python");
  private readonly computing = h("span", { class: "computing", "aria-hidden": "true" }, "computing …");
  private readonly scopes = h("span", { class: "scopes" });
  private readonly follower = new Follower<void>((_, signal, rests) => this.predict(signal, rests));
  private view = 0;
  /** Whether the tab was named by the address or by hand; else the first is open of which theory draws something. */
  private chosen = false;
  private undecided = false;
  private scope = "point";
  private simulated = false;
  /** Whether the last whole picture took long: a draft then comes first. */
  private slow = false;
  private pins: (Pin & { readonly query: string })[] = [];
  private last: Predicted | null = null;

  constructor(
    private readonly claim: ClaimPage,
    private readonly place: Place,
  ) {
    this.defaults = Object.fromEntries(claim.controls.map((control) => [control.name, defaultText(control)]));
    this.fields = claim.controls.map((control) => fieldOf(control, () => this.moved(), claim.name));
    this.tabs = new Tabs(
      "views",
      claim.views.map((one) => one.title),
      (number) => this.turn(number),
    );
    this.toolbar = new Toolbar({
      figure: this.figure,
      name: () => claim.name,
      pins: () => this.pins,
      more: () => this.record(),
      pin: () => this.pin(),
      unpin: () => this.unpin(),
    });
    const { own } = readState(place.search());
    this.simulation = new Simulation(
      {
        claim: claim.name,
        job: () => ({ parameters: this.parameters(), view: this.view, scope: this.scope }),
        started: (command, python) => this.lines(command, python),
        seed: (news) => this.hear(news),
        ended: (news) => this.hear(news),
        refused: (refusal) => this.refuse(refusal),
        changed: () => {
          this.write();
          this.follower.want();
        },
      },
      own["seeds"] ?? String(claim.default_seeds),
      own["seed"] ?? "0",
      this.scopes,
    );
    this.verdict.invite(ALONE);
    this.element = this.layout();
    this.restore();
  }

  end(): void {
    this.follower.stop();
    this.simulation.cancel();
    this.figure.end();
  }

  private layout(): HTMLElement {
    const presets = this.claim.presets.map((preset) =>
      h("button", { type: "button", class: "small", onclick: () => this.apply(preset.values) }, preset.name),
    );
    const share = h("button", { type: "button", class: "small", onclick: () => void this.share(share) }, "Copy link");
    fill(this.tabs.panel, this.figure.element);
    return h(
      "div",
      { class: "claim" },
      statementHead(this.claim),
      formulasOf(this.claim),
      h(
        "section",
        { class: "controls", "aria-label": "controls" },
        this.simulation.element,
        studyForm(this.claim, () => this.changedFields()),
        h(
          "div",
          { class: "presets", role: "group", "aria-label": "presets" },
          h("button", { type: "button", class: "small", onclick: () => this.apply({}) }, "default"),
          presets,
        ),
        this.fields.map((field) => field.element),
      ),
      h(
        "section",
        { class: "stage", "aria-label": "picture" },
        this.tabs.element,
        h("div", { class: "picture" }, this.computing, this.tabs.panel),
        this.verdict.element,
        this.toolbar.element,
      ),
      h(
        "aside",
        { class: "beside", "aria-label": "beside the picture" },
        h(
          "section",
          { class: "lines", "aria-label": "this very point" },
          h("h2", {}, "This very point ", share),
          this.command.element,
          this.python.element,
        ),
        h("h2", {}, "Numbers here"),
        this.numbers,
        aboutOf(this.claim),
      ),
    );
  }

  /** Take the state from the address: preset first, then fields, then the page's own words. */
  private restore(): void {
    const { fields, own } = readState(this.place.search());
    const preset = this.claim.presets.find((one) => one.name === own["preset"]);
    const values: Record<string, string> = { ...this.defaults };
    for (const [key, value] of Object.entries(preset?.values ?? {})) values[key] = String(value);
    for (const [key, value] of Object.entries(fields)) values[key] = value;
    for (const field of this.fields) field.set(values[field.control.name] ?? "");
    const numbers = this.claim.views.map((one) => one.number);
    const wanted = Number(own["view"] ?? numbers[0] ?? 0);
    this.view = numbers.includes(wanted) ? wanted : (numbers[0] ?? 0);
    this.chosen = own["view"] !== undefined;
    this.undecided = !["view", "scope", "pin", "run"].some((key) => own[key] !== undefined);
    this.slow = this.undecided; // the tab that is found may have a line that takes long
    this.scope = own["scope"] ?? "point";
    this.tabs.choose(numbers.indexOf(this.view));
    this.offerScopes();
    const pins = (own["pin"] ?? "").split("|").filter(Boolean).slice(0, MOST_PINS);
    if (pins.length) void this.restorePins(pins);
    this.follower.want();
    if (own["run"] === "1") {
      this.simulated = true;
      void this.simulation.start();
    }
  }

  private async restorePins(queries: readonly string[]): Promise<void> {
    for (const query of queries) {
      const { fields } = readState(query);
      const known = Object.fromEntries(Object.entries(fields).filter(([key]) => key in this.defaults));
      const answer = await post<Predicted>(`${claimAddress(this.claim.name)}/predict`, {
        parameters: known,
        preset: "",
        view: this.view,
        panels: true,
      }).catch(() => null);
      if (answer) this.pins.push({ query, label: pinLabel(known), panels: answer.panels });
    }
    // A simulation may have been drawn, and the address written, before theory and pins were there.
    const shown = this.figure.panels.length ? this.figure.panels : (this.last?.panels ?? []);
    if (shown.length) this.draw(shown, "");
    this.write();
  }

  private parameters(): Record<string, unknown> {
    const given = this.fields.filter((field) => !isLeftOut(field.control, field.value()));
    return Object.fromEntries(given.map((field) => [field.control.name, sent(field.control, field.value())]));
  }

  private changedFields(): Record<string, unknown> {
    return Object.fromEntries(
      this.fields
        .filter((field) => field.value() !== this.defaults[field.control.name])
        .map((field) => [field.control.name, sent(field.control, field.value())]),
    );
  }

  /** A control was moved: what was simulated belongs to another point. */
  private moved(): void {
    this.simulation.cancel();
    if (this.simulated) this.verdict.invite(INVITATION);
    this.simulated = false;
    this.write();
    this.follower.want();
  }

  private apply(values: Readonly<Record<string, unknown>>): void {
    for (const field of this.fields) {
      const given = values[field.control.name];
      field.set(given === undefined ? (this.defaults[field.control.name] ?? "") : String(given));
    }
    this.undecided = !this.chosen;
    this.slow ||= this.undecided;
    this.moved();
  }

  private turn(tab: number): void {
    this.view = this.claim.views[tab]?.number ?? 0;
    this.chosen = true;
    this.undecided = false;
    this.slow = false;
    const queries = this.pins.map((pin) => pin.query);
    this.pins = [];
    this.offerScopes();
    this.moved();
    if (queries.length) void this.restorePins(queries);
  }

  private offerScopes(): void {
    const offered = this.claim.views.find((one) => one.number === this.view)?.simulable ?? ["point"];
    if (!offered.includes(this.scope)) this.scope = offered[0] ?? "point";
    if (offered.length < 2) return fill(this.scopes);
    const menu = h(
      "select",
      { id: freshId("scope") },
      h("option", { value: "point" }, "this point"),
      h("option", { value: "view" }, "the whole picture"),
    );
    menu.value = this.scope;
    menu.addEventListener("change", () => {
      this.scope = menu.value;
      this.moved();
    });
    fill(this.scopes, h("label", { for: menu.id }, "simulate"), menu);
  }

  private async predict(signal: AbortSignal, rests: () => boolean): Promise<void> {
    const late = setTimeout(() => this.computing.classList.add("shown"), 120);
    try {
      const draft = this.slow;
      await this.ask(draft, signal);
      if (draft && rests()) await this.ask(false, signal);
    } catch (problem) {
      if (isAbort(problem)) throw problem;
      this.refuse(problem instanceof Refusal ? problem : new Refusal(sentenceOf(problem), "broken", "", ""));
    } finally {
      clearTimeout(late);
      this.computing.classList.remove("shown");
    }
  }

  private async ask(draft: boolean, signal: AbortSignal): Promise<void> {
    const asked = this.parameters();
    const { scope } = this;
    const view = this.undecided && !this.simulated && !this.simulation.isRunning ? null : this.view;
    const answer = await post<Predicted>(
      `${claimAddress(this.claim.name)}/predict`,
      {
        parameters: asked,
        preset: "",
        view,
        panels: true,
        draft,
        scope,
        seeds: this.simulation.seedsAsked,
        seed: this.simulation.seedAsked,
      },
      signal,
    );
    if (!draft) this.slow = answer.seconds > PATIENT_SECONDS;
    if (view === null && this.undecided && !this.simulation.isRunning) this.open(answer.view);
    this.tell(answer, asked);
  }

  /** The tab that the lab has found to have something to show. */
  private open(view: number): void {
    this.undecided = false;
    if (view === this.view) return;
    this.view = view;
    this.tabs.choose(this.claim.views.findIndex((one) => one.number === view));
    this.offerScopes();
    this.write();
  }

  private tell(answer: Predicted, asked: object): void {
    this.last = answer;
    // Only what was asked for is known to be right: a hand that moved on may have left a complaint since.
    if (JSON.stringify(asked) === JSON.stringify(this.parameters()))
      for (const field of this.fields) field.complain("");
    if (!this.simulated) this.draw(answer.panels, answer.silence);
    if (this.verdict.isInviting) this.verdict.invite(answer.panels.length ? INVITATION : ALONE);
    this.lines(answer.command, answer.python);
    this.claim.views.forEach((one, i) => this.tabs.name(i, answer.titles[one.number] ?? one.title));
    this.tabs.offer(this.claim.views.flatMap((one, i) => (answer.tabs.includes(one.number) ? [i] : [])));
    this.simulation.cost(answer.cost, answer.command);
    fill(this.numbers, ...numbersOf(answer, this.claim));
    const speaks = answer.tabs[0];
    if (answer.view === this.view && speaks !== undefined && !answer.tabs.includes(this.view)) this.turnTo(speaks);
  }

  /** Another tab, for the one that was open has nothing to show at this point. */
  private turnTo(view: number): void {
    const again = this.simulated || this.simulation.isRunning;
    this.view = view;
    this.slow = false;
    this.tabs.choose(this.claim.views.findIndex((one) => one.number === view));
    this.offerScopes();
    this.write();
    this.follower.want();
    if (again) void this.simulation.start();
  }

  private draw(panels: Predicted["panels"], silence: string): void {
    if (panels.length) this.figure.show(panels, this.pins);
    else this.figure.silence(silence || "Theory draws nothing here: press Simulate.");
    this.toolbar.update();
  }

  private hear(news: Simulated): void {
    this.simulated = true;
    this.draw(news.panels, news.silence);
    if (news.verdict) this.verdict.show(news.verdict);
    this.write();
  }

  private lines(command: string, python: string): void {
    this.command.set(command);
    this.python.set(python);
  }

  /** One sentence under the control that is to blame, or in the picture's place. */
  private refuse(refusal: Refusal): void {
    const field = this.fields.find((one) => one.control.name === refusal.field);
    const told = sentencesOf(refusal, Object.keys(this.defaults));
    for (const one of this.fields) {
      const own = told.get(one.control.name);
      if (own) one.complain(own);
    }
    const [sentence = ""] = refusal.sentence.split("\n");
    if (refusal.reason !== "too large" && !(field && this.figure.panels.length)) this.figure.silence(sentence);
    if (refusal.reason === "too large") this.verdict.refuse(refusal.sentence);
    if (refusal.command) this.command.set(refusal.command);
    this.simulation.offer(refusal.command);
  }

  private pin(): void {
    if (!this.last?.panels.length) return;
    // The point of the picture that is seen, which a hand that moves on has left already.
    const seen = Object.fromEntries(Object.entries(this.last.changed).map(([key, value]) => [key, String(value)]));
    const query = writeState({ fields: seen, own: {} }) || "?";
    const label = pinLabel(seen);
    this.pins = [...this.pins.filter((pin) => pin.query !== query), { query, label, panels: this.last.panels }].slice(
      -MOST_PINS,
    );
    this.draw(this.figure.panels, "");
    this.write();
  }

  private unpin(): void {
    this.pins = [];
    this.draw(this.figure.panels, "");
    this.write();
  }

  private values(): Record<string, string> {
    return Object.fromEntries(this.fields.map((field) => [field.control.name, field.value()]));
  }

  private write(): void {
    const { seeds, seed } = this.simulation.state;
    const own = {
      view: this.view === (this.claim.views[0]?.number ?? 0) && !this.chosen ? "" : String(this.view),
      scope: this.scope === "point" ? "" : this.scope,
      seeds: seeds === String(this.claim.default_seeds) ? "" : seeds,
      seed: seed === "0" ? "" : seed,
      run: this.simulated ? "1" : "",
      pin: this.pins.map((pin) => pin.query).join("|"),
      present: presenting() ? "1" : "",
    };
    this.place.replace(writeState({ fields: this.values(), own }, this.defaults));
  }

  private record(): object {
    return {
      claim: this.claim.name,
      parameters: this.last?.parameters ?? {},
      command: this.last?.command ?? "",
      quantities: this.last?.quantities ?? [],
    };
  }

  private async share(button: HTMLButtonElement): Promise<void> {
    const search = this.place.search();
    const done = await putOnClipboard(location.origin + this.place.path + search);
    say(button, done ? "Copied" : "Copy it from the address bar");
  }
}

function pinLabel(changed: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(changed).map(([key, value]) => `${key} = ${String(value)}`);
  return `pinned: ${words.slice(0, 2).join(", ") || "default"}`;
}
