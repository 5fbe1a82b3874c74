import { expect, test } from "vitest";
import { limits, logTicks, wholeTicks } from "../src/plots/limits";

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
