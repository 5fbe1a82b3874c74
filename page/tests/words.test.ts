import { describe, expect, it } from "vitest";
import { wordRuns } from "../src/base/words";

/** Raised pieces in ⟨⟩, lowered ones in ⟦⟧. */
function set(words: string): string {
  return wordRuns(words)
    .map(({ text, place }) => (place === "line" ? text : place === "raised" ? `⟨${text}⟩` : `⟦${text}⟧`))
    .join("");
}

describe("mathematics typed among words", () => {
  it.each([
    ["With n = d^kappa samples, kappa below l,", "With n = d⟨κ⟩ samples, κ below l,"],
    ["mu1^2 W'W + mu2^2 if odd", "μ⟦1⟧⟨2⟩ W'W + μ⟦2⟧⟨2⟩ if odd"],
    ["from n ~ d^(p (1 - gamma2)) samples", "from n ∼ d⟨p (1 − γ2)⟩ samples"],
    ["squared length d^-(k-1), so", "squared length d⟨−(k−1)⟩, so"],
    ["needs n >= d^(p/2) for He_p of one", "needs n ≥ d⟨p/2⟩ for He⟦p⟧ of one"],
    ["beats |P_{>1} f*|^2.", "beats |P⟦>1⟧ f*|⟨2⟩."],
    ["noisy by +-1, E[Hess f*] != 0", "noisy by ±1, E[Hess f*] ≠ 0"],
    ["within sqrt(d/n), theta >> d^2.", "within √(d/n), θ ≫ d⟨2⟩."],
    ["eta = step N^step_exponent of sqrt(N), pi^2/4", "η = step N⟨step_exponent⟩ of √N, π⟨2⟩/4"],
    ["strength p^-beta; R_GD and eta_c", "strength p⟨−β⟩; R⟦GD⟧ and η⟦c⟧"],
  ])("%s", (words, drawn) => {
    expect(set(words)).toBe(drawn);
  });

  it("leaves names, words and code alone", () => {
    for (const words of ["raise samples_per_dim or step_exponent", "a metal pixel", "sigma_of_something", "f.mu(2)"])
      expect(set(words)).toBe(words);
  });

  it("reads as it was typed", () => {
    expect(set("x^")).toBe("x^");
    expect(set("d^(p")).toBe("d^(p");
    expect(set("")).toBe("");
  });
});
