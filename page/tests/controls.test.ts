import { expect, test } from "vitest";
import type { Control } from "../src/base/api";
import { isLeftOut, outOfBounds } from "../src/parts/controls";

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
