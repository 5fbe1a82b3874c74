/** Mathematics typed among words, as docstrings have it, set for the eye: d^kappa, psi1, R_0, >=, sqrt(n). */

export interface WordRun {
  readonly text: string;
  readonly place: "line" | "raised" | "lowered";
}

const GREEK: Readonly<Record<string, string>> = {
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  eps: "ε",
  epsilon: "ε",
  eta: "η",
  theta: "θ",
  kappa: "κ",
  lambda: "λ",
  mu: "μ",
  pi: "π",
  psi: "ψ",
  phi: "φ",
  rho: "ρ",
  sigma: "σ",
  tau: "τ",
  omega: "ω",
  Sigma: "Σ",
  Phi: "Φ",
  Omega: "Ω",
};
const NAMES = Object.keys(GREEK).join("|");
const LETTER = new RegExp(`^(${NAMES})(?![A-Za-z])(\\d?)(?![A-Za-z0-9])`);
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/>=/g, "≥"],
  [/<=/g, "≤"],
  [/!=/g, "≠"],
  [/\+-/g, "±"],
  [/->/g, "→"],
  [/ >> /g, " ≫ "],
  [/ << /g, " ≪ "],
  [/ ~ /g, " ∼ "],
  [/\bsqrt\((\w+)\)/g, "√$1"],
  [/\bsqrt\(/g, "√("],
];

export function wordRuns(words: string): WordRun[] {
  const text = SIGNS.reduce((told, [sign, drawn]) => told.replace(sign, drawn), words);
  const out: WordRun[] = [];
  const put = (piece: string, place: WordRun["place"]): void => {
    const last = out.at(-1);
    if (last && last.place === place) out[out.length - 1] = { text: last.text + piece, place };
    else if (piece) out.push({ text: piece, place });
  };
  for (let at = 0; at < text.length;) {
    const [before, rest] = [text.slice(0, at), text.slice(at)];
    const script = isScript(before, rest) ? argument(rest.slice(1), rest.startsWith("^")) : null;
    const letter = /[A-Za-z_.`]$/.test(before) ? null : LETTER.exec(rest);
    if (script) {
      put(letters(script.inside), rest.startsWith("^") ? "raised" : "lowered");
      at += 1 + script.length;
    } else if (letter && !/^_\w\w/.test(rest.slice(letter[0].length))) {
      put(GREEK[letter[1] ?? ""] ?? "", "line");
      put(letter[2] ?? "", "lowered");
      at += letter[0].length;
    } else {
      put(rest.charAt(0), "line");
      at += 1;
    }
  }
  return out;
}

/** A power stands behind anything; an index only behind one letter: names such as samples_per_dim stay as they are. */
function isScript(before: string, rest: string): boolean {
  if (rest.startsWith("^")) return /[\w)\]|*']$/.test(before);
  return rest.startsWith("_") && new RegExp(`(?:^|[^\\w])(?:[A-Za-z]|He|${NAMES})$`).test(before);
}

/** What is raised or lowered: a group in brackets, which are left out, or one word. */
function argument(rest: string, power: boolean): { readonly inside: string; readonly length: number } | null {
  const sign = power && rest.startsWith("-") ? "-" : "";
  const after = rest.slice(sign.length);
  const closing = after.startsWith("(") ? ")" : after.startsWith("{") ? "}" : "";
  if (closing) {
    let depth = 0;
    for (let i = 0; i < after.length; i += 1) {
      if (after.charAt(i) === after.charAt(0)) depth += 1;
      else if (after.charAt(i) === closing) depth -= 1;
      if (depth === 0)
        return { inside: sign + (sign ? after.slice(0, i + 1) : after.slice(1, i)), length: sign.length + i + 1 };
    }
    return null;
  }
  const word = (power ? /^(?:\d+(?:\.\d+)?|[A-Za-z]\w*)/ : /^[A-Za-z0-9]+(?!\w)/).exec(after)?.[0];
  return word ? { inside: sign + word, length: sign.length + word.length } : null;
}

function letters(piece: string): string {
  return piece.replace(/[A-Za-z]+/g, (name) => GREEK[name] ?? name).replace(/-/g, "−");
}
