import type { Ast } from "../../lib/hogql/ast.ts";
import { AUTHOR_CODES, COST_CODES, QueryError } from "../../lib/hogql/errors.ts";
import { type Tenants, TIME_MS } from "./tenants.ts";

/** What became of one text. */
export type Outcome =
  | { readonly kind: "rows" }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "fault"; readonly why: string };

const CODES: ReadonlySet<string> = new Set([...AUTHOR_CODES, ...COST_CODES]);

/** Words that only the engine, its adapters and the machine use. */
const INTERNAL =
  /Binder|Catalog Error|Parser Error|INTERNAL|[Dd]uck|scan_\d|read_parquet|node_modules|\.parquet|LINE 1|\/tmp\/|ECONN|undefined|\[object/;

/** Processor time for parsing, checking and lowering: the parser takes a second for a hundred calls in a row. */
const OWN_MS = 8_000;
/** A query that is not ended at all; what is slow only because the machine is busy ends sooner. */
const ENDLESS_MS = 60_000;

/** Asks a query: it ends in rows or in an error of the closed list, in time, and shows nothing that is not the project's. */
export const outcomeOf = async (tenants: Tenants, query: string | Ast): Promise<Outcome> => {
  const started = performance.now();
  const before = process.cpuUsage();
  const text = typeof query === "string" ? query : JSON.stringify(query);
  const outcome = await tenants.ask(query).then(
    (rows): Outcome => (tenants.leaks(rows) ? fault(`shows ${rows.slice(0, 300)}`) : { kind: "rows" }),
    (error: unknown) => refusal(tenants, text, error),
  );
  const took = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const own = (user + system) / 1_000;
  if (own > OWN_MS) return fault(`took ${Math.round(own)} ms of its own`);
  return took > TIME_MS + ENDLESS_MS ? fault(`took ${Math.round(took)} ms`) : outcome;
};

const refusal = (tenants: Tenants, text: string, error: unknown): Outcome => {
  if (!(error instanceof QueryError)) return fault(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  if (!CODES.has(error.code)) return fault(`the code ${error.code} is not in the list`);
  // What is quoted of the author's own text is no word of ours, nor a secret.
  const own = INTERNAL.test(text) || tenants.leaks(text);
  if (!own && (INTERNAL.test(error.message) || tenants.leaks(error.message))) return fault(`says ${error.message}`);
  return { kind: "refused", code: error.code };
};

const fault = (why: string): Outcome => ({ kind: "fault", why });
