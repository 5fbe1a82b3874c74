/** What a picture shows: the same descriptions as `giantstep.figures`. `null` is "not measured" or "not predicted". */

export type Num = number | null;

export interface Series {
  readonly label: string;
  readonly x: readonly Num[];
  readonly y: readonly Num[];
  readonly error?: readonly Num[] | null;
  readonly kind: "theory" | "simulation" | "reference" | "bound";
  readonly group?: string | null;
  readonly forbidden?: "above" | "below" | null;
  /** Its number in the cycle of colours; null has the colour of its kind. */
  readonly color?: number | null;
}

interface Titled {
  readonly title: string;
  readonly caption?: string;
}

export interface CurvePicture extends Titled {
  readonly type: "curve";
  readonly x_label: string;
  readonly y_label: string;
  readonly series: readonly Series[];
  readonly log_x?: boolean;
  readonly log_y?: boolean;
  readonly vertical_lines?: readonly { readonly x: number; readonly label: string }[];
  readonly equal_axes?: boolean;
}

/** A histogram: heights between edges, area one. */
export interface Bins {
  readonly edges: readonly number[];
  readonly heights: readonly number[];
}

export type SpikeKind = "predicted" | "measured" | "edge";

export interface SpectrumPicture extends Titled {
  readonly type: "spectrum";
  readonly x_label: string;
  readonly values?: readonly Num[] | null;
  readonly bins?: Bins | null;
  readonly before?: Bins | null;
  readonly density?: { readonly x: readonly Num[]; readonly y: readonly Num[] } | null;
  readonly spikes?: readonly { readonly x: number; readonly label: string; readonly kind: SpikeKind }[];
  readonly values_label?: string;
  readonly before_label?: string;
  readonly density_label?: string;
}

/** A place in a picture that has a name. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

export interface HeatMapPicture extends Titled {
  readonly type: "heat map";
  readonly x_label: string;
  readonly y_label: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly values: readonly (readonly Num[])[];
  readonly value_label: string;
  readonly boundary?: { readonly x: readonly Num[]; readonly y: readonly Num[] } | null;
  readonly log_x?: boolean;
  readonly log_y?: boolean;
  readonly boundary_label?: string;
  readonly marks?: readonly Mark[];
}

export interface TrajectoryPicture extends Titled {
  readonly type: "trajectory";
  readonly x_label: string;
  readonly y_label: string;
  readonly paths: readonly Series[];
  readonly marks?: readonly Mark[];
  readonly equal_axes?: boolean;
}

export interface StaircasePicture extends Titled {
  readonly type: "staircase";
  readonly x_label: string;
  readonly y_label: string;
  readonly levels: readonly string[];
  readonly parts: readonly (readonly number[])[];
  readonly part_labels: readonly string[];
  readonly highlight?: string;
}

export type Panel = CurvePicture | SpectrumPicture | HeatMapPicture | TrajectoryPicture | StaircasePicture;

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly error: number;
  readonly label: string;
}

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** The points of a series that the axes can show; a gap stays a gap (y is NaN) for lines. */
export function points(series: Series, logX = false, logY = false): Point[] {
  return series.x.map((x, i) => {
    const y = series.y[i];
    const error = series.error?.[i];
    const shown = isFiniteNumber(x) && isFiniteNumber(y) && (!logX || x > 0) && (!logY || y > 0);
    return {
      x: isFiniteNumber(x) ? x : NaN,
      y: shown ? y : NaN,
      error: isFiniteNumber(error) ? error : 0,
      label: series.label,
    };
  });
}

export function shown(list: readonly Point[]): Point[] {
  return list.filter((point) => Number.isFinite(point.y) && Number.isFinite(point.x));
}
