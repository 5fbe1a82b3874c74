import { expect, test, vi } from "vitest";

vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
vi.stubGlobal("window", globalThis);
vi.stubGlobal("document", { documentElement: { dataset: {} } });
const { explained, seriesDashes } = await import("../src/plots/tones");

test("limits of different names in one colour have dashes of their own", () => {
  const [theory, first, second, again, printed] = seriesDashes([
    { label: "theory", kind: "theory" },
    { label: "the theorem's order", kind: "reference" },
    { label: "degrees of freedom", kind: "reference" },
    { label: "the theorem's order", kind: "reference" },
    { label: "as printed", kind: "reference" },
  ]);
  expect(theory).toBeUndefined();
  expect(again).toBe(first);
  expect(new Set([first, second, printed]).size).toBe(3);
});

test("limits that have colours of their own have the same dashes", () => {
  const [one, other] = seriesDashes([
    { label: "slope 1", kind: "reference", color: 0 },
    { label: "slope 2", kind: "reference", color: 1 },
  ]);
  expect(one).toBe(other);
});

test("where lines and marks share names, theory and simulation are explained once, as they are drawn", () => {
  const series = ["risk", "error"].flatMap((label) =>
    (["theory", "simulation"] as const).map((kind) => ({ label, kind })),
  );
  const entries = (mark: "line" | "cross"): Parameters<typeof explained>[0] =>
    ["risk", "error"].flatMap((label) => [
      { label, colour: "blue", mark },
      { label, colour: "blue", mark: "dot" as const },
    ]);
  for (const mark of ["line", "cross"] as const) {
    const told = explained(entries(mark), series);
    expect(told.map((one) => `${one.mark} ${one.label}`)).toEqual([
      "dot risk",
      "dot error",
      `${mark} theory`,
      "dot simulation",
    ]);
  }
  expect(
    explained([{ label: "theory", colour: "black", mark: "line" }], [{ label: "theory", kind: "theory" }]),
  ).toEqual([{ label: "theory", colour: "black", mark: "line" }]);
});
