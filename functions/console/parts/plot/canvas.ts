import uPlot from "uplot";
import { numberLabels, timeLabels } from "./axis-labels.ts";
import { type Palette, readPalette, SERIES_COLOURS } from "./palette.ts";
import type { Axis, PlotData, PlotKind } from "./plot-data.ts";
import { sums } from "./sums.ts";

export interface Drawing {
  readonly data: PlotData;
  readonly kind: PlotKind;
  /** Series stand on each other. */
  readonly stacked: boolean;
  /** Somebody points at a place of x, or at none. */
  pointed(at: number | undefined): void;
}

export interface Drawn {
  /** Marks a place of x as if it were pointed at. */
  point(at: number): void;
  png(): Promise<Blob | null>;
  destroy(): void;
}

/** Draws a plot that fills a box, and follows the box's size. */
export const drawPlot = (box: HTMLElement, drawing: Drawing): Drawn => {
  const palette = readPalette(box);
  const plot = new uPlot({ ...options(drawing, palette), width: box.clientWidth, height: box.clientHeight }, columns(drawing), box);
  const resized = new ResizeObserver(() => {
    if (box.clientWidth !== plot.width || box.clientHeight !== plot.height) {
      plot.setSize({ width: box.clientWidth, height: box.clientHeight });
    }
  });
  resized.observe(box);
  return {
    point: (at) => {
      const value = plot.data[0]?.[at];
      if (typeof value === "number") plot.setCursor({ left: plot.valToPos(value, "x"), top: plot.over.clientHeight / 2 });
    },
    png: () => picture(plot, palette),
    destroy: () => {
      resized.disconnect();
      plot.destroy();
    },
  };
};

const places = (x: Axis): Float64Array => (x.kind === "category" ? Float64Array.from(x.values, (_, at) => at) : x.values);

/** The series in the order in which they are drawn: of a stack the highest first and the lower ones over it, so each shows what it adds. */
const order = ({ data, stacked }: Drawing): readonly number[] => {
  const all = Array.from(data.series.keys());
  return stacked ? all.reverse() : all;
};

const columns = (drawing: Drawing): uPlot.AlignedData => {
  const { data, stacked } = drawing;
  const values = data.series.map((series) => series.values);
  const heights = stacked ? sums(values) : values.map(gapped);
  return [places(data.x), ...order(drawing).map((at) => heights[at] ?? [])];
};

/** A canvas knows a gap by null alone; a column without one stays as it is. */
const gapped = (values: Float64Array): Float64Array | (number | null)[] =>
  values.some(Number.isNaN) ? Array.from(values, (value) => (Number.isNaN(value) ? null : value)) : values;

const options = (drawing: Drawing, palette: Palette): Omit<uPlot.Options, "width" | "height"> => {
  const { data, kind, pointed } = drawing;
  const { x } = data;
  const along = places(x);
  const step = smallestStep(along);
  const room = kind === "bar" || x.kind === "category" || along.length === 1 ? step / 2 : 0;
  const ends: uPlot.Range.MinMax = [(along[0] ?? 0) - room, (along.at(-1) ?? 1) + room];
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind !== "bar", size: 8 } },
    ...(x.kind === "time" && { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1_000), x.zone ?? "Etc/UTC") }),
    // At the right, for half of the last label.
    padding: [8, 24, 0, 0],
    scales: {
      x: { time: x.kind === "time", range: () => ends },
      y: { range: (_plot, min, max) => [min < 0 ? extended(min) : 0, max > 0 ? extended(max) : min < 0 ? 0 : 1] },
    },
    axes: [xAxis(x, palette), yAxis(palette)],
    series: [{}, ...order(drawing).map((at, drawn) => seriesOptions(drawing, palette, { at, drawn, step }))],
    hooks: { setCursor: [({ cursor }) => pointed(cursor.idx ?? undefined)] },
  };
};

/** Room above the highest value. */
const extended = (value: number): number => value * 1.05;

/** The distance of the two places that are nearest to each other. */
const smallestStep = (values: Float64Array): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 1; at < values.length; at++) least = Math.min(least, (values[at] ?? 0) - (values[at - 1] ?? 0));
  return Number.isFinite(least) && least > 0 ? least : 1;
};

