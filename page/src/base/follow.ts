/** Theory follows the hand: the newest wish is answered, what is slow and overtaken is aborted. */

import { isAbort } from "./api";

/** Milliseconds after which an answer that is overtaken is no longer waited for. */
const PATIENCE = 150;

/**
 * Answers to quick questions all arrive, one after the other, so that a curve moves while a slider is dragged; a question
 * that takes longer is aborted by the next one.
 */
export class Follower<A> {
  private running: AbortController | null = null;
  private began = 0;
  private waiting: { readonly wish: A } | null = null;

  constructor(
    private readonly answer: (wish: A, signal: AbortSignal) => Promise<void>,
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

  private next(): void {
    const wanted = this.waiting;
    if (!wanted) return;
    this.waiting = null;
    const own = new AbortController();
    this.running = own;
    this.began = this.now();
    this.answer(wanted.wish, own.signal)
      .catch((problem: unknown) => {
        if (!isAbort(problem)) throw problem;
      })
      .finally(() => {
        this.running = null;
        this.next();
      });
  }
}
