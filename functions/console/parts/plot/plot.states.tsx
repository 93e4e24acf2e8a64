import { Plot } from "./plot.tsx";
import type { PlotData } from "./plot-data.ts";
import { Sparkline } from "./sparkline.tsx";

const DAY = 86_400;

const columns = (places: number, titles: readonly string[], step = DAY): PlotData => ({
  x: { kind: "time", values: Float64Array.from({ length: places }, (_, at) => 1_790_000_000 - (1_790_000_000 % DAY) + at * step) },
  series: titles.map((title, series) => ({
    title,
    values: Float64Array.from({ length: places }, (_, at) => Math.round(200 + 100 * Math.sin(at / 9 + series) + ((at * 7919) % 40))),
  })),
});

const month = columns(30, ["signup", "$pageview", "checkout"]);

const browsers: PlotData = {
  x: { kind: "category", values: ["Chrome", "Safari", "Firefox", "Edge", "A browser whose name is far too long for its place"] },
  series: [
    { title: "events", values: Float64Array.of(1_204, 830, 411, 96, 7) },
    { title: "people", values: Float64Array.of(340, 250, 160, 40, 5) },
  ],
};

const gap: PlotData = {
  ...month,
  series: month.series
    .slice(0, 1)
    .map(({ title, values }) => ({ title, values: values.map((value, at) => (at % 7 === 0 ? Number.NaN : value)) })),
};

const eleven = columns(48, ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"], 3_600);

export const states = {
  lines: () => <Plot data={month} kind="line" label="Events of each day by name" />,
  "a line with gaps": () => <Plot data={gap} kind="line" label="Signups of each day" height={160} />,
  "areas on each other": () => <Plot data={month} kind="area" stacked label="Events of each day on each other" />,
  "bars beside each other": () => <Plot data={browsers} kind="bar" label="Events and people by browser" />,
  "bars on each other": () => <Plot data={month} kind="bar" stacked label="Events of each day as bars" />,
  "more series than colours": () => <Plot data={eleven} kind="line" label="Eleven series by the hour" />,
  "10,000 points": () => <Plot data={columns(10_000, ["events"], 60)} kind="area" label="Events of each minute" />,
  "one place": () => <Plot data={columns(1, ["events"])} kind="bar" label="Events of one day" height={160} />,
  "the drawing alone": () => <Plot data={columns(60, ["events"], 60)} kind="bar" label="Events of the last hour" height={96} compact />,
  sparkline: () => <Sparkline values={[0, 3, 5, 2, 0, 8, 13, 4, 1, 0, 2, 6]} label="Events of the last 12 hours" />,
  "sparkline of nothing": () => <Sparkline values={[0, 0, 0, 0]} label="No events" />,
};
