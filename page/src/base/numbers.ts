/** Numbers for reading and for sliders. */

const TIMES = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/** Four digits, thousands apart, powers of ten only where they are shorter: 0.0312, 12,500, 3.2e-7. */
export function told(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4)
    return value
      .toExponential(Math.min(2, digits - 1))
      .replace(/\.?0+e/, "e")
      .replace("e+", "e")
      .replace("-", "−");
  if (Number.isInteger(value)) return value.toLocaleString("en").replace("-", "−");
  const text = digits === 4 ? TIMES.format(value) : value.toLocaleString("en", { maximumSignificantDigits: digits });
  return text.replace("-", "−");
}

/** The same number as a field of an address or a number box wants it: no separators, and short enough for the box. */
export function written(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const round = Number(value.toPrecision(6));
  return Math.abs(round) < 1e-4 ? round.toExponential() : String(round);
}

/** The same number without powers of ten, as screen readers want it. */
export function decimal(value: number): string {
  return value.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 });
}

export interface Range {
  readonly low: number;
  readonly high: number;
  readonly log: boolean;
  readonly whole: boolean;
}

/** Places of a slider: 0 .. STEPS. */
export const STEPS = 400;

/** Where a value stands on the slider. */
export function placeOf(value: number, range: Range): number {
  const { low, high } = range;
  if (!(high > low)) return 0;
  const part = range.log ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.round(STEPS * Math.min(1, Math.max(0, part)));
}

/** The value at a place of the slider, rounded to what a place can tell apart. */
export function valueAt(place: number, range: Range): number {
  const part = Math.min(1, Math.max(0, place / STEPS));
  const { low, high } = range;
  if (part === 0) return low;
  if (part === 1) return high;
  const raw = range.log ? low * (high / low) ** part : low + (high - low) * part;
  if (range.whole) {
    const round = Math.round(raw);
    return Math.min(high, Math.max(low, round >= 1000 ? Number(round.toPrecision(2)) : round));
  }
  if (range.log) return Number(raw.toPrecision(3));
  const unit = 10 ** Math.floor(Math.log10((high - low) / STEPS));
  const step = [1, 2, 5, 10].map((k) => k * unit).find((k) => k >= (high - low) / STEPS / 1.001) ?? unit;
  return Number((Math.round(raw / step) * step).toPrecision(12));
}

/** The place of the next value in a direction: a slider never sticks where whole numbers are further apart than places. */
export function nextPlace(place: number, direction: 1 | -1, range: Range): number {
  const here = valueAt(place, range);
  let next = place;
  do next += direction;
  while (next > 0 && next < STEPS && valueAt(next, range) === here);
  return Math.min(STEPS, Math.max(0, next));
}
