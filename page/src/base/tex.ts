/** LaTeX of labels as runs of text for SVG: letters, signs, raised and lowered; enough for the labels of pictures. */

export interface Run {
  readonly text: string;
  readonly italic: boolean;
  /** 0 on the line, 1 raised, -1 lowered, 2 raised twice. */
  readonly level: number;
}

const SIGNS: Readonly<Record<string, string>> = {
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  epsilon: "ϵ",
  varepsilon: "ε",
  zeta: "ζ",
  eta: "η",
  theta: "θ",
  iota: "ι",
  kappa: "κ",
  lambda: "λ",
  mu: "μ",
  nu: "ν",
  xi: "ξ",
  pi: "π",
  rho: "ρ",
  sigma: "σ",
  tau: "τ",
  phi: "ϕ",
  varphi: "φ",
  chi: "χ",
  psi: "ψ",
  omega: "ω",
  Gamma: "Γ",
  Delta: "Δ",
  Theta: "Θ",
  Lambda: "Λ",
  Xi: "Ξ",
  Pi: "Π",
  Sigma: "Σ",
  Phi: "Φ",
  Psi: "Ψ",
  Omega: "Ω",
  ell: "ℓ",
  nabla: "∇",
  partial: "∂",
  infty: "∞",
  sum: "∑",
  prod: "∏",
  int: "∫",
  langle: "⟨",
  rangle: "⟩",
  Vert: "‖",
  vert: "|",
  times: "×",
  cdot: "·",
  cdots: "⋯",
  ldots: "…",
  dots: "…",
  to: "→",
  rightarrow: "→",
  leq: "≤",
  le: "≤",
  geq: "≥",
  ge: "≥",
  neq: "≠",
  ne: "≠",
  ll: "≪",
  gg: "≫",
  approx: "≈",
  sim: "∼",
  propto: "∝",
  equiv: "≡",
  in: "∈",
  pm: "±",
  mp: "∓",
  ast: "∗",
  star: "⋆",
  circ: "∘",
  top: "⊤",
  perp: "⊥",
  parallel: "∥",
  otimes: "⊗",
  oplus: "⊕",
  odot: "⊙",
  cup: "∪",
  cap: "∩",
  subset: "⊂",
  setminus: "∖",
  prime: "′",
  uparrow: "↑",
  downarrow: "↓",
  hbar: "ℏ",
  Re: "ℜ",
  quad: " ",
  qquad: "  ",
  lfloor: "⌊",
  rfloor: "⌋",
  lceil: "⌈",
  rceil: "⌉",
  forall: "∀",
  exists: "∃",
  mid: "|",
  colon: ":",
  dagger: "†",
  wedge: "∧",
  vee: "∨",
  emptyset: "∅",
};
const SPACES: Readonly<Record<string, string>> = { ",": " ", ":": " ", ";": " ", " ": " ", "!": "" };
const UPRIGHT = new Set(["mathrm", "text", "operatorname", "mathbf", "mathsf", "textrm"]);
const ACCENTS: Readonly<Record<string, string>> = {
  hat: "\u0302",
  bar: "\u0304",
  tilde: "\u0303",
  dot: "\u0307",
  vec: "\u20d7",
  widehat: "\u0302",
  widetilde: "\u0303",
  overline: "\u0304",
};
const DOUBLE: Readonly<Record<string, string>> = { E: "𝔼", P: "ℙ", R: "ℝ", N: "ℕ", Z: "ℤ", S: "𝕊", C: "ℂ" };
const SCRIPT: Readonly<Record<string, string>> = {
  R: "ℛ",
  L: "ℒ",
  N: "𝒩",
  F: "ℱ",
  E: "ℰ",
  O: "𝒪",
  H: "ℋ",
  G: "𝒢",
  S: "𝒮",
  D: "𝒟",
  A: "𝒜",
  B: "ℬ",
  C: "𝒞",
};

/** A label with `$...$` pieces. */
export function runs(label: string): Run[] {
  const all: Run[] = [];
  label.split("$").forEach((piece, index) => {
    if (piece === "") return;
    if (index % 2 === 0) all.push({ text: piece, italic: false, level: 0 });
    else all.push(...new Reader(piece).all());
  });
  return joined(all);
}

/** The same on one line without raising: for titles of tables, tool tips and screen readers. */
export function plain(label: string): string {
  return runs(label)
    .map((run, index, list) => {
      const before = list[index - 1]?.level ?? 0;
      const sign = run.level > before && run.level > 0 ? "^" : run.level < before && run.level < 0 ? "_" : "";
      return sign + run.text;
    })
    .join("");
}

