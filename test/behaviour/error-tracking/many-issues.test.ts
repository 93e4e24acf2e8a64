import { describe, expect, it } from "vitest";
import { errorTracking } from "../../../functions/error-tracking/routes.ts";
import { isoMicros } from "../../../lib/core/time.ts";
import { Fingerprints } from "../../../lib/error-tracking/fingerprints.ts";
import { Issues } from "../../../lib/error-tracking/issues.ts";
import { SpikeEvents } from "../../../lib/error-tracking/spike-events.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { list, put, update } from "../../../lib/table/store.ts";
import { sideBySide } from "../../support/side-by-side.ts";
import { alertWorld, anException } from "../../support/worlds/alert-world.ts";
import { ask } from "../../support/worlds/api-world.ts";

const MANY = 40;
const MINUTE = 60_000;
const names = Array.from({ length: MANY }, (_, at) => `Failure${at}`);

/** The transactions of a drain: how many there were, and how many of them went side by side. */
const drained = async (given: Awaited<ReturnType<typeof alertWorld>>, events: readonly object[]) => {
  const counted = sideBySide(given.world.table, (call) => call === "transact");
  await given.drain([given.message(events)], { ...given.world, table: counted.table });
  return { most: counted.most(), calls: counted.calls() };
};

/** An exception that is grouped by its message, of which the second version leaves the number out. */
const numbered = (name: string) => ({
  event: "$exception",
  distinct_id: "ann",
  properties: { $exception_list: [{ type: name, value: "order 1234567 is unknown" }] },
});

/** An issue into which so many others were merged, by its id, and theirs. */
const aMergedIssue = async (given: Awaited<ReturnType<typeof alertWorld>>, types: readonly string[]) => {
  await given.ingest(...types.map((type) => anException(type)));
  const [first, ...others] = await given.issues();
  const ids = others.map(({ id }) => id);
  const target = `/api/projects/1/error_tracking/issues/${first?.id}`;
  const call = async (action: string, body: object) => {
    const { status, json } = await ask(errorTracking, given.world, "POST", `${target}/${action}/`, { key: given.key, body });
    expect(status).toBe(200);
    return Object(json);
  };
  await call("merge", { ids });
  return { ids, call, target };
};

describe("a merged issue of many", () => {
  it("is split with so many more reads as more fingerprints are named, and no more than that", async () => {
    const readsOf = async (count: number): Promise<number> => {
      const given = await alertWorld();
      const types = Array.from({ length: count }, (_, at) => `Failure${at}`);
      const { call } = await aMergedIssue(given, types);
      given.calls.length = 0;
      const { new_issue_ids } = await call("split", { fingerprints: types.map((fingerprint) => ({ fingerprint })) });
      expect(new_issue_ids).toHaveLength(count);
      return given.calls.filter(({ name }) => name === "getMany").reduce((sum, { pk }) => sum + JSON.parse(pk).length, 0);
    };
    expect((await readsOf(400)) / (await readsOf(100))).toBeLessThan(6);
  });

  it("is explained by its first hundred fingerprints, and no more of them are read", async () => {
    const given = await alertWorld();
    const { target } = await aMergedIssue(
      given,
      Array.from({ length: 250 }, (_, at) => `Failure${at}`),
    );
    given.calls.length = 0;
    const { json } = await ask(errorTracking, given.world, "GET", `${target}/grouping/`, { key: given.key });
    expect(Object(json).fingerprints).toHaveLength(100);
    const read = given.calls.filter(({ name }) => name === "getMany").flatMap(({ pk }) => JSON.parse(pk));
    expect(read.length).toBeLessThanOrEqual(200);
  });

  it("loses them again with two calls for each and a few for all", async () => {
    const given = await alertWorld();
    const { ids, call } = await aMergedIssue(given, names);
    given.calls.length = 0;
    expect(await call("unmerge", { ids })).toEqual({ success: true });
    expect(await given.issues()).toHaveLength(MANY);
    const settled = given.calls.findLastIndex(({ name, pk }) => name === "transact" && pk.includes("unmerged"));
    expect(settled).toBeLessThan(2 * MANY + 20);
  });

  it("loses none of those that are not there, which are looked for in a few reads", async () => {
    const given = await alertWorld();
    const { ids, call } = await aMergedIssue(given, names.slice(0, 2));
    given.calls.length = 0;
    expect(await call("unmerge", { ids: Array.from({ length: 500 }, () => given.world.ids.uuid()) })).toMatchObject({ success: false });
    expect(given.calls.length).toBeLessThan(50);
    expect(await call("unmerge", { ids })).toEqual({ success: true });
  });
});

