import * as z from "zod";
import { lower } from "../../../lib/hogql/lower.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import { planInsight } from "../../../lib/insight/kinds.ts";
import { planningContext } from "../../../lib/insight/plan.ts";
import { INSIGHTS } from "../../../lib/insight/query.ts";
import { median, type Part } from "../figures.ts";
import { asWritten } from "../year/as-written.ts";
import { rangeOf, yearQueries } from "../year/queries.ts";
import { YEAR_FROM } from "../year/year-set.ts";

const ROUNDS = 200;
const DAYS = 90;

const LOWERED = { project: DAYS, timezone: "America/New_York", now: YEAR_FROM, groupTypes: ["company"], page: null };

/** What has to be done with each stored query before the engine runs it. */
const preparations = async (): Promise<readonly { readonly name: string; readonly prepare: () => void }[]> => {
  const statements = yearQueries.map(async ({ name, text, variables }) => {
    const ast = await parse(text);
    const options = { ...LOWERED, variables: { ...rangeOf(DAYS), ...variables(0) } };
    return { name, prepare: () => void lower(ast, options) };
  });
  const insights = asWritten(DAYS).flatMap(({ name, query }) => {
    const found = InsightQuery.safeParse(query);
    if (!found.success) return [];
    const context = planningContext({ now: YEAR_FROM, timezone: LOWERED.timezone, expressions: {}, breakdownValues: {} });
    const prepare = (): void => {
      for (const ast of planInsight(found.data, context).queries) lower(ast, { ...LOWERED, variables: {} });
    };
    return [{ name, prepare }];
  });
  return [...(await Promise.all(statements)), ...insights];
};

const InsightQuery = z.discriminatedUnion("kind", INSIGHTS);

const durationOf = (work: () => void): number => {
  const started = performance.now();
  work();
  return performance.now() - started;
};

/** What resolving and lowering a stored query costs a run, planning included where it is an insight: all in turn, as a process does that serves many. */
export const lowering: Part = {
  name: "engine.lower_ms",
  seconds: 10,
  measures: ["lib/hogql", "lib/insight"],
  async run() {
    const asked = await preparations();
    const rounds = Array.from({ length: ROUNDS }, () => asked.map(({ prepare }) => durationOf(prepare)));
    const times = asked.map(({ name }, at) => ({ name, ms: median(rounds.map((round) => round[at] ?? Number.NaN)) }));
    const [worst, next] = times.toSorted((a, b) => b.ms - a.ms);
    const baseline = `plan, resolve and lower at run, medians of ${ROUNDS} rounds: worst of ${times.length} queries (${worst?.name}, then ${next?.name})`;
    return [
      { name: "engine.lower_ms", value: worst?.ms ?? Number.NaN, unit: "ms", baseline: `${baseline}; at most 0.7` },
      {
        name: "engine.lower_first_ms",
        value: Math.max(...(rounds[0] ?? [])),
        unit: "ms",
        baseline: "the worst of the first round, in a process that has lowered little before",
      },
    ];
  },
};
