import { describe, expect, it } from "vitest";
import { pieces } from "../src/parts/copy";

describe("lines to copy", () => {
  it("keep a flag with its value and a name whole", () => {
    expect(pieces("giantstep run a/b-c --d 8 --log --seeds 2").filter((one) => one.trim())).toEqual([
      "giantstep",
      "run",
      "a/b-c",
      "--d 8",
      "--log",
      "--seeds 2",
    ]);
  });
  it.each(["giantstep run a --target 'x1 + x2'", "import giantstep\n\nfor k in x:\n    print(k)\n", ""])(
    "are what they were: %s",
    (text) => expect(pieces(text).join("")).toBe(text),
  );
});
