import { didYouMean } from "../../core/suggest.ts";
import type { LoweringContext } from "../analysis/context.ts";
import { physical } from "../analysis/duckdb-types.ts";
import type { Expression } from "../analysis/expression.ts";
import { type Position, QueryError } from "../errors.ts";
import type { StoredTable } from "../options.ts";
import { column, type Identifier, ident, parameter, type Sql, separated, sql } from "../sql/fragment.ts";
import { UINT64 } from "../types.ts";
import { EMPTY_TABLES, emptyTable } from "./empty.ts";
import { eventsTable } from "./events.ts";
import { groupsTable } from "./groups.ts";
import { ISSUES, issuesTable } from "./issues.ts";
import { distinctIdsTable, personsTable } from "./persons.ts";
import type { Relation } from "./relation.ts";
import { sessionsTable } from "./sessions.ts";

/** The only relations a query can name, besides its own subqueries. All of them are the project's, and nothing else. */
const TABLES: ReadonlyMap<string, (context: LoweringContext, name: string | null) => Relation> = new Map<
  string,
  (context: LoweringContext, name: string | null) => Relation
>([
  ["events", eventsTable],
  ["persons", personsTable],
  ["person_distinct_ids", distinctIdsTable],
  ["groups", groupsTable],
  ["sessions", sessionsTable],
  [ISSUES, issuesTable],
  ...[...EMPTY_TABLES].map(
    ([name, columns]) => [name, (context: LoweringContext, alias: string | null) => emptyTable(context, alias ?? name, columns)] as const,
  ),
]);

/** The table of that name. `known` are further names that could have been meant. */
export const findTable = (
  context: LoweringContext,
  chain: readonly string[],
  alias: string | null,
  args: readonly Expression[] | null,
  meant: { readonly known: Iterable<string>; readonly position: Position | undefined },
): Relation => {
  const name = chain.join(".");
  if (name === "numbers" && args !== null) return numbersTable(context, alias, args);
  const table = args === null ? TABLES.get(name) : undefined;
  if (table !== undefined) return table(context, alias);
  const stored = args === null ? context.options.tables?.get(name) : undefined;
  if (stored !== undefined) return storedTable(context, alias ?? name, stored);
  const what = args === null ? "table" : "table function";
  throw new QueryError(
    "unknown_table",
    `Unknown ${what} \`${name}\`.${didYouMean(name, [...TABLES.keys(), ...meant.known])}`,
    meant.position,
  );
};

/** Most rows of `numbers(n)`. */
const MAX_NUMBERS = 1_000_000n;

/** `numbers(n)`, `numbers(from, n)` and `numbers(from, n, step)`: those of the `n` integers from `from` (or 0) on that `step` meets. */
const numbersTable = (context: LoweringContext, name: string | null, args: readonly Expression[]): Relation => {
  const [first, second, step = 1n] = args.map(({ known }) => known);
  const count = second ?? first;
  const from = second === undefined ? 0n : first;
  if (
    typeof count !== "bigint" ||
    typeof from !== "bigint" ||
    typeof step !== "bigint" ||
    args.length > 3 ||
    count < 0n ||
    count > MAX_NUMBERS ||
    step < 1n
  ) {
    throw new QueryError(
      "invalid_input",
      `\`numbers\` takes a constant count between 0 and ${MAX_NUMBERS}, with a constant start before and a step after it if needed.`,
    );
  }
  const table = context.alias("n");
  const bounds = [from, from + count, step].map((number) => sql`${parameter(number)}::BIGINT`);
  return {
    name: name ?? "numbers",
    described: "numbers",
    star: ["number"],
    names: () => ["number"],
    member: (member) =>
      member === "number"
        ? { kind: "value", expression: { tree: column(table, "number"), type: UINT64, nullable: false, ungroupedColumn: member } }
        : undefined,
    joins: () => false,
    from: () => sql`(SELECT unnest(range(${separated(bounds)})) AS number) AS ${table}`,
  };
};

/** A table that was written from a query. Of two columns of one name the first is meant. */
export const storedTable = (context: LoweringContext, name: string, stored: StoredTable): Relation => {
  const draft = context.table(stored);
  const table = context.alias("t");
  const names = stored.columns.map((each) => each.name);
  return {
    name,
    described: name,
    star: names,
    names: () => names,
    member: (member) => {
      const at = names.indexOf(member);
      const found = stored.columns[at];
      if (found === undefined) return undefined;
      const tree = column(table, `c${at + 1}`, draft.name);
      return { kind: "value", expression: { tree, type: found.type, nullable: found.nullable, ungroupedColumn: member } };
    },
    joins: () => false,
    from: () => sql`${stored.isWhole ? wholes(draft.name, stored) : draft.name} AS ${table}`,
  };
};

/** The rows of a table of parts, put together. */
const wholes = (scan: Identifier, { columns }: StoredTable): Sql => {
  const at = (index: number): Sql => column(scan, `c${index + 1}`, scan);
  const shown = columns.map(({ parts, type }, index) => {
    const item = parts === undefined ? at(index) : sql`CAST(${TOGETHER[parts]}(${at(index)}) AS ${physical(type)})`;
    return sql`${item} AS ${ident(`c${index + 1}`)}`;
  });
  const keys = columns.flatMap(({ parts }, index) => (parts === undefined ? [at(index)] : []));
  return sql`(SELECT ${separated(shown)} FROM ${scan}${keys.length === 0 ? sql`` : sql` GROUP BY ${separated(keys)}`})`;
};

const TOGETHER = { sum: sql`sum`, min: sql`min`, max: sql`max` } as const;
