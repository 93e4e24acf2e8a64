import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Engine } from "../../../lib/engine/engine.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const HOUR_MS = 3_600_000;
const FRESH_MS = 6 * HOUR_MS;
const objects = memoryObjects();
const engine = anEngine(objects);

/** The queries that the endpoint may have, and what each counts of the events that are there at a moment. */
const QUERIES = [
  {
    text: "SELECT toDate(timestamp) AS day, count() AS n FROM events WHERE event = {variables.e} GROUP BY day ORDER BY day",
    counts: ({ event }: Sent, wanted: string) => event === wanted,
    byDay: true,
  },
  {
    text: "SELECT count() AS n FROM events WHERE event = {variables.e} AND timestamp >= now() - INTERVAL 1 DAY",
    counts: ({ event, at }: Sent, wanted: string, moment: number) => event === wanted && at >= moment - 24 * HOUR_MS,
    byDay: false,
  },
  {
    text: "SELECT uniq(distinct_id) AS n FROM events WHERE event = {variables.e}",
    counts: ({ event }: Sent, wanted: string) => event === wanted,
    byDay: false,
  },
];

interface Sent {
  readonly event: string;
  readonly id: string;
  /** Both the event's time and the moment it came, milliseconds. */
  readonly at: number;
}

type Step =
  | { readonly kind: "send"; readonly event: string }
  | { readonly kind: "query"; readonly query: number }
  | { readonly kind: "enable" | "disable" | "sleep" | "wake" | "delete" | "work" | "fail" }
  | { readonly kind: "pass"; readonly hours: number }
  | { readonly kind: "run"; readonly event: string };

const event = fc.constantFrom("seen", "left");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("send" as const), event }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("query" as const), query: fc.nat(QUERIES.length - 1) }) },
  { weight: 3, arbitrary: fc.constant({ kind: "enable" } as const) },
  { weight: 4, arbitrary: fc.constant({ kind: "work" } as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ kind: "disable" }, { kind: "sleep" }, { kind: "wake" }, { kind: "delete" }, { kind: "fail" } as const),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("pass" as const), hours: fc.constantFrom(1, 6, 7, 25) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("run" as const), event }) },
) as fc.Arbitrary<Step>;

it("served rows are those that the query had at the age the reply tells, never older than the version asks for, and nothing is left behind", async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const one = await anEndpoint();
      for (const each of steps) {
        one.time.now += 1_000;
        const path = await one.take(each);
        if (path !== undefined) seen.set(path, (seen.get(path) ?? 0) + 1);
      }
      await one.take({ kind: "wake" });
      await one.take({ kind: "delete" });
      await one.work();
      expect((await objects.list("tables/1/", null)).objects).toEqual([]);
    }),
    { numRuns: 40 },
  );
  // The property is worth as much as the paths that it went.
  expect(seen.get("materialised")).toBeGreaterThan(5);
  expect(seen.get("live")).toBeGreaterThan(5);
});

const anEndpoint = async () => {
  for (const prefix of ["fresh/", "tables/", "results/", "state/"]) {
    const { objects: left } = await objects.list(prefix, null);
    await objects.remove(left.map(({ key }) => key));
  }
  const broken = { next: false };
  const failing: Engine = {
    ...engine(),
    async write(...given) {
      if (!broken.next) return engine().write(...given);
      broken.next = false;
      throw new Error("the disk is full");
    },
  };
  const one = await endpointWorld(objects, failing);
  const { time, call, work } = one;
  const events: Sent[] = [];
  let query = 0;
  let isActive = true;
  const saved = async () => {
    const body = { name: "one", query: sqlQuery(QUERIES[query]?.text ?? "", { e: "seen" }), data_freshness_seconds: FRESH_MS / 1000 };
    expect(await call("POST", "", body)).toMatchObject({ status: 201 });
  };
  const patched = async (body: object) => expect((await call("PATCH", "one/", body)).status).toBe(200);
  const take = async (given: Step): Promise<string | undefined> => {
    switch (given.kind) {
      case "send":
        events.push({ event: given.event, id: `p${events.length % 5}`, at: time.now });
        await one.send([{ event: given.event, distinct_id: `p${(events.length - 1) % 5}`, at: time.now }]);
        return undefined;
      case "query":
        query = given.query;
        await patched({ query: sqlQuery(QUERIES[query]?.text ?? "", { e: "seen" }) });
        return undefined;
      case "enable":
        if (isActive) await patched({ is_materialized: true });
        return undefined;
      case "disable":
        await patched({ is_materialized: false });
        return undefined;
      case "sleep":
      case "wake":
        isActive = given.kind === "wake";
        await patched({ is_active: isActive });
        return undefined;
      case "delete":
        expect((await call("DELETE", "one/")).status).toBe(204);
        isActive = true;
        await saved();
        return undefined;
      case "work":
        await work();
        return undefined;
      case "fail":
        broken.next = true;
        return undefined;
      case "pass":
        time.now += given.hours * HOUR_MS;
        return undefined;
      case "run":
        return ran(given.event);
    }
  };
  const ran = async (wanted: string): Promise<string | undefined> => {
    const reply = await one.run("one", { variables: { e: wanted } });
    if (!isActive) {
      expect(reply.status).toBe(404);
      return undefined;
    }
    expect(reply.status).toBe(200);
    const age = Number(reply.headers["x-run-age"]) * 1000;
    expect(age).toBeLessThanOrEqual(FRESH_MS);
    expect(Object(reply.json).results).toEqual(rowsAt(events, query, wanted, time.now - age));
    return reply.headers["x-run-path"];
  };
  await saved();
  return { time, take, work };
};

const rowsAt = (events: readonly Sent[], query: number, wanted: string, moment: number): unknown => {
  const { counts, byDay, text } = QUERIES[query] ?? { counts: () => false, byDay: false, text: "" };
  const found = events.filter((each) => each.at <= moment && counts(each, wanted, moment));
  if (!byDay) return [[text.includes("uniq") ? new Set(found.map(({ id }) => id)).size : found.length]];
  const days = new Map<string, number>();
  for (const { at } of found) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return [...days].sort();
};
