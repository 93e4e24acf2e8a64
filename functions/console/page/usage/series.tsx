import { useMemo } from "preact/hooks";
import { useAction } from "../../calls/use-action.ts";
import { useCall } from "../../calls/use-call.ts";
import { ChoiceField } from "../../parts/field/field.tsx";
import { saveFile, saveFrom } from "../../parts/file/file.ts";
import { sumUsd, usdText } from "../../parts/number/money.ts";
import { numberText } from "../../parts/number/number.tsx";
import { Plot } from "../../parts/plot/plot.tsx";
import type { PlotData } from "../../parts/plot/plot-data.ts";
import { Range } from "../../parts/range/range.tsx";
import { Empty, Problem } from "../../parts/state/state.tsx";
import { type Column, Table } from "../../parts/table/table.tsx";
import { type Address, go, useAddress, withQuery } from "../address.ts";
import { Answer } from "./answer.tsx";
import { exportSeries, FRESH_MS, type Interval, type Measure, readSeries, type SeriesAnswer, type SeriesQuestion } from "./calls.ts";
import { useOrganization } from "./organization.ts";
import { PAGES, type PageProps, UsageFrame } from "./page-frame.tsx";

const MEASURES = [
  { value: "usage", title: "Usage" },
  { value: "spend", title: "Spend" },
] as const;

const INTERVALS = [
  { value: "day", title: "Day" },
  { value: "week", title: "Week" },
  { value: "month", title: "Month" },
] as const;

const BREAKDOWNS = [
  { value: "type", title: "Product", of: ["type"] },
  { value: "team", title: "Project", of: ["team"] },
  { value: "both", title: "Project and product", of: ["team", "type"] },
] as const;

/** What the address asks for; what it names wrongly is as if it were not there. */
const questionIn = ({ query }: Address): { readonly measure: Measure; readonly by: string; readonly question: SeriesQuestion } => {
  const measure = MEASURES.find(({ value }) => value === query.get("measure"))?.value ?? "usage";
  const interval: Interval = INTERVALS.find(({ value }) => value === query.get("interval"))?.value ?? "day";
  const by = BREAKDOWNS.find(({ value }) => value === query.get("by")) ?? BREAKDOWNS[0];
  const range = { date_from: query.get("date_from") ?? "-30d", date_to: query.get("date_to") ?? "" };
  return { measure, by: by.value, question: { ...range, interval, breakdowns: by.of } };
};

/** Use or spend over time, by product and by project. */
export const Series = ({ project }: PageProps) => {
  const address = useAddress();
  const { name } = useOrganization(project);
  const { measure, by, question } = questionIn(address);
  const call = readSeries(project.id, measure, question);
  const series = useCall(call, { freshMs: FRESH_MS });
  const change = (changes: Readonly<Record<string, string | undefined>>): void => go(withQuery(address, changes));
  return (
    <UsageFrame
      project={project}
      page={PAGES.series}
      call={call}
      actions={<Range value={question} change={({ date_from, date_to }) => change({ date_from, date_to })} />}
    >
      <div class="series-choices">
        <ChoiceField label="Measure" value={measure} options={MEASURES} change={(value) => change({ measure: value })} />
        <ChoiceField label="Interval" value={question.interval} options={INTERVALS} change={(interval) => change({ interval })} />
        <ChoiceField label="By" value={by} options={BREAKDOWNS} change={(value) => change({ by: value })} />
        <ExportButton project={project} measure={measure} question={question} />
      </div>
      <p class="note">
        What <bdi>{name}</bdi> {measure === "usage" ? "used." : "spent, in US dollars, before coupons, credits and tax."} Days are those of
        UTC.
      </p>
      <Answer of={series} lines={14}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty title={measure === "usage" ? "Nothing was used in these days." : "Nothing was spent in these days."}>
              <p>Choose a longer range{measure === "spend" && ", or look at the usage: on a free plan it costs nothing"}.</p>
            </Empty>
          ) : (
            <SeriesResult results={results} measure={measure} by={by} interval={question.interval} />
          )
        }
      </Answer>
    </UsageFrame>
  );
};

type Line = SeriesAnswer["results"][number];

interface SeriesResultProps {
  readonly results: readonly Line[];
  readonly measure: Measure;
  readonly by: string;
  readonly interval: Interval;
}

const lineTitle = ({ label }: Line): string => label.replaceAll("::", " · ");

const SeriesResult = ({ results, measure, by, interval }: SeriesResultProps) => {
  const data = useMemo((): PlotData => plotData(results), [results]);
  // Units of unlike products do not add up; money does.
  const isSum = measure === "spend" || by === "team";
  return (
    <>
      <Plot data={data} kind={isSum ? "bar" : "line"} stacked={isSum} label={measure === "usage" ? "Usage" : "Spend in US dollars"} />
      <div class="totals">
        <Table label="Totals" columns={totals(measure, interval)} rows={results} keyOf={({ id }) => id} />
      </div>
    </>
  );
};

const plotData = (results: readonly Line[]): PlotData => ({
  x: { kind: "time", values: Float64Array.from(results[0]?.dates ?? [], (date) => Date.parse(date) / 1_000) },
  series: results.map((line) => ({ title: lineTitle(line), values: Float64Array.from(line.data) })),
});

const totals = (measure: Measure, interval: Interval): readonly Column<Line>[] => {
  const said = (data: readonly number[]): string =>
    measure === "spend" ? usdText(sumUsd(data)) : numberText(data.reduce((sum, units) => sum + units, 0));
  return [
    { title: "Series", wide: true, cell: lineTitle },
    { title: "In the range", numeric: true, cell: ({ data }) => said(data) },
    { title: `In the last ${interval}`, numeric: true, cell: ({ data }) => said(data.slice(-1)) },
  ];
};

interface ExportButtonProps extends PageProps {
  readonly measure: Measure;
  readonly question: SeriesQuestion;
}

const ExportButton = ({ project, measure, question }: ExportButtonProps) => {
  const action = useAction();
  const save = async (): Promise<void> => {
    const file = await action.run(exportSeries(project.id, measure, question), NOTHING);
    if (file instanceof Blob) saveFile(`${measure}.csv`, file);
    else if (file) saveFrom(file.url);
  };
  return (
    <div class="series-export">
      <button type="button" disabled={action.running} onClick={() => void save()}>
        CSV of all series
      </button>
      {action.problem && <Problem problem={action.problem} />}
    </div>
  );
};

/** No address begins with it: an export changes nothing. */
const NOTHING = "\0";
