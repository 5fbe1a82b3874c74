import { expect, test, vi } from "vitest";

vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
vi.stubGlobal("window", globalThis);
const { seriesDashes } = await import("../src/plots/tones");

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
