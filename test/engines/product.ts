import type { Lake } from "./lake.ts";
import type { Expected } from "./same.ts";

const SHOWN = ["uuid", "event", "distinct_id"] as const;
const MOST_ROWS = 50_000;

/** What differs between the rows and those that the product's own query of them answers over HTTP; undefined where nothing does. */
export const differsFromProduct = async (lake: Lake, { rows }: Expected): Promise<string | undefined> => {
  const query = { kind: "HogQLQuery", query: `SELECT ${SHOWN.join(", ")} FROM events LIMIT ${MOST_ROWS}` };
  const reply = await fetch(`${lake.origin}/api/projects/${lake.project}/query/`, {
    method: "POST",
    headers: { authorization: `Bearer ${lake.personalKey}`, "content-type": "application/json" },
    body: JSON.stringify({ query, refresh: "force_blocking" }),
  });
  if (!reply.ok) return `the product's query was answered with ${reply.status}: ${await reply.text()}`;
  const { results } = (await reply.json()) as { readonly results: readonly (readonly unknown[])[] };
  const own = results.map((row) => JSON.stringify(row)).sort();
  const expected = rows.map((row) => JSON.stringify(SHOWN.map((column) => row[column]))).sort();
  const at = expected.findIndex((row, place) => row !== own[place]);
  if (at < 0 && own.length === expected.length) return undefined;
  return `the product's own query has ${own.length} rows instead of ${expected.length}; the first that differs: ${own[at]} and ${expected[at]}`;
};
