import { expect, test, vi } from "vitest";

vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
vi.stubGlobal("window", globalThis);
const { rangeOf } = await import("../src/parts/study-form");

test("the values of an axis cover what its slider does", () => {
  expect(rangeOf({ slider: { from: 0, to: 12, log: false } })).toBe("0:12:9");
  expect(rangeOf({ slider: { from: 10, to: 1e5, log: true } })).toBe("log:10:100000:9");
  expect(rangeOf({ slider: null })).toBe("");
  expect(rangeOf(undefined)).toBe("");
});
