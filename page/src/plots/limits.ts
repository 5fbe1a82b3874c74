/** Limits and ticks of axes: open a little beyond the data, also where it is one value only. */

export function limits(values: readonly number[], log: boolean, margin: number): [number, number] {
  const finite = values.filter((v) => Number.isFinite(v) && (!log || v > 0));
  if (!finite.length) return log ? [0.1, 10] : [0, 1];
  let low = Math.min(...finite);
  let high = Math.max(...finite);
  if (log) {
    const room = low === high ? Math.log(2) : margin * Math.log(high / low);
    return [low / Math.exp(room), high * Math.exp(room)];
  }
  if (high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high))) {
    const half = 0.1 * Math.abs(low) || 0.5;
    [low, high] = [low - half, high + half];
  }
  const room = margin * (high - low);
  return [low - room, high + room];
}

const FAR = 1e-3; // of the smallest value: a bound is not followed further down

/** Whether a place of a logarithmic picture is shown: a bound that falls by many decades would press all else together. */
export function inSight(
  rows: readonly { readonly series: { readonly kind: string }; readonly shown: readonly { readonly y: number }[] }[],
): (place: { readonly y: number }) => boolean {
  const core = rows
    .filter(({ series }) => series.kind === "theory" || series.kind === "simulation")
    .flatMap(({ shown }) => shown.map(({ y }) => y));
  const least = core.length ? FAR * Math.min(...core) : 0;
  return ({ y }) => y >= least;
}

/** Edges of cells around increasing places: half way between neighbours, in the logarithm on a logarithmic axis. */
export function cellEdges(places: readonly number[], log: boolean): number[] {
  const at = places.map((p) => (log ? Math.log(p) : p));
  const first = at[0] ?? 0;
  const last = at.at(-1) ?? 0;
  const half = at.length > 1 ? undefined : log ? 0.5 : 0.1 * Math.abs(first) || 0.5;
  const before = half ?? ((at[1] ?? 0) - first) / 2;
  const after = half ?? (last - (at.at(-2) ?? 0)) / 2;
  const between = at.slice(1).map((p, i) => (p + (at[i] ?? p)) / 2);
  const edges = [first - before, ...between, last + after];
  return log ? edges.map(Math.exp) : edges;
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

const HEADS = [[1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 5], [1, 2, 5], [1, 3], [1]] as const;

/** Ticks of a logarithmic axis on which `room` labels have room side by side: as many as do not touch, all inside. */
export function logTicks(low: number, high: number, room: number): number[] {
  const whole = Math.log(high / low);
  const apart = (list: readonly number[]): boolean =>
    list.every((v, i) => i === 0 || Math.log(v / (list[i - 1] ?? v)) > (0.8 * whole) / Math.max(2, room));
  const from = Math.floor(Math.log10(low));
  const to = Math.ceil(Math.log10(high));
  const ticks = (heads: readonly number[], stride: number): number[] => {
    const all: number[] = [];
    for (let k = from; k <= to; k += 1)
      if (k % stride === 0) for (const head of heads) all.push(Number(`${head}e${k}`));
    return all.filter((v) => v >= low * 0.999 && v <= high * 1.001);
  };
  const strides = Array.from({ length: to - from + 1 }, (_, i) => ticks([1], i + 1));
  const found = [...HEADS.map((heads) => ticks(heads, 1)), ...strides].find((list) => list.length >= 2 && apart(list));
  return found ?? evenTicks(low, high, 4);
}

/** All whole numbers of a range. */
export function wholeTicks(low: number, high: number): number[] {
  const first = Math.ceil(low);
  return Array.from({ length: Math.max(0, Math.floor(high) - first + 1) }, (_, i) => first + i);
}

/** Round numbers at equal distances, about so many of them: for a range in which no powers of ten lie. */
function evenTicks(low: number, high: number, count: number): number[] {
  const wanted = (high - low) / count;
  const unit = 10 ** Math.floor(Math.log10(wanted));
  const step = unit * ([1, 2, 5].find((k) => k * unit >= wanted * 0.999) ?? 10);
  const first = Math.ceil(low / step);
  const many = Math.floor(high / step) - first + 1;
  return Array.from({ length: Math.max(0, many) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
