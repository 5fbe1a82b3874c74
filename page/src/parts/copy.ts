/** Lines to copy. */

import { fill, h, say } from "../base/dom";

export class CopyBox {
  private readonly code = h("code");
  private readonly button = h("button", { type: "button", class: "small", onclick: () => void this.copy() }, "Copy");
  readonly element: HTMLElement;

  /** Hidden until there is something to copy. */
  constructor(readonly name: string) {
    this.button.setAttribute("aria-label", `Copy ${name}`);
    this.element = h(
      "div",
      { class: "copy" },
      h("div", { class: "copy-head" }, h("span", {}, name), this.button),
      h("pre", { tabindex: "0", role: "group", "aria-label": name }, this.code),
    );
    this.element.hidden = true;
  }

  set(text: string): void {
    if (this.code.textContent !== text)
      fill(
        this.code,
        pieces(text).map((piece) => (piece.trim() ? h("span", { class: "piece" }, piece) : piece)),
      );
    say(this.button, "Copy");
    this.element.hidden = text === "";
  }

  private async copy(): Promise<void> {
    const text = this.code.textContent ?? "";
    const done = await putOnClipboard(text);
    say(this.button, done ? "Copied" : "Marked: press Ctrl+C");
    if (!done) getSelection()?.selectAllChildren(this.code);
  }
}

/** Words and the blanks between them: lines are broken at blanks, never within `--seeds 8` or a name with a hyphen. */
export function pieces(text: string): string[] {
  return text.match(/--[\w-]+ (?!--)\S+|\S+|\s+/g) ?? [];
}

export async function putOnClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
