import { expect, test } from "vitest";
import { decimal, nextPlace, placeOf, STEPS, told, valueAt, written, type Range } from "../src/base/numbers";

const linear: Range = { low: 0, high: 12, log: false, whole: false };
const log: Range = { low: 16, high: 1e6, log: true, whole: true };

test("a slider reaches both ends exactly", () => {
  for (const range of [linear, log]) {
    expect(valueAt(0, range)).toBe(range.low);
    expect(valueAt(STEPS, range)).toBe(range.high);
    expect(placeOf(range.low, range)).toBe(0);
    expect(placeOf(range.high, range)).toBe(STEPS);
  }
});

test("values at places are round and never fall", () => {
  for (const range of [linear, log, { low: 0.01, high: 100, log: true, whole: false }]) {
    let before = -Infinity;
    for (let place = 0; place <= STEPS; place += 1) {
      const value = valueAt(place, range);
      expect(value).toBeGreaterThanOrEqual(before);
      expect(String(value).length).toBeLessThan(9);
      before = value;
    }
  }
  expect(valueAt(placeOf(6, linear), linear)).toBe(6);
  expect(Number.isInteger(valueAt(17, log))).toBe(true);
});

test("what lies outside is held at the ends", () => {
  expect(placeOf(-5, linear)).toBe(0);
  expect(placeOf(1e9, log)).toBe(STEPS);
});

test("an arrow key always changes the value", () => {
  const few: Range = { low: 1, high: 6, log: false, whole: true };
  expect(valueAt(nextPlace(placeOf(1, few), 1, few), few)).toBe(2);
  expect(valueAt(nextPlace(placeOf(6, few), -1, few), few)).toBe(5);
});

test("numbers are told briefly and written exactly", () => {
  expect(told(12500)).toBe("12,500");
  expect(told(0.031234)).toBe("0.03123");
  expect(told(-2.5)).toBe("−2.5");
  expect(told(3.2e-7)).toBe("3.2e−7");
  expect(told(null)).toBe("–");
  expect(written(1e6)).toBe("1000000");
  expect(written(1e-6)).toBe("1e-6");
  expect(written(0.1 + 0.2)).toBe("0.3");
});

test("numbers for screen readers have no powers of ten", () =>
  expect([1e-5, 2.5e-7, 1e7, -3.25, 0].map(decimal)).toEqual(["0.00001", "0.00000025", "10000000", "-3.25", "0"]));
