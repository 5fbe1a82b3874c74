/** Theory follows the hand: the newest wish is answered, what is slow and overtaken is aborted. */

import { isAbort } from "./api";

/** Milliseconds after which an answer that is overtaken is no longer waited for. */
const PATIENCE = 150;

/**
 * Answers to quick questions all arrive, one after the other, so that a curve moves while a slider is dragged; a question
 * that takes longer is aborted by the next one. An answer in two parts, a draft and the whole, asks in between whether the
 * hand rests: if so, whatever comes next aborts the second part at once.
 */
export class Follower<A> {
  private running: AbortController | null = null;
  private began = 0;
  private waiting: { readonly wish: A } | null = null;

  constructor(
    private readonly answer: (wish: A, signal: AbortSignal, rests: () => boolean) => Promise<void>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  want(wish: A): void {
    this.waiting = { wish };
    if (!this.running) this.next();
    else if (this.now() - this.began > PATIENCE) this.running.abort();
  }

  stop(): void {
    this.waiting = null;
    this.running?.abort();
  }

  private rests(): boolean {
    if (this.waiting) return false;
    this.began = Number.NEGATIVE_INFINITY;
    return true;
  }

  private next(): void {
    const wanted = this.waiting;
    if (!wanted) return;
    this.waiting = null;
    const own = new AbortController();
    this.running = own;
    this.began = this.now();
    this.answer(wanted.wish, own.signal, () => this.rests())
      .catch((problem: unknown) => {
        if (!isAbort(problem)) throw problem;
      })
      .finally(() => {
        this.running = null;
        this.next();
      });
  }
}
