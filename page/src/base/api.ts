/** Questions to the server of the lab, and its answers. */

import type { Panel } from "../plots/data";
import { events } from "./streams";

export type Value = string | number | boolean;
export type Values = Readonly<Record<string, Value>>;
export type Status = "holds" | "fails" | "undecided" | "outside";

export interface Judged {
  readonly status: Status;
  readonly sentence: string;
  readonly study?: string;
}

export interface ClaimCard {
  readonly name: string;
  readonly paper: string;
  readonly kind: string;
  readonly statement: string;
  readonly flagship: boolean;
  readonly questions: readonly string[];
  readonly corrected: boolean;
  readonly verdict: Judged | null;
  readonly thumbnail: Panel | null;
}

export interface Paper {
  readonly key: string;
  readonly title: string;
  readonly authors: string;
  readonly year: number;
  readonly cite: string;
  readonly claims: readonly string[];
}

export interface TourCard {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly stations: number;
}

export interface Catalogue {
  readonly version: string;
  readonly claims: readonly ClaimCard[];
  readonly papers: readonly Paper[];
  readonly questions: readonly {
    readonly key: string;
    readonly words: string;
    readonly answer: string;
    readonly claims: readonly string[];
  }[];
  readonly tours: readonly TourCard[];
}

export interface Control {
  readonly name: string;
  readonly kind: "number" | "integer" | "boolean" | "choice" | "target" | "activation" | "kernel" | "text";
  readonly default: Value | null;
  readonly minimum?: number | null;
  readonly maximum?: number | null;
  readonly above?: number | null;
  readonly below?: number | null;
  readonly choices?: readonly Value[];
  readonly help: string;
  readonly symbol: string;
  readonly path?: boolean;
  readonly slider?: { readonly from: number; readonly to: number; readonly log: boolean } | null;
}

export interface View {
  readonly number: number;
  readonly title: string;
  readonly kind: string;
  readonly x: string;
  readonly quantities: readonly string[];
  readonly theory: boolean;
  readonly simulable: readonly string[];
}

export interface Preset {
  readonly name: string;
  readonly title?: string;
  readonly values: Values;
}

export interface ClaimPage {
  readonly name: string;
  readonly paper: string;
  readonly kind: string;
  readonly statement: string;
  readonly story: string;
  readonly formula: { readonly latex: readonly string[]; readonly where: string } | null;
  readonly source: string;
  readonly url: string;
  readonly bibtex: string;
  readonly finding: string;
  readonly convention: string;
  readonly engine: string;
  readonly hypotheses: readonly string[];
  readonly as_printed: Readonly<Record<string, string>>;
  readonly version: number;
  readonly default_seeds: number;
  readonly controls: readonly Control[];
  readonly presets: readonly Preset[];
  readonly views: readonly View[];
  readonly quantities: readonly {
    key: string;
    name: string;
    relation: string;
    help: string;
    symbol: string;
    finite_size: string;
    allowance: string;
  }[];
}

export interface Cost {
  readonly seconds: number;
  readonly bytes: number;
  readonly sentence: string;
  readonly refusal: string;
}

export interface PredictedQuantity {
  readonly name: string;
  readonly help: string;
  readonly symbol: string;
  readonly predicted: number | readonly (number | null)[] | null;
  readonly x: readonly (number | null)[] | null;
  readonly x_name: string;
  readonly relation: string;
  readonly allowance: number | null | readonly (number | null)[];
  readonly rule: string;
  readonly outside: string;
}

export interface Predicted {
  readonly parameters: Values;
  readonly changed: Values;
  readonly view: number;
  readonly tabs: readonly number[];
  readonly titles: Readonly<Record<string, string>>;
  readonly panels: readonly Panel[];
  readonly silence: string;
  readonly quantities: readonly PredictedQuantity[];
  readonly regime: string;
  readonly notes: readonly string[];
  readonly command: string;
  readonly python: string;
  readonly cost: Cost;
  readonly seconds: number;
}

export interface Verdict {
  readonly status: Status;
  readonly sentence: string;
  readonly told: string;
  readonly sharpness: string;
  readonly judgements: readonly { readonly quantity: string; readonly status: Status; readonly sentence: string }[];
  readonly as_printed: readonly {
    readonly quantity: string;
    readonly says: string;
    readonly as_printed: Status;
    readonly corrected: Status;
    readonly sentence: string;
  }[];
}

export interface Simulated {
  readonly seeds: number;
  readonly of: number;
  readonly panels: readonly Panel[];
  readonly silence: string;
  readonly verdict: Verdict | null;
}

/** A refusal: one sentence, and the control or the command that helps. */
export class Refusal extends Error {
  constructor(
    readonly sentence: string,
    readonly reason: string,
    readonly field: string,
    readonly command: string,
  ) {
    super(sentence);
  }
}

export function isAbort(problem: unknown): boolean {
  return problem instanceof DOMException && problem.name === "AbortError";
}

/** What to tell of anything that went wrong. */
export function sentenceOf(problem: unknown): string {
  if (problem instanceof Refusal) return problem.sentence;
  if (problem instanceof TypeError) return "The lab does not answer: is `giantstep lab` still running?";
  return problem instanceof Error ? problem.message : String(problem);
}

async function refusalOf(answer: Response): Promise<Refusal> {
  const said: unknown = await answer.json().catch(() => null);
  const record = typeof said === "object" && said !== null ? (said as Record<string, unknown>) : {};
  const word = (key: string): string => (typeof record[key] === "string" ? record[key] : "");
  return new Refusal(
    word("sentence") || `The lab answered ${answer.status}.`,
    word("reason"),
    word("field"),
    word("command"),
  );
}

async function request<T>(address: string, options: RequestInit): Promise<T> {
  const answer = await fetch(address, options);
  if (!answer.ok) throw await refusalOf(answer);
  return (await answer.json()) as T;
}

export function get<T>(address: string, signal: AbortSignal | null = null): Promise<T> {
  return request<T>(address, { signal });
}

export function post<T>(address: string, body: object, signal: AbortSignal | null = null): Promise<T> {
  return request<T>(address, posted(body, signal));
}

export function remove<T>(address: string): Promise<T> {
  return request<T>(address, { method: "DELETE", keepalive: true });
}

function posted(body: object, signal: AbortSignal | null): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
}

export interface Told {
  readonly name: string;
  readonly data: unknown;
}

/** The events of a stream, as they come; a refusal is thrown before the first. */
export async function* listen(address: string, body: object | null, signal: AbortSignal): AsyncGenerator<Told> {
  const answer = await fetch(address, body === null ? { signal } : posted(body, signal));
  if (!answer.ok || !answer.body) throw await refusalOf(answer);
  for await (const event of events(answer.body)) yield { name: event.name, data: JSON.parse(event.data) as unknown };
}

/** The address of a claim's interface; names hold one stroke, which stays. */
export function claimAddress(name: string): string {
  return `/api/claims/${name.split("/").map(encodeURIComponent).join("/")}`;
}
