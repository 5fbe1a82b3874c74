/** What can be done with a picture: pin it, walk along it, take it away. */

import { fill, h, say } from "../base/dom";
import { sentenceOf } from "../base/api";
import { Figure, type Pin } from "../plots/figure";
import { take, type Format } from "../plots/take";

const FORMATS: readonly Format[] = ["SVG", "PNG", "CSV", "JSON"];

export interface ToolbarWish {
  readonly figure: Figure;
  readonly name: () => string;
  readonly pins: () => readonly Pin[];
  /** What JSON says besides the panels. */
  readonly more: () => object;
  readonly pin?: () => void;
  readonly unpin?: () => void;
}

export class Toolbar {
  private readonly pinned = h("span", { class: "pins" });
  private readonly walk: HTMLButtonElement;
  private readonly said = h("span", { class: "soft", "aria-live": "polite" });
  readonly element: HTMLElement;

  constructor(private readonly wish: ToolbarWish) {
    this.walk = h("button", { type: "button", class: "small", onclick: () => wish.figure.walk() }, "Walk the paths");
    const pin = wish.pin;
    this.element = h(
      "div",
      { class: "toolbar", role: "group", "aria-label": "picture" },
      pin
        ? h(
            "button",
            { type: "button", class: "small", onclick: () => pin(), title: "keep this curve behind the next one" },
            "Pin",
          )
        : null,
      this.pinned,
      this.walk,
      h("span", { class: "spring" }),
      this.said,
      h("span", { class: "soft take" }, "Take it as"),
      FORMATS.map((format) =>
        h(
          "button",
          {
            type: "button",
            class: "small",
            "aria-label": `Take the picture as ${format}`,
            onclick: () => void this.take(format),
          },
          format,
        ),
      ),
    );
    this.update();
  }

  /** Follow what is shown and pinned. */
  update(): void {
    this.walk.hidden = !this.wish.figure.panels.some((panel) => panel.type === "trajectory");
    const count = this.wish.pins().length;
    const { unpin } = this.wish;
    fill(
      this.pinned,
      count && unpin ? h("button", { type: "button", class: "small", onclick: () => unpin() }, `Unpin ${count}`) : null,
    );
  }

  private async take(format: Format): Promise<void> {
    const { figure, name, pins, more } = this.wish;
    if (!figure.panels.length) return say(this.said, "There is no picture yet.");
    try {
      await take(format, name(), figure.panels, pins(), more());
      say(this.said, `${format} saved`);
    } catch (problem) {
      say(this.said, sentenceOf(problem));
    }
  }
}
