/** Controls made from the fields of a claim: slider and number box, menu, box to tick, text with the parser's own sentence. */

import { post, type Control, type Refusal, type Value } from "../base/api";
import { fill, freshId, h } from "../base/dom";
import { formula, mixed } from "../base/math";
import { decimal, nextPlace, placeOf, STEPS, told, valueAt, written, type Range } from "../base/numbers";
import { Latest } from "../base/streams";

/** A field on the page. Its value is text, as it stands in the address. */
export interface Field {
  readonly control: Control;
  readonly element: HTMLElement;
  value(): string;
  set(value: string): void;
  /** A sentence under the control, or none. */
  complain(sentence: string): void;
}

/** `changed` is called while a slider moves and while text is typed, once the text can be read. */
export function fieldOf(control: Control, changed: () => void, claim = ""): Field {
  switch (control.kind) {
    case "number":
    case "integer":
      return numberField(control, changed);
    case "boolean":
      return tickField(control, changed);
    case "choice":
      return menuField(control, changed);
    default:
      return textField(control, changed, claim);
  }
}

export function defaultText(control: Control): string {
  const value = control.default;
  return typeof value === "number" ? written(value) : value === null ? "" : String(value);
}

/** What is sent to the server: text as typed, but boxes to tick as true and false. */
export function sent(control: Control, value: string): Value {
  return control.kind === "boolean" ? value === "true" : value;
}

/** A refusal may speak of several fields, one after the other: by field, what is said of it. */
export function sentencesOf(
  refusal: Pick<Refusal, "sentence" | "field">,
  names: readonly string[],
): Map<string, string> {
  const found = new Map<string, string>();
  let field = refusal.field;
  for (const part of refusal.sentence.split("; ")) {
    field = names.find((name) => part.startsWith(`${name} = `) || part.startsWith(`${name}: `)) ?? field;
    const before = found.get(field);
    found.set(field, before === undefined ? part : `${before}; ${part}`);
  }
  return found;
}

interface Frame {
  readonly element: HTMLElement;
  readonly id: string;
  readonly described: string;
  complain(sentence: string): void;
}

function frame(control: Control, label: HTMLElement | null, id: string, ...inputs: HTMLElement[]): Frame {
  const described = `${id}-help`;
  const sentence = h("p", { class: "complaint", id: `${id}-complaint`, "aria-live": "polite" });
  const symbol =
    control.symbol && control.symbol !== control.name
      ? h("span", { class: "symbol", "aria-hidden": "true" }, formula(control.symbol))
      : null;
  const head = h("div", { class: "field-head" }, label ?? h("label", { for: id }, control.name), symbol);
  const element = h(
    "div",
    { class: "field", "data-field": control.name },
    head,
    h("div", { class: "field-inputs" }, inputs),
    h("p", { class: "help", id: described }, mixed(control.help)),
    sentence,
  );
  const main = inputs[0];
  return {
    element,
    id,
    described,
    complain(words) {
      tell(sentence, words);
      element.classList.toggle("wrong", words !== "");
      if (words) main?.setAttribute("aria-invalid", "true");
      else main?.removeAttribute("aria-invalid");
    },
  };
}

/** The sentence, and in letters of one width the lines that point at the place in the text. */
function tell(element: HTMLElement, words: string): void {
  if (element.textContent === words) return;
  const [sentence, ...lines] = words.split("\n");
  fill(element, sentence, lines.length ? ["\n", h("code", { class: "pointer" }, lines.join("\n"))] : null);
}

/** Whether a field that needs no value has none. */
export function isLeftOut(control: Control, text: string): boolean {
  return control.default === null && text.trim() === "";
}

/** What is wrong with a number, judged before the server is asked. */
export function outOfBounds(control: Control, text: string): string {
  const value = Number(text);
  if (isLeftOut(control, text)) return "";
  if (text.trim() === "" || Number.isNaN(value)) return `${control.name} must be a number`;
  if (control.kind === "integer" && !Number.isInteger(value)) return `${control.name} must be a whole number`;
  const { minimum, maximum, above, below } = control;
  if (typeof minimum === "number" && value < minimum) return `${control.name} must be at least ${told(minimum)}`;
  if (typeof maximum === "number" && value > maximum) return `${control.name} must be at most ${told(maximum)}`;
  if (typeof above === "number" && value <= above) return `${control.name} must be greater than ${told(above)}`;
  if (typeof below === "number" && value >= below) return `${control.name} must be less than ${told(below)}`;
  return "";
}

