/** Verdicts on the studies of the store, shown as the server finds them. */

import { get, type Judged } from "../base/api";
import { fill, h } from "../base/dom";
import { badge } from "./verdict";

/** From one look for new verdicts to the next. */
const AGAIN = 2000;

/** Verdicts on the store's studies, by claim, as the server finds them one by one; ends when all are there. */
export async function followVerdicts(
  hear: (known: Readonly<Record<string, Judged>>) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (let all = false; !all && !signal.aborted;) {
      const told = await get<{ verdicts: Record<string, Judged>; all: boolean }>("/api/verdicts", signal);
      hear(told.verdicts);
      all = told.all;
      if (!all) await new Promise((done) => setTimeout(done, AGAIN));
    }
  } catch {
    return; // a page without verdicts is right, too
  }
}

/** Verdicts on cards: the server finds them one by one, and the cards stay as they are while it does. */
export class Badges {
  private readonly places = new Map<string, HTMLElement[]>();

  constructor(private readonly verdicts: Map<string, Judged>) {}

  /** Where the verdict on a claim is shown. */
  place(claim: string): HTMLElement {
    const place = h("span");
    this.places.set(claim, [...(this.places.get(claim) ?? []), place]);
    this.show(claim);
    return place;
  }

  forget(): void {
    this.places.clear();
  }

  hear(known: Readonly<Record<string, Judged>>): void {
    for (const [name, one] of Object.entries(known)) {
      this.verdicts.set(name, one);
      this.show(name);
    }
  }

  private show(claim: string): void {
    const verdict = this.verdicts.get(claim);
    for (const place of this.places.get(claim) ?? []) fill(place, verdict ? badge(verdict.status) : null);
  }
}
