import { useMemo } from "preact/hooks";
import { useSession } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { usdText } from "../../parts/number/money.ts";
import { numberText } from "../../parts/number/number.tsx";
import { Plot } from "../../parts/plot/plot.tsx";
import type { PlotData } from "../../parts/plot/plot-data.ts";
import { Range } from "../../parts/range/range.tsx";
import { Empty, Refused } from "../../parts/state/state.tsx";
import { type Column, Table } from "../../parts/table/table.tsx";
import { go, useAddress, withQuery } from "../address.ts";
import { Answer } from "./answer.tsx";
import { FRESH_MS, readLlmSpend, type SpendAnalysis } from "./calls.ts";
import { PAGES, type PageProps, UsageFrame } from "./page-frame.tsx";

const SCOPE = "user:read";

/** What the caller spent on LLMs. */
export const LlmSpend = ({ project }: PageProps) => {
  const { may, who } = useSession();
  const address = useAddress();
  const range = { date_from: address.query.get("date_from") ?? "-30d", date_to: address.query.get("date_to") ?? "" };
  const call = readLlmSpend(range);
  const spend = useCall(may(SCOPE) ? call : undefined, { freshMs: FRESH_MS });
  if (!may(SCOPE)) {
    return (
      <UsageFrame project={project} page={PAGES.llm}>
        <Refused scope={SCOPE} />
      </UsageFrame>
    );
  }
  return (
    <UsageFrame
      project={project}
      page={PAGES.llm}
      call={call}
      actions={<Range value={range} change={({ date_from, date_to }) => go(withQuery(address, { date_from, date_to }))} />}
    >
      <p class="note">
        Your own: the generations of the person {who?.user.email}, in all projects of the organization that your key speaks for first. The
        API answers for nobody else.
      </p>
      <Answer of={spend} lines={14}>
        {(answer) => {
          // A deployment answers one analysis, or a list of one.
          const [analysis] = Array.isArray(answer) ? answer : [answer];
          return analysis && analysis.summary.event_count > 0 ? <Analysis analysis={analysis} /> : <NoSpend />;
        }}
      </Answer>
    </UsageFrame>
  );
};

const NoSpend = () => (
  <Empty title="No generation of yours in these days.">
    <p>
      Generations are the events <code>$ai_generation</code> and <code>$ai_embedding</code> with <code>$ai_total_cost_usd</code>, of a
      person with your e-mail address.
    </p>
  </Empty>
);

const Analysis = ({ analysis }: { readonly analysis: SpendAnalysis }) => {
  const { summary, by_day, by_product, by_model, by_tool } = analysis;
  const days = useMemo((): PlotData => plotData(by_day.items), [by_day]);
  return (
    <>
      <p class="amount">
        <strong>{usdText(summary.total_cost_usd)}</strong> for {numberText(summary.event_count)} generations
        {summary.scoped_cost_usd !== summary.total_cost_usd && (
          <>
            , <strong>{usdText(summary.scoped_cost_usd)}</strong> of it by {summary.product}
          </>
        )}
        .
      </p>
      <Breakdown title="By product" columns={PRODUCTS} of={by_product} />
      {by_day.items.length > 0 && (
        <section class="plan-part">
          <h2>By day, of {summary.product}</h2>
          <Plot data={days} kind="bar" label={`US dollars by day, of ${summary.product}`} height={200} />
        </section>
      )}
      <Breakdown title={`By model, of ${summary.product}`} columns={MODELS} of={by_model} />
      <Breakdown title={`By tool, of ${summary.product}`} columns={TOOLS} of={by_tool} />
    </>
  );
};

const plotData = (days: SpendAnalysis["by_day"]["items"]): PlotData => ({
  x: { kind: "time", values: Float64Array.from(days, ({ day }) => Date.parse(day) / 1_000) },
  series: [{ title: "US dollars", values: Float64Array.from(days, ({ cost_usd }) => cost_usd) }],
});

interface BreakdownProps<T> {
  readonly title: string;
  readonly columns: readonly Column<T>[];
  readonly of: { readonly items: readonly T[]; readonly truncated: boolean };
}

function Breakdown<T>({ title, columns, of: { items, truncated } }: BreakdownProps<T>) {
  if (items.length === 0) return null;
  return (
    <section class="plan-part">
      <h2>{title}</h2>
      <Table label={title} columns={columns} rows={items} keyOf={(item) => items.indexOf(item)} />
      {truncated && <p class="note">Those that cost most; there are more.</p>}
    </section>
  );
}

type Item<K extends "by_product" | "by_model" | "by_tool"> = SpendAnalysis[K]["items"][number];

const cost = { title: "Cost", numeric: true, cell: ({ cost_usd }: { readonly cost_usd: number }) => usdText(cost_usd) };

const PRODUCTS: readonly Column<Item<"by_product">>[] = [
  { title: "Product", wide: true, cell: ({ product }) => product ?? "none" },
  { title: "Generations", numeric: true, cell: ({ event_count }) => numberText(event_count) },
  cost,
];

const MODELS: readonly Column<Item<"by_model">>[] = [
  { title: "Model", wide: true, cell: ({ model }) => model ?? "none" },
  { title: "Generations", numeric: true, cell: ({ generation_count }) => numberText(generation_count) },
  { title: "Tokens in", numeric: true, cell: ({ input_tokens }) => numberText(input_tokens) },
  { title: "Tokens out", numeric: true, cell: ({ output_tokens }) => numberText(output_tokens) },
  cost,
];

const TOOLS: readonly Column<Item<"by_tool">>[] = [
  { title: "Tool", wide: true, cell: ({ tool }) => tool ?? "none" },
  { title: "Generations", numeric: true, cell: ({ generation_count }) => numberText(generation_count) },
  { title: "Its share", numeric: true, cell: ({ cost_attributed_usd }) => usdText(cost_attributed_usd) },
];