describe("many issues that are changed together", () => {
  it("are looked for in a few reads, also those that are not there", async () => {
    const given = await alertWorld();
    await given.ingest(anException("Known"));
    const [known] = await given.issues();
    const ids = [known?.id, ...Array.from({ length: 500 }, () => given.world.ids.uuid())];
    given.calls.length = 0;
    const body = { action: "set_status", ids, status: "resolved" };
    const target = "/api/projects/1/error_tracking/issues/bulk/";
    expect(await ask(errorTracking, given.world, "POST", target, { key: given.key, body })).toMatchObject({ status: 200 });
    expect(given.calls.length).toBeLessThan(50);
    expect(await given.issues()).toMatchObject([{ status: "resolved" }]);
  });
});

describe("the list of spikes", () => {
  it("reads the spikes and issues of its page, however many there are", async () => {
    const given = await alertWorld();
    const events = Array.from({ length: 300 }, (_, at) => ({
      project: 1,
      id: given.world.ids.uuid(),
      issue_id: given.world.ids.uuid(),
      detected_at: isoMicros(given.time.now + at * MINUTE),
      computed_baseline: at,
      current_bucket_value: at,
    }));
    for (const event of events) await put(given.world.table, SpikeEvents, event);
    const values = async (parameters: string): Promise<readonly number[]> => {
      const target = `/api/projects/1/error_tracking/spike_events/?${parameters}`;
      const { json } = await ask(errorTracking, given.world, "GET", target, { key: given.key });
      return [Object(json).count, ...Object(json).results.map((spike: { current_bucket_value: number }) => spike.current_bucket_value)];
    };
    const [from, to] = [events[100], events[199]].map((event) => encodeURIComponent(event?.detected_at ?? ""));
    const last = encodeURIComponent("9999-12-31T23:59:59-12:00");
    given.calls.length = 0;
    expect(await values("limit=2&offset=1")).toEqual([300, 298, 297]);
    expect(await values(`limit=2&order_by=detected_at&date_from=${from}&date_to=${to}`)).toEqual([100, 100, 101]);
    expect(await values(`limit=2&offset=98&date_from=${from}&date_to=${to}`)).toEqual([100, 101, 100]);
    expect(await values(`limit=1&date_to=${last}`)).toEqual([300, 299]);
    const read = given.calls.filter(({ name }) => name === "getMany").map(({ pk }) => JSON.parse(pk).length);
    expect(Math.max(...read)).toBeLessThan(10);
    const queries = given.calls.filter(({ name, pk }) => name === "query" && pk.includes("spikes")).map(({ pk }) => JSON.parse(pk));
    expect(queries.every(({ countOnly = false, limit = 1_000 }) => countOnly || limit <= 2)).toBe(true);
  });
});

describe("a drain of many issues", () => {
  it("opens those that were resolved again side by side, because what is ingested waits for all of them", async () => {
    const given = await alertWorld();
    const events = names.map((name) => anException(name));
    await given.ingest(...events);
    for (const { id } of await given.issues()) await update(given.world.table, Issues, { project: 1, id }, { set: { status: "resolved" } });
    const { most } = await drained(given, events);
    expect(new Set((await given.issues()).map(({ status }) => status))).toEqual(new Set(["active"]));
    expect(most).toBeGreaterThan(8);
  });

  it("sets back when they were first seen side by side", async () => {
    const given = await alertWorld();
    await given.ingest(...names.map((name) => anException(name)));
    const before = new Date(given.time.now - MINUTE).toISOString();
    const { most } = await drained(
      given,
      names.map((name) => ({ ...anException(name), timestamp: before })),
    );
    expect(new Set((await given.issues()).map(({ first_seen }) => first_seen.slice(0, 19)))).toEqual(new Set([before.slice(0, 19)]));
    expect(most).toBeGreaterThan(8);
  });

  it("gives an issue the fingerprints of a newer way of grouping some dozen at a time, and other issues theirs meanwhile", async () => {
    for (const isMerged of [false, true]) {
      const given = await alertWorld();
      const { world } = given;
      await update(world.table, Projects, { id: 1 }, { set: { grouping_version: 1 } });
      await given.ingest(...names.map(numbered));
      const [first, ...others] = await given.issues();
      if (isMerged) {
        const target = `/api/projects/1/error_tracking/issues/${first?.id}/merge/`;
        await ask(errorTracking, world, "POST", target, { key: given.key, body: { ids: others.map(({ id }) => id) } });
      }
      await update(world.table, Projects, { id: 1 }, { set: { grouping_version: 2, grouping_version_before: 1 } });
      given.pass(MINUTE);
      const { calls, most } = await drained(given, names.map(numbered));
      expect(await given.issues()).toHaveLength(isMerged ? 1 : MANY);
      expect(await list(world.table, Fingerprints, "inOrder", { project: 1, visibility: "shown" })).toHaveLength(2 * MANY);
      if (isMerged) expect(calls).toBeLessThan(10);
      else expect(most).toBeGreaterThan(8);
    }
  });
});
