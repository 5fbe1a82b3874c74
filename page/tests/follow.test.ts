import { expect, test } from "vitest";
import { Follower } from "../src/base/follow";

/** A server whose answers are given by hand, and a clock that stands until it is moved. */
function desk() {
  const asked: number[] = [];
  const aborted: number[] = [];
  const answers: (() => void)[] = [];
  const clock = { time: 0 };
  const follower = new Follower<number>(
    (wish, signal) =>
      new Promise<void>((done, failed) => {
        asked.push(wish);
        answers.push(done);
        signal.addEventListener("abort", () => {
          aborted.push(wish);
          failed(new DOMException("overtaken", "AbortError"));
        });
      }),
    () => clock.time,
  );
  return { asked, aborted, answers, clock, follower };
}

const settled = (): Promise<void> => new Promise((next) => setTimeout(next, 0));

test("of wishes that come while one is answered only the newest is asked", async () => {
  const { asked, aborted, answers, follower } = desk();
  for (const wish of [1, 2, 3, 4]) follower.want(wish);
  expect(asked).toEqual([1]);
  answers[0]?.();
  await settled();
  expect(asked).toEqual([1, 4]);
  expect(aborted).toEqual([]);
});

test("what is slow is aborted by the next wish", async () => {
  const { asked, aborted, clock, follower } = desk();
  follower.want(1);
  clock.time = 200;
  follower.want(2);
  await settled();
  expect([asked, aborted]).toEqual([[1, 2], [1]]);
});

test("stop ends what runs and what waits", async () => {
  const { asked, aborted, follower } = desk();
  follower.want(1);
  follower.want(2);
  follower.stop();
  await settled();
  expect([asked, aborted]).toEqual([[1], [1]]);
});

test("an answer in two parts goes on only while the hand rests, and is then aborted by the next wish", async () => {
  const second: number[] = [];
  const aborted: number[] = [];
  const drafts: (() => void)[] = [];
  const follower = new Follower<number>(
    async (wish, signal, rests) => {
      await new Promise<void>((done) => drafts.push(done));
      if (!rests()) return;
      second.push(wish);
      await new Promise<void>((_, failed) => {
        signal.addEventListener("abort", () => {
          aborted.push(wish);
          failed(new DOMException("overtaken", "AbortError"));
        });
      });
    },
    () => 0,
  );
  follower.want(1);
  follower.want(2);
  drafts[0]?.();
  await settled();
  expect(second).toEqual([]);
  drafts[1]?.();
  await settled();
  expect(second).toEqual([2]);
  follower.want(3);
  await settled();
  expect(aborted).toEqual([2]);
  expect(drafts.length).toBe(3);
});
