import { expect, test } from "vitest";
import type { Series } from "../src/plots/data";
import { neighbour, readingsOf, type Reading } from "../src/plots/readings";

const row = (series: Partial<Series>, ...places: [number, number, number][]) => ({
  series: { label: "", x: [], y: [], kind: "theory", ...series } as Series,
  shown: places.map(([x, y, error]) => ({ x, y, error, label: series.label ?? "" })),
});

test("a value is read with its series, its standard error and its place", () => {
  const found = readingsOf([row({ label: "spike", kind: "simulation" }, [6, 2.8491, 0.0312])], "step $\\eta$");
  expect(found.map((one) => one.words)).toEqual(["spike: 2.849 ± 0.031\nstep η: 6"]);
});

test("lines upon each other are named together, and a shared label by its kind", () => {
  const found = readingsOf(
    [
      row({ label: "limit" }, [1, 2, 0]),
      row({ label: "as printed", kind: "reference" }, [1, 2, 0]),
      row({ label: "risk" }, [1, 3, 0]),
      row({ label: "risk", kind: "simulation" }, [1, 3, 0.5]),
      row({}, [4, 4, 0]),
    ],
    "x",
  );
  expect(found.map((one) => one.words.split(":")[0])).toEqual([
    "limit, as printed",
    "risk, theory",
    "risk, simulation",
    "theory",
  ]);
});

test("arrow keys walk along a series and from one to the next", () => {
  const stop = (series: string, x: number): Reading => ({ series, x, y: 0, words: `${series}${x}` });
  const stops = [stop("a", 0), stop("a", 1), stop("a", 2), stop("b", 0.4), stop("b", 1.8)];
  const from = (at: number, key: string): string | undefined => stops[neighbour(stops, at, key) ?? -1]?.words;
  expect(from(-1, "ArrowLeft")).toBe("a0");
  expect(from(0, "ArrowRight")).toBe("a1");
  expect(from(2, "ArrowRight")).toBe("a2");
  expect(from(2, "ArrowUp")).toBe("b1.8");
  expect(from(3, "ArrowDown")).toBe("a0");
  expect(from(4, "ArrowUp")).toBe("b1.8");
  expect(from(0, "Enter")).toBeUndefined();
});