function numberField(control: Control, changed: () => void): Field {
  const id = freshId("field");
  const described = `${id}-help ${id}-complaint`;
  const box = h("input", {
    id,
    type: "text",
    inputmode: "decimal",
    role: "spinbutton",
    autocomplete: "off",
    class: "number",
    placeholder: control.default === null ? "none" : null,
    "aria-describedby": described,
  });
  const range: Range | null = control.slider
    ? { low: control.slider.from, high: control.slider.to, log: control.slider.log, whole: control.kind === "integer" }
    : null;
  const slider = range
    ? h("input", {
        type: "range",
        min: 0,
        max: STEPS,
        step: 1,
        "aria-label": `${control.name} slider`,
        "aria-describedby": described,
      })
    : null;
  const parts = frame(control, null, id, ...(slider ? [slider, box] : [box]));
  const follow = (): void => {
    const value = Number(box.value);
    box.setAttribute("aria-valuenow", decimal(Number.isFinite(value) ? value : 0));
    box.setAttribute("aria-valuetext", box.value);
    if (!slider || !range) return;
    if (Number.isFinite(value)) slider.value = String(placeOf(value, range));
    slider.setAttribute("aria-valuetext", told(value));
    slider.style.setProperty("--part", `${(100 * Number(slider.value)) / STEPS}%`);
  };
  const accept = (): void => {
    const wrong = outOfBounds(control, box.value);
    parts.complain(wrong);
    follow();
    if (!wrong) changed();
  };
  const put = (place: number): void => {
    if (!range || !slider) return;
    slider.value = String(place);
    box.value = written(withinBounds(control, valueAt(place, range)));
    parts.complain("");
    slider.setAttribute("aria-valuetext", told(Number(box.value)));
    slider.style.setProperty("--part", `${(100 * place) / STEPS}%`);
    box.setAttribute("aria-valuenow", decimal(Number(box.value)));
    changed();
  };
  box.addEventListener("input", accept);
  if (slider && range) {
    slider.addEventListener("input", () => put(Number(slider.value)));
    slider.addEventListener("keydown", (event) => {
      const direction = arrow(event.key);
      if (!direction) return;
      event.preventDefault();
      put(nextPlace(Number(slider.value), direction, range));
    });
    box.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault();
      put(nextPlace(Number(slider.value), event.key === "ArrowUp" ? 1 : -1, range));
    });
  }
  const field: Field = {
    control,
    element: parts.element,
    value: () => box.value.trim(),
    set(value) {
      box.value = value;
      parts.complain(outOfBounds(control, value));
      follow();
    },
    complain: parts.complain,
  };
  field.set(defaultText(control));
  return field;
}

function arrow(key: string): 1 | -1 | 0 {
  if (key === "ArrowRight" || key === "ArrowUp") return 1;
  return key === "ArrowLeft" || key === "ArrowDown" ? -1 : 0;
}

/** A slider may begin where the bound is excluded: there it gives the next value above. */
function withinBounds(control: Control, value: number): number {
  if (typeof control.above === "number" && value <= control.above)
    return control.above + ((control.slider?.to ?? 1) - control.above) / STEPS;
  return value;
}

function tickField(control: Control, changed: () => void): Field {
  const id = freshId("field");
  const box = h("input", { id, type: "checkbox", "aria-describedby": `${id}-help`, onchange: changed });
  const parts = frame(control, null, id, box);
  parts.element.classList.add("tick");
  const set = (value: string): void => void (box.checked = /^(true|1|yes)$/i.test(value));
  set(defaultText(control));
  return { control, element: parts.element, value: () => String(box.checked), set, complain: parts.complain };
}

function menuField(control: Control, changed: () => void): Field {
  const id = freshId("field");
  const menu = h(
    "select",
    { id, "aria-describedby": `${id}-help`, onchange: changed },
    (control.choices ?? []).map((choice) => h("option", { value: String(choice) }, String(choice))),
  );
  const parts = frame(control, null, id, menu);
  const set = (value: string): void => {
    menu.value = value;
    if (menu.selectedIndex < 0) parts.complain(`${control.name} has no choice '${value}'`);
    else parts.complain("");
  };
  set(defaultText(control));
  return { control, element: parts.element, value: () => menu.value, set, complain: parts.complain };
}

interface Checked {
  readonly ok: boolean;
  readonly sentence: string;
  readonly latex: string;
}

function textField(control: Control, changed: () => void, claim: string): Field {
  const id = freshId("field");
  const box = h("input", {
    id,
    type: "text",
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    class: "code",
    "aria-describedby": `${id}-help ${id}-complaint`,
  });
  const read = h("p", { class: "as-read", "aria-hidden": "true" });
  const parts = frame(control, null, id, box);
  parts.element.append(read);
  const latest = new Latest();
  const check = async (tell: boolean): Promise<void> => {
    const signal = latest.start();
    if (box.value.trim() === "" && defaultText(control) === "") {
      parts.complain("");
      fill(read);
      if (tell) changed();
      return;
    }
    const body = claim ? { claim, field: control.name, text: box.value } : { kind: control.kind, text: box.value };
    const answer = await post<Checked>("/api/check", body, signal).catch(() => null);
    if (!answer || signal.aborted) return;
    parts.complain(answer.ok ? "" : answer.sentence);
    fill(read, answer.ok && answer.latex ? formula(answer.latex) : null);
    if (answer.ok && tell) changed();
  };
  box.addEventListener("input", () => void check(true));
  const field: Field = {
    control,
    element: parts.element,
    value: () => box.value.trim(),
    set(value) {
      box.value = value;
      parts.complain("");
      void check(false);
    },
    complain: parts.complain,
  };
  field.set(defaultText(control));
  return field;
}
