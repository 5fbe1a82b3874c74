import { expect, test } from "vitest";
import { plain, runs } from "../src/base/tex";

test("words stay words and mathematics gets its letters", () => {
  expect(runs("Singular values of $W_1$")).toEqual([
    { text: "Singular values of ", italic: false, level: 0 },
    { text: "W", italic: true, level: 0 },
    { text: "1", italic: false, level: -1 },
  ]);
});

test.each([
  [String.raw`$\langle u_1, \beta_*\rangle^2$`, "⟨u_1,β_*⟩^2"],
  [String.raw`$\psi_1 = n/d$`, "ψ_1 = n/d"],
  [String.raw`$\mathcal{R}_{\mathrm{CK}}$`, "ℛ_CK"],
  [String.raw`$\frac{\theta_2}{1 + x}$`, "θ_2/(1 + x)"],
  [String.raw`$\sqrt{Pd/n}$`, "√(Pd/n)"],
  [String.raw`$\hat\lambda$`, "λ\u0302"],
  ["no mathematics", "no mathematics"],
])("%s is told as %s", (tex, text) => expect(plain(tex)).toBe(text));

test("what is not closed or not known does not throw", () => {
  expect(plain("$x_{1$")).toContain("x");
  expect(plain(String.raw`$\unknown x$`)).toContain("unknown");
  expect(plain(String.raw`$\frac$`)).toBe("/");
});

test("an index of what is raised stays raised", () => {
  expect(runs(String.raw`$d^{\gamma_2}$`).map((run) => run.level)).toEqual([0, 1, 1]);
});
