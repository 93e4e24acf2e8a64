import { expect, it } from "vitest";
import { Fingerprints } from "../../../lib/error-tracking/fingerprints.ts";
import { type Issue, Issues } from "../../../lib/error-tracking/issues.ts";
import { mergeIssues } from "../../../lib/error-tracking/merge-issues.ts";
import { splitIssue } from "../../../lib/error-tracking/split-issue.ts";
import { unmergeIssues } from "../../../lib/error-tracking/unmerge-issues.ts";
import { list } from "../../../lib/table/store.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const DAY_MS = 86_400_000;
const PROJECT = 1;
const objects = memoryObjects();
const engine = anEngine(objects);

const QUERIES = {
  by_day: sqlQuery("SELECT issue_id, toDate(timestamp) AS day, count() AS n FROM events WHERE event = '$exception' GROUP BY issue_id, day"),
  of_one: sqlQuery("SELECT count() AS n, min(timestamp) FROM events WHERE toString(issue_id) = {variables.issue}", { issue: "" }),
  joined: sqlQuery(
    "SELECT i.name, i.status, i.merged_into, count() AS n FROM events AS e JOIN error_tracking_issues AS i ON i.id = e.issue_id GROUP BY i.name, i.status, i.merged_into",
  ),
  listed: sqlQuery("SELECT name, last_seen, merged_into FROM error_tracking_issues"),
  trend: {
    kind: "TrendsQuery",
    series: [{ kind: "EventsNode", event: "$exception" }],
    dateRange: { date_from: "-7d" },
    breakdownFilter: { breakdown_type: "hogql", breakdown: "toString(issue_id)" },
  },
} as const;

it("tables are those of the issues as they are at their next refresh, whatever was merged, split and taken out again", async () => {
  const one = await endpointWorld(objects, engine());
  const { world, time } = one;
  const send = async (...fingerprints: readonly string[]): Promise<void> => {
    const exception = (fingerprint: string, place: number) => ({
      ...{ event: "$exception", distinct_id: `person-${place}`, at: time.now + place },
      properties: { $exception_list: [{ type: fingerprint }], $exception_fingerprint: fingerprint },
    });
    await one.send(fingerprints.map(exception));
  };
  const issues = async (): Promise<Readonly<Record<string, Issue>>> =>
    Object.fromEntries((await list(world.table, Issues, "key", { project: PROJECT })).map((issue) => [issue.name, issue]));
  const nextDay = async (): Promise<void> => {
    time.now += DAY_MS;
    await one.work();
  };
  const bothWays = async (name: string, variables: object, path = "materialised"): Promise<void> => {
    const rows = async (refresh: string) => {
      const reply = await one.run(name, { variables, refresh });
      expect([name, reply.status, reply.json]).toEqual([name, 200, expect.anything()]);
      return [reply.headers["x-run-path"], new Set(Object(reply.json).results.map((row: unknown) => JSON.stringify(row)))] as const;
    };
    const [[tablePath, table], [livePath, live]] = [await rows("cache"), await rows(path === "live" ? "force" : "direct")];
    expect([name, tablePath, livePath]).toEqual([name, path, "live"]);
    expect(table).toEqual(live);
    expect(live.size).toBeGreaterThan(0);
  };
  const allEqual = async (): Promise<void> => {
    await nextDay();
    const ids = Object.values(await issues()).map(({ id }) => id);
    for (const name of ["by-day", "joined", "listed"]) await bothWays(name, {});
    for (const id of ids) await bothWays("of-one", { issue: id });
    // A kept result that is too old is renewed where nothing changed that it is made of.
    await bothWays("kept", {}, "live");
    for (const id of ids) await bothWays("trend", { "toString(issue_id)": id });
  };

  await send("A", "A", "B", "C");
  await nextDay();
  await send("A", "B", "B");
  for (const [name, query] of Object.entries(QUERIES)) {
    const made = await one.call("POST", "", { name: name.replaceAll("_", "-"), query, is_materialized: true });
    expect([name, made.status, made.json]).toEqual([name, 201, expect.anything()]);
  }
  expect(await one.call("POST", "", { name: "kept", query: QUERIES.by_day })).toMatchObject({ status: 201 });
  await allEqual();
  const { A, B, C } = await issues();
  if (A === undefined || B === undefined || C === undefined) throw new Error("three kinds are three issues");

  expect(await mergeIssues(world, B, [C.id], null)).toMatchObject({ success: true });
  expect(await mergeIssues(world, A, [B.id], null)).toMatchObject({ success: true });
  await allEqual();
  await send("C", "A");
  await allEqual();
  const [known] = (await list(world.table, Fingerprints, "key", { project: PROJECT })).filter(({ fingerprint }) => fingerprint === "C");
  expect(known?.issue_id).toBe(A.id);
  expect(await splitIssue(world, A, [{ fingerprint: "C" }], null)).toHaveLength(1);
  await allEqual();
  expect(await unmergeIssues(world, A, [B.id], null)).toMatchObject({ success: true });
  await allEqual();
});
