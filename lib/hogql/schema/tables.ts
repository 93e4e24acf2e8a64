import { didYouMean } from "../../core/suggest.ts";
import type { LoweringContext } from "../analysis/context.ts";
import type { Expression } from "../analysis/expression.ts";
import { type Position, QueryError } from "../errors.ts";
import { EMPTY_TABLES, emptyTable } from "./empty.ts";
import { eventsTable } from "./events.ts";
import { groupsTable } from "./groups.ts";
import { numbersTable } from "./numbers.ts";
import { distinctIdsTable, personsTable } from "./persons.ts";
import type { Relation } from "./relation.ts";
import { sessionsTable } from "./sessions.ts";
import { storedTable } from "./stored-table.ts";

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
  ...[...EMPTY_TABLES].map(
    ([name, columns]) => [name, (context: LoweringContext, alias: string | null) => emptyTable(context, alias ?? name, columns)] as const,
  ),
]);

/** The table of that name. `known` are further names that could have been meant. */
export const tableOf = (
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
