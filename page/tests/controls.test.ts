import { expect, test } from "vitest";
import type { Control } from "../src/base/api";
import { isLeftOut, outOfBounds, sentencesOf } from "../src/parts/controls";

const ridge: Control = { name: "ridge", kind: "number", default: null, above: 0, help: "", symbol: "" };

test("a number that needs no value may be left out", () => {
  expect(outOfBounds(ridge, "")).toBe("");
  expect(isLeftOut(ridge, " ")).toBe(true);
  expect(isLeftOut({ ...ridge, default: 1 }, "")).toBe(false);
  expect(outOfBounds({ ...ridge, default: 1 }, "")).toBe("ridge must be a number");
});

test("bounds are told before the server is asked", () => {
  expect(outOfBounds(ridge, "0")).toBe("ridge must be greater than 0");
  expect(outOfBounds({ ...ridge, kind: "integer" }, "1.5")).toBe("ridge must be a whole number");
  expect(outOfBounds(ridge, "0.5")).toBe("");
});

test("what is wrong with several fields is told under each of them", () => {
  const names = ["d", "step", "target"];
  const told = (sentence: string, field = "d"): object => Object.fromEntries(sentencesOf({ sentence, field }, names));
  const [d, step] = ["d = 'a' is not allowed; it must be a whole number", "step = -1 is not allowed"];
  const target = "target: unknown name 'y'; known are x1\n  y\n  ^";
  expect(told(d)).toEqual({ d });
  expect(told(`${d}; ${step}; ${target}`)).toEqual({ d, step, target });
  expect(told("neurons must be even; these are 3")).toEqual({ d: "neurons must be even; these are 3" });
  expect(told("there is nothing", "")).toEqual({ "": "there is nothing" });
});
