/** Labels of axes as SVG text: mathematics in them, and two lines where one would be too long. */

import { runs, type Run } from "../base/tex";
import { letterScale } from "../base/theme";
import { MATHS } from "./tones";

const SVG = "http://www.w3.org/2000/svg";
const MOST_LINES = 2;
/** From one line of a label to the next, in letters. */
export const LINE = 1.3;

/** Letters of a picture in pixels. */
export function letters(): number {
  return 12.5 * letterScale();
}

/** A label in as many lines as it needs in so many pixels, at most two; broken between words, never in a formula. */
export function linesOf(label: string, letter: number, room: number): Run[][] {
  const lines: Run[][] = [[]];
  for (const word of wordsOf(runs(label))) {
    const line = lines.at(-1) ?? [];
    if (line.length && lines.length < MOST_LINES && wide([...line, ...word], letter) > room) lines.push(trimmed(word));
    else line.push(...word);
  }
  return lines.filter((line) => line.length);
}

/** Runs cut before the blanks between words. */
function wordsOf(all: readonly Run[]): Run[][] {
  const words: Run[][] = [];
  for (const run of all) {
    const pieces = run.italic || run.level ? [run.text] : run.text.split(/(?= )/);
    pieces.forEach((text, i) => {
      const last = words.at(-1);
      if (last && i === 0 && !text.startsWith(" ")) last.push({ ...run, text });
      else words.push([{ ...run, text }]);
    });
  }
  return words;
}

function trimmed([first, ...rest]: readonly Run[]): Run[] {
  return first ? [{ ...first, text: first.text.trimStart() }, ...rest].filter((run) => run.text) : [];
}

/** About how wide runs are in letters of this size. */
export function wide(line: readonly Run[], letter: number): number {
  return 0.56 * letter * line.reduce((sum, run) => sum + run.text.length * (run.level ? 0.74 : 1), 0);
}

/** Letters in which lines fit into so many pixels, as far as they can still be read. */
export function fitting(lines: readonly (readonly Run[])[], letter: number, room: number): number {
  const longest = Math.max(1, ...lines.map((line) => wide(line, letter)));
  return letter * Math.max(0.72 / letterScale(), Math.min(1, room / longest));
}

/** SVG text with mathematics in it, in letters of so many pixels. */
export function text(
  label: string | readonly Run[],
  attributes: Readonly<Record<string, string | number>>,
  letter = letters(),
): SVGTextElement {
  const element = document.createElementNS(SVG, "text");
  for (const [name, value] of Object.entries({ fill: "currentColor", "font-size": letter, ...attributes }))
    element.setAttribute(name, String(value));
  let height = 0;
  for (const run of typeof label === "string" ? runs(label) : label) {
    const span = document.createElementNS(SVG, "tspan");
    span.textContent = run.text;
    const wanted = letter * (run.level > 0 ? -0.36 * run.level : -0.22 * run.level);
    if (wanted !== height) span.setAttribute("dy", (wanted - height).toFixed(2));
    height = wanted;
    if (run.level !== 0) span.setAttribute("font-size", (letter * 0.74).toFixed(2));
    if (run.italic) {
      span.setAttribute("font-style", "italic");
      span.setAttribute("font-family", MATHS);
    }
    element.append(span);
  }
  return element;
}
