import { expect, test } from "vitest";
import { inSight, limits, logTicks, wholeTicks } from "../src/plots/limits";

test("ticks of a logarithmic axis lie inside it", () => {
  for (const [low, high] of [
    [0.2301, 0.2338],
    [57, 640],
    [1e3, 1e5],
    [1e-9, 1e4],
    [0.9, 1.1],
    [0.05, 1.05],
  ] as const)
    for (const room of [2, 3, 7]) {
      const found = logTicks(low, high, room);
      expect(found.length).toBeGreaterThanOrEqual(2);
      for (const v of found) expect(v >= low * 0.999 && v <= high * 1.001).toBe(true);
    }
});

test("ticks keep apart where labels have little room", () => {
  expect(logTicks(57, 640, 3)).toEqual([100, 200, 500]);
  expect(logTicks(900, 1.1e5, 3)).toEqual([1e3, 1e4, 1e5]);
  expect(logTicks(900, 1.1e5, 9)).toEqual([1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5]);
});

test("a single value stands in the middle of its axis", () => {
  const [low, high] = limits([3], false, 0.05);
  expect((low + high) / 2).toBeCloseTo(3);
});

test("counted things have whole ticks", () => expect(wholeTicks(0.9, 3.1)).toEqual([1, 2, 3]));

test("a bound that falls by many decades leaves a logarithmic picture, marks and lines never do", () => {
  const row = (kind: string, ...ys: number[]): object => ({ series: { kind }, shown: ys.map((y) => ({ y })) });
  const inside = inSight([row("theory", 0.4, 0.02), row("bound", 1e-18)] as Parameters<typeof inSight>[0]);
  expect([0.4, 0.02, 3e-5, 1e-18].map((y) => inside({ y }))).toEqual([true, true, true, false]);
  expect(inSight([row("bound", 1e-18)] as Parameters<typeof inSight>[0])({ y: 1e-18 })).toBe(true);
});
