import { Code } from "../../parts/code/code.tsx";
import { ChoiceField } from "../../parts/field/field.tsx";
import type { TrendsQuery } from "./calls.ts";
import { nameChoices, RANGES, withChosen } from "./choices.ts";
import type { QuestionProps } from "./question.ts";
import type { Vocabulary } from "./vocabulary.ts";

type Series = Extract<TrendsQuery["series"][number], { kind: "EventsNode" }>;

/** Ways to count that need no property. */
const COUNTS = [
  { value: "total", title: "Events" },
  { value: "dau", title: "People" },
  { value: "weekly_active", title: "People within 7 days" },
  { value: "monthly_active", title: "People within 30 days" },
  { value: "unique_session", title: "Sessions" },
  { value: "first_time_for_user", title: "People for the first time" },
] as const;
/** Ways to count the numbers of a property. */
const AMOUNTS = [
  { value: "sum", title: "Sum of" },
  { value: "avg", title: "Average of" },
  { value: "min", title: "Least of" },
  { value: "max", title: "Greatest of" },
  { value: "median", title: "Median of" },
  { value: "p90", title: "90th percentile of" },
  { value: "p95", title: "95th percentile of" },
  { value: "p99", title: "99th percentile of" },
] as const;
const MATHS = [...COUNTS, ...AMOUNTS];

const INTERVALS = [
  { value: "hour", title: "Hour" },
  { value: "day", title: "Day" },
  { value: "week", title: "Week" },
  { value: "month", title: "Month" },
] as const;

/** A trend: series of events over time, perhaps by the values of a property. */
export const TrendsForm = ({ text, change, vocabulary }: QuestionProps) => {
  const query: TrendsQuery = JSON.parse(text);
  const set = (changes: Partial<TrendsQuery>): void => change(JSON.stringify({ ...query, ...changes }, null, 2));
  const setSeries = (at: number, series: Series | undefined): void =>
    set({ series: query.series.flatMap((each, place) => (place === at ? (series ?? []) : each)) });
  const breakdown = String(query.breakdownFilter?.breakdowns?.[0]?.property ?? "");
  return (
    <div class="ask-form">
      {query.series.map((series, at) =>
        series.kind === "EventsNode" ? (
          <SeriesFields
            key={at}
            number={at + 1}
            series={series as Series}
            vocabulary={vocabulary}
            change={(changed) => setSeries(at, changed)}
            remove={query.series.length > 1 ? () => setSeries(at, undefined) : undefined}
          />
        ) : null,
      )}
      <button
        type="button"
        class="quiet ask-add"
        onClick={() => set({ series: [...query.series, { kind: "EventsNode", event: null, math: "total" }] })}
      >
        Add a series
      </button>
      <div class="ask-fields">
        <ChoiceField
          label="Range"
          value={query.dateRange?.date_from ?? "-7d"}
          options={withChosen(RANGES, query.dateRange?.date_from ?? "-7d")}
          change={(date_from) => set({ dateRange: { ...query.dateRange, date_from } })}
        />
        <ChoiceField
          label="Interval"
          value={query.interval ?? "day"}
          options={withChosen(INTERVALS, query.interval ?? "day")}
          change={(value) => set({ interval: INTERVALS.find((each) => each.value === value)?.value ?? "day" })}
        />
        <ChoiceField
          label="Breakdown by property"
          value={breakdown}
          options={nameChoices(vocabulary.properties, breakdown, "None")}
          change={(property) => set({ breakdownFilter: property === "" ? null : { breakdowns: [{ property, type: "event" }] } })}
        />
      </div>
      <QueryJson text={text} />
    </div>
  );
};

interface SeriesFieldsProps {
  readonly number: number;
  readonly series: Series;
  readonly vocabulary: Vocabulary;
  change(series: Series): void;
  readonly remove: (() => void) | undefined;
}

const SeriesFields = ({ number, series, vocabulary, change, remove }: SeriesFieldsProps) => {
  const math = series.math ?? "total";
  const isAmount = AMOUNTS.some(({ value }) => value === math);
  return (
    <fieldset class="ask-fields">
      <legend class="hidden">Series {number}</legend>
      <ChoiceField
        label={`Event of series ${number}`}
        value={series.event ?? ""}
        options={nameChoices(vocabulary.events, series.event ?? "", "All events")}
        change={(event) => change({ ...series, event: event === "" ? null : event })}
      />
      <ChoiceField
        label="Count"
        value={math}
        options={withChosen(MATHS, math)}
        change={(value) => change({ ...series, math: MATHS.find((each) => each.value === value)?.value ?? "total" })}
      />
      {isAmount && (
        <ChoiceField
          label="Property"
          value={series.math_property ?? ""}
          options={nameChoices(
            vocabulary.properties.filter(({ detail }) => detail === "Numeric"),
            series.math_property ?? "",
            "Choose a property",
          )}
          change={(math_property) => change({ ...series, math_property })}
        />
      )}
      {remove && (
        <button type="button" class="quiet" onClick={remove}>
          Remove series {number}
        </button>
      )}
    </fieldset>
  );
};

/** The query that a form makes, as the API takes it. */
export const QueryJson = ({ text }: { readonly text: string }) => (
  <details class="ask-json">
    <summary class="note">The query as JSON</summary>
    <Code text={text} label="JSON" />
  </details>
);