/** More places than this are a line without a dot at each. */
const MOST_DOTS = 60;

const seriesOptions = (
  { data, kind, stacked }: Drawing,
  { series: colours }: Palette,
  { at, drawn, step }: { readonly at: number; readonly drawn: number; readonly step: number },
): uPlot.Series => {
  const colour = colours[at % SERIES_COLOURS] ?? "";
  const count = data.series.length;
  if (kind === "bar") {
    return { fill: colour, width: 0, points: { show: false }, paths: stacked || count === 1 ? wideBars : besides({ drawn, count, step }) };
  }
  const fill = kind === "line" ? undefined : stacked ? colour : colour.replace(/^rgb\((.+)\)$/, "rgb($1 / 20%)").replaceAll(",", " ");
  return {
    stroke: colour,
    width: 2,
    ...(fill && { fill }),
    // Beyond the palette a series differs by its dashes too.
    ...(at >= SERIES_COLOURS && { dash: [6, 4] }),
    points: { show: data.x.values.length <= MOST_DOTS && kind === "line", size: 4, fill: colour },
  };
};

/** How much of the distance between two places bars take, and how wide one may be. */
const BARS = 0.8;
const WIDEST_BAR = 64;

const bars = (settings: uPlot.Series.BarsPathBuilderOpts): uPlot.Series.PathBuilder => {
  if (!uPlot.paths.bars) throw new Error("this build of the plots draws no bars");
  return uPlot.paths.bars(settings);
};

const wideBars = bars({ size: [BARS, WIDEST_BAR] });

/** The bars of one series of several, side by side at each place. */
const besides = ({ drawn, count, step }: { readonly drawn: number; readonly count: number; readonly step: number }) => {
  const width = (step * BARS) / count;
  return bars({
    disp: {
      x0: { unit: SCALE, values: ({ data: [x = []] }) => Array.from(x, (value) => Number(value) - (step * BARS) / 2 + drawn * width) },
      size: { unit: SCALE, values: () => [width] },
    },
  });
};

/** Of the library's units: those of the scale. */
const SCALE: uPlot.Series.BarsPathBuilderFacetUnit.ScaleValue = 1;

const axis = ({ soft, line, font }: Palette): uPlot.Axis => ({
  stroke: soft,
  font,
  grid: { stroke: line, width: 1 },
  ticks: { show: false },
});

const yAxis = (palette: Palette): uPlot.Axis => ({
  ...axis(palette),
  size: 52,
  values: (_plot, splits) => numberLabels(splits),
});

const xAxis = (x: Axis, palette: Palette): uPlot.Axis => {
  const base: uPlot.Axis = { ...axis(palette), grid: { show: false }, size: 28 };
  if (x.kind === "time") return { ...base, size: 44, space: 72, values: (_plot, splits) => timeLabels(splits, x.zone) };
  if (x.kind === "number") return { ...base, space: 60, values: (_plot, splits) => numberLabels(splits) };
  return {
    ...base,
    splits: (plot) => shownPlaces(x.values.length, plot.bbox.width / uPlot.pxRatio),
    values: (plot, splits) => splits.map((at) => shortened(x.values[at] ?? "", labelRoom(splits, x.values.length, plot))),
  };
};

/** The least width of a category's label, and what a character takes, in pixels. */
const LABEL = 64;
const CHARACTER = 7;

/** Every place, or each second, third, … where there is no room for more. */
const shownPlaces = (count: number, width: number): number[] => {
  const every = Math.max(1, Math.ceil((count * LABEL) / Math.max(width, LABEL)));
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every);
};

const labelRoom = (splits: readonly number[], count: number, plot: uPlot): number =>
  (((plot.bbox.width / uPlot.pxRatio) * ((splits[1] ?? count) - (splits[0] ?? 0))) / count) | 0;

const shortened = (text: string, room: number): string => {
  const most = Math.max(4, Math.floor(room / CHARACTER));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};

/** The plot on the ground of the page. */
const picture = ({ ctx: { canvas } }: uPlot, { ground }: Palette): Promise<Blob | null> => {
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext("2d");
  if (context) {
    context.fillStyle = ground;
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(canvas, 0, 0);
  }
  return new Promise((done) => copy.toBlob(done));
};
