import { expect, test } from "vitest";
import { heightOf, layersAbove, onPaper, sideways } from "../src/plots/apart";

const line = (height: number, from = 0, to = 4): { x: number; y: number }[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ x: from + i, y: height + (from + i) / 10 }));

test("a line that another runs over is known, one beside it is not", () => {
  const rows = [line(0), line(0.001), line(1)];
  expect(layersAbove(rows, heightOf(rows))).toEqual([1, 0, 0]);
});

test("a line is not hidden by one that runs over a part of it", () => {
  const rows = [line(0), line(0, 0, 2), line(1)];
  expect(layersAbove(rows, heightOf(rows))).toEqual([0, 0, 0]);
  expect(layersAbove([line(0, 0, 2), line(0), line(1)], 1.4)).toEqual([1, 0, 0]);
});

test("marks that hide each other stand side by side around their place", () => {
  expect(sideways([line(0), line(1), line(0.001)], 1.4)).toEqual([-0.5, 0, 0.5]);
  expect(sideways([line(0), line(0), line(0)], 1)).toEqual([-1, 0, 1]);
  expect(sideways([line(0)], 0)).toEqual([0]);
});

test("what a logarithmic axis has no place for is no place", () => {
  expect(
    onPaper(
      [
        { x: 1, y: -1 },
        { x: 1, y: 1 },
      ],
      true,
      true,
    ),
  ).toEqual([{ x: 0, y: 0 }]);
});
