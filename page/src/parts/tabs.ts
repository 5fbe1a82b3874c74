/** Tabs as the practices for accessible pages describe them: arrow keys move, one tab stop. */

import { fill, freshId, h } from "../base/dom";
import { mixed } from "../base/math";

export class Tabs {
  readonly element = h("div", { class: "tabs", role: "tablist" });
  readonly panel = h("div", { role: "tabpanel", class: "tabpanel", tabindex: "-1", id: freshId("panel") });
  private buttons: HTMLButtonElement[] = [];
  private readonly titles: string[];
  private open = 0;

  constructor(
    label: string,
    titles: readonly string[],
    private readonly chosen: (number: number) => void,
  ) {
    this.element.setAttribute("aria-label", label);
    this.titles = [...titles];
    this.buttons = titles.map((title, number) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: freshId("tab"),
          "aria-controls": this.panel.id,
          onclick: () => this.choose(number, true),
        },
        mixed(title),
      ),
    );
    fill(this.element, this.buttons);
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.hidden = titles.length < 2;
    // a tab may be chosen before the page has its width
    new ResizeObserver(() => this.bringIntoSight(this.open)).observe(this.element);
  }

  choose(number: number, tell = false): void {
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === number));
      button.tabIndex = i === number ? 0 : -1;
      if (i === number) this.panel.setAttribute("aria-labelledby", button.id);
    });
    this.open = number;
    this.bringIntoSight(number);
    if (tell) this.chosen(number);
  }

  /** On a narrow page the tabs are one row that scrolls. */
  private bringIntoSight(number: number): void {
    const [tab, row] = [this.buttons[number]?.getBoundingClientRect(), this.element.getBoundingClientRect()];
    if (!tab) return;
    if (tab.right > row.right) this.element.scrollLeft += tab.right - row.right;
    if (tab.left < row.left) this.element.scrollLeft -= row.left - tab.left;
  }

  /** What a tab is called from now on. */
  name(number: number, title: string): void {
    const button = this.buttons[number];
    if (button && this.titles[number] !== title) fill(button, mixed(title));
    this.titles[number] = title;
  }

  /** Show these tabs alone, and the chosen one. */
  offer(numbers: readonly number[]): void {
    this.buttons.forEach((button, i) => {
      button.hidden = !numbers.includes(i) && button.getAttribute("aria-selected") !== "true";
    });
    this.element.hidden = this.buttons.filter((button) => !button.hidden).length < 2;
  }

  private key(event: KeyboardEvent): void {
    const offered = this.buttons.filter((button) => !button.hidden);
    const here = offered.findIndex((button) => button.getAttribute("aria-selected") === "true");
    const last = offered.length - 1;
    const next = { ArrowRight: (here + 1) % (last + 1), ArrowLeft: (here + last) % (last + 1), Home: 0, End: last }[
      event.key
    ];
    const button = offered[next ?? -1];
    if (!button) return;
    event.preventDefault();
    this.choose(this.buttons.indexOf(button), true);
    button.focus();
  }
}
