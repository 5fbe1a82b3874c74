/** Series that cover each other, drawn apart as in `giantstep.figures`: marks side by side, lower lines wider. */

export interface Place {
  readonly x: number;
  readonly y: number;
}

const UNSEEN = 0.012; // a part of the picture's height: what is closer covers each other
const MOST = 0.8; // of the places that two series share: where so many cover each other, one of the series is hidden

/** Places as the axes show them: logarithms where these are logarithmic, without gaps. */
export function onPaper(list: readonly Place[], logX: boolean, logY: boolean): Place[] {
  return list
    .map(({ x, y }) => ({ x: logX ? Math.log(x) : x, y: logY ? Math.log(y) : y }))
    .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
}

/** The height of a picture of all these rows. */
export function heightOf(rows: readonly (readonly Place[])[]): number {
  const all = rows.flatMap((row) => row.map((one) => one.y));
  return all.length ? Math.max(...all) - Math.min(...all) : 0;
}

/** How far each of some rows of marks stands aside, in widths of a mark: those that hide each other side by side. */
export function sideways(marks: readonly (readonly Place[])[], height: number): number[] {
  let clusters: number[][] = [];
  marks.forEach((mark, one) => {
    const hidden = marks.slice(0, one).flatMap((other, k) => (marksHide(mark, other, height) ? [k] : []));
    const touched = clusters.filter((cluster) => cluster.some((k) => hidden.includes(k)));
    clusters = [...clusters.filter((cluster) => !touched.includes(cluster)), [...touched.flat(), one]];
  });
  const aside = marks.map(() => 0);
  for (const cluster of clusters)
    [...cluster].sort((a, b) => a - b).forEach((one, rank) => (aside[one] = rank - (cluster.length - 1) / 2));
  return aside;
}

/** How many of the later lines run over each line, in a picture of this height. */
export function layersAbove(lines: readonly (readonly Place[])[], height: number): number[] {
  return lines.map((line, k) => lines.slice(k + 1).filter((later) => lineHides(later, line, height)).length);
}

function marksHide(one: readonly Place[], other: readonly Place[], height: number): boolean {
  const there = new Map(other.map(({ x, y }) => [x, y]));
  const shared = one.filter(({ x }) => there.has(x));
  const close = shared.filter(({ x, y }) => Math.abs(y - (there.get(x) ?? NaN)) <= UNSEEN * height);
  return shared.length > 0 && close.length >= MOST * shared.length;
}

function lineHides(upper: readonly Place[], lower: readonly Place[], height: number): boolean {
  if (upper.length < 2 || lower.length < 2) return false;
  const close = lower.filter(({ x, y }) => Math.abs(heightAt(upper, x) - y) <= UNSEEN * height);
  return close.length >= MOST * lower.length;
}

/** The height of a line at a place; NaN beyond its ends. */
function heightAt(line: readonly Place[], x: number): number {
  const right = line.findIndex((one) => one.x >= x);
  const [a, b] = [line[right - 1], line[right]];
  if (!b || (!a && b.x !== x)) return NaN;
  return a ? a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x) : b.y;
}
