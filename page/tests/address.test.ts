import { expect, test } from "vitest";
import { readState, writeState } from "../src/base/address";

test("a state survives the address, whatever it holds", () => {
  const state = {
    fields: { target: "x1 + He2(x1)*x2 & <b>#?", step: "6.5", d: "512" },
    own: { view: "1", seeds: "32" },
  };
  expect(readState(writeState(state))).toEqual(state);
});

test("what equals its default is left out", () => {
  expect(writeState({ fields: { step: "6", d: "64" }, own: {} }, { step: "6", d: "512" })).toBe("?d=64");
  expect(writeState({ fields: { step: "6" }, own: { view: "" } }, { step: "6" })).toBe("");
});