function joined(list: readonly Run[]): Run[] {
  const out: Run[] = [];
  for (const run of list) {
    const last = out.at(-1);
    if (last && last.italic === run.italic && last.level === run.level)
      out[out.length - 1] = { ...last, text: last.text + run.text };
    else out.push(run);
  }
  return out;
}

/** The height of a script: an index of what is raised stays raised, a power of what is lowered stays lowered. */
function scripted(level: number, sign: "^" | "_"): number {
  if (sign === "_") return level > 0 ? level : level - 1;
  return level < 0 ? level : level + 1;
}

class Reader {
  private at = 0;

  constructor(private readonly source: string) {}

  all(): Run[] {
    return this.until("", 0, false);
  }

  private until(end: string, level: number, upright: boolean): Run[] {
    const out: Run[] = [];
    while (this.at < this.source.length) {
      const sign = this.source.charAt(this.at);
      if (end !== "" && sign === end) {
        this.at += 1;
        break;
      }
      if (sign === "^" || sign === "_") {
        this.at += 1;
        out.push(...this.argument(scripted(level, sign), upright));
      } else out.push(...this.piece(level, upright));
    }
    return out;
  }

  /** One thing: a group, a command or a sign. */
  private piece(level: number, upright: boolean): Run[] {
    const sign = this.source.charAt(this.at);
    this.at += 1;
    if (sign === "{") return this.until("}", level, upright);
    if (sign === "\\") return this.command(level, upright);
    if (sign === " ") return upright ? [{ text: " ", italic: false, level }] : [];
    if (sign === "~") return [{ text: " ", italic: false, level }];
    if (sign === "'") return [{ text: "′", italic: false, level }];
    if (sign === "-") return [{ text: "−", italic: false, level }];
    if (/[=<>+]/.test(sign) && level === 0) return [{ text: ` ${sign} `, italic: false, level }];
    return [{ text: sign, italic: !upright && /[a-zA-Z]/.test(sign), level }];
  }

  private argument(level: number, upright = false): Run[] {
    while (this.source.charAt(this.at) === " ") this.at += 1;
    return this.piece(level, upright);
  }

  private command(level: number, upright: boolean): Run[] {
    const name = /^[a-zA-Z]+/.exec(this.source.slice(this.at))?.[0] ?? this.source.charAt(this.at);
    this.at += name.length;
    if (name in SPACES) return [{ text: SPACES[name] ?? "", italic: false, level }];
    if (UPRIGHT.has(name)) return this.argument(level, true);
    if (name === "left" || name === "right" || name === "big" || name === "Big") return this.delimiter(level);
    if (name === "frac" || name === "dfrac" || name === "tfrac") return this.fraction(level);
    if (name === "sqrt") return bracketed("√", this.argument(level), level);
    if (name === "binom")
      return [...bracketed("C", this.argument(level), level), ...bracketed("", this.argument(level), level)];
    if (name === "mathbb" || name === "mathcal") {
      const letters = name === "mathbb" ? DOUBLE : SCRIPT;
      return this.argument(level).map((run) => ({ ...run, italic: false, text: letters[run.text] ?? run.text }));
    }
    const accent = ACCENTS[name];
    if (accent) return this.argument(level).map((run) => ({ ...run, text: run.text.normalize() + accent }));
    const sign = SIGNS[name];
    if (sign !== undefined) {
      const relation = /[≤≥≠≪≫≈∼∝≡∈→]/.test(sign) && level === 0;
      return [{ text: relation ? ` ${sign} ` : sign, italic: /[α-ωϕϵℓ]/.test(sign) && !upright, level }];
    }
    const close = /^[\^_({|]/.test(this.source.slice(this.at).trimStart()) || this.at >= this.source.length;
    return [{ text: /^[a-zA-Z]/.test(name) && !close ? `${name} ` : name, italic: false, level }];
  }

  private delimiter(level: number): Run[] {
    if (this.source.charAt(this.at) === ".") {
      this.at += 1;
      return [];
    }
    return this.piece(level, true);
  }

  private fraction(level: number): Run[] {
    const above = this.argument(level);
    const below = this.argument(level);
    return [...bracketed("", above, level), { text: "/", italic: false, level }, ...bracketed("", below, level)];
  }
}

/** In brackets if it is longer than a sign, so that a/b stays readable on one line. */
function bracketed(sign: string, inside: readonly Run[], level: number): Run[] {
  const text = inside.map((run) => run.text).join("");
  const needs = inside.some((run) => /[\s+−]/.test(run.text.trim())) || (sign !== "" && text.length > 2);
  const open: Run = { text: sign + (needs ? "(" : ""), italic: false, level };
  const close: Run = { text: ")", italic: false, level };
  return [...(open.text ? [open] : []), ...inside, ...(needs ? [close] : [])];
}
