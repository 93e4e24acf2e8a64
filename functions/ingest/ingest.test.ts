import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { World } from "../../lib/app/world.ts";
import { type CaptureMessage, MESSAGE_FORMAT } from "../../lib/event/message.ts";
import { puttingToken } from "../../lib/keys/project-tokens.ts";
import { readCommits } from "../../lib/lake/catalogue/commits.ts";
import { readGroupTypes } from "../../lib/lake/group-types.ts";
import { tombstone } from "../../lib/lake/head.ts";
import { readPropertyTypes } from "../../lib/lake/learn-types.ts";
import { TYPES_SK } from "../../lib/lake/paths.ts";
import { readDeltas } from "../../lib/lake/persons/stored-deltas.ts";
import type { Delivery } from "../../lib/ports/queues.ts";
import type { Table } from "../../lib/ports/table.ts";
import { keyIn } from "../../lib/table/partitions.ts";
import { deliveryOf, ORGANIZATION } from "../../test/support/samples/capture-messages.ts";
import { ingestWorld as aWorld, NOW } from "../../test/support/worlds/ingest-world.ts";
import { ingest } from "./ingest.ts";

const ENOUGH = { remainingMs: () => 60_000 };

const aDelivery = (events: readonly object[], changes: Partial<CaptureMessage> = {}): Delivery =>
  deliveryOf(events, { request: "ab".repeat(16), received: `${NOW}000`, ...changes });

/** Times left, one for each question, the last one for ever. */
const timesOf = (...times: readonly number[]): (() => number) => {
  let at = 0;
  return () => times[Math.min(at++, times.length - 1)] ?? 0;
};

const anEvent = (changes: object = {}) => ({ event: "clicked", distinct_id: "ann", timestamp: "2026-01-12T11:00:00Z", ...changes });

describe("ingest", () => {
  it("stores the events of a batch in one commit a project, one segment a month", async () => {
    const { world, table, rows } = await aWorld([1, 2]);
    const batch = [
      aDelivery([anEvent(), anEvent({ timestamp: "2025-12-31T23:59:59Z" })]),
      aDelivery([anEvent({ distinct_id: "bob" })], { request: "cd".repeat(16) }),
      aDelivery([anEvent()], { project: 2 }),
    ];
    expect(await ingest(batch, world, ENOUGH, "live")).toEqual({ failed: [] });
    const [commit, ...others] = await readCommits(table, 1);
    expect(others).toEqual([]);
    expect(commit?.segments.map(({ partition, rows: count }) => [partition, count])).toEqual([
      ["2025-12", 1],
      ["2026-01", 2],
    ]);
    expect((await rows(1)).map(({ distinct_id }) => distinct_id)).toEqual(["ann", "ann", "bob"]);
    expect(await rows(2)).toHaveLength(1);
  });

  it("stores one of the copies that come in one batch, the one that came first", async () => {
    const { world, rows } = await aWorld([1]);
    const uuid = "0190a1b2-c3d4-7e5f-8a9b-000000000001";
    const late = aDelivery([anEvent({ uuid, properties: { copy: "late" } })], { received: `${NOW + 1}000` });
    const early = aDelivery([anEvent({ uuid, properties: { copy: "early" } })]);
    await ingest([late, early, early], world, ENOUGH, "live");
    expect((await rows(1)).map(({ properties }) => properties)).toEqual(['{"copy":"early"}']);
  });

  it("says of each drain what came, what it stored of it and what it dropped", async () => {
    const { world, table, log } = await aWorld([1, 2]);
    const uuid = "0190a1b2-c3d4-7e5f-8a9b-000000000001";
    const mixed = [anEvent({ uuid }), anEvent({ uuid }), anEvent({ event: "$performance_event" }), anEvent({ timestamp: "2025-12-31" })];
    const foreign = aDelivery([anEvent()], { project: 0, organization: "", token: "phc_nobody" });
    await ingest([aDelivery(mixed), aDelivery([anEvent()], { project: 2 }), foreign], world, ENOUGH, "live");
    const stored = [...(await readCommits(table, 1)), ...(await readCommits(table, 2))].flatMap(({ segments }) => segments);
    const bytes = stored.reduce((sum, segment) => sum + segment.bytes, 0);
    const came = { lane: "live", messages: 3, failed: 0, projects: 2, unowned: 1, events: 5 };
    const fields = { ...came, dropped: 1, rows: 3, segments: 3, bytes, busiest: 1, busiest_events: 4 };
    expect(log.lines).toMatchObject([{ level: "info", event: "ingest", fields }]);
  });

  it("gives a message that comes again the same identities", async () => {
    const { world, rows } = await aWorld([1]);
    const delivery = aDelivery([anEvent(), anEvent()]);
    await ingest([delivery], world, ENOUGH, "live");
    await ingest([delivery], world, ENOUGH, "live");
    const stored = await rows(1);
    expect(stored).toHaveLength(4);
    expect(new Set(stored.map(({ uuid }) => uuid)).size).toBe(2);
  });

  it("fails only the messages of a project that cannot be committed", async () => {
    const failing = (table: Table): Table => ({
      ...table,
      put: async (item, when) => {
        if (item.pk === "lake#1" && item.sk.startsWith("commit#")) throw new Error("the table does not answer");
        return table.put(item, when);
      },
    });
    const { world, table, rows, log } = await aWorld([1, 2], failing);
    const [bad, good] = [aDelivery([anEvent()]), aDelivery([anEvent()], { project: 2 })];
    expect(await ingest([bad, good], world, ENOUGH, "live")).toEqual({ failed: [bad.id] });
    expect(await rows(2)).toHaveLength(1);
    const [line] = log.lines.filter(({ event }) => event === "ingest");
    expect(line).toMatchObject({ fields: { messages: 2, failed: 1, events: 2, dropped: 0, rows: 1, segments: 1 } });
    expect(Object(line?.fields).bytes).toBe((await readCommits(table, 2))[0]?.segments[0]?.bytes);
  });

  it("drops and counts the events of removed projects and unknown tokens", async () => {
    const { world, table, objects, log } = await aWorld([1]);
    await table.transact([tombstone(1, NOW, NOW)]);
    const batch = [aDelivery([anEvent(), anEvent()]), aDelivery([anEvent()], { project: 0, organization: "", token: "phc_nobody" })];
    expect(await ingest(batch, world, ENOUGH, "live")).toEqual({ failed: [] });
    expect(objects.contents.size).toBe(0);
    expect(log.lines).toMatchObject([{ event: "ingest", fields: { unowned: 3, rows: 0 } }]);
  });

  it("drops the events of a removed project however soon they follow each other", async () => {
    const { world, table, objects } = await aWorld([1]);
    await table.transact([tombstone(1, NOW, NOW)]);
    for (const name of ["first", "second"]) await ingest([aDelivery([anEvent({ distinct_id: name })])], world, ENOUGH, "live");
    expect(objects.contents.size).toBe(0);
  });

  it("returns every message of a project that the table does not tell of, and says so of each", async () => {
    const { world, log } = await aWorld([1], (table) => ({ ...table, get: () => Promise.reject(new Error("throttled")) }));
    const batch = [aDelivery([anEvent()]), aDelivery([anEvent()], { request: "cd".repeat(16) })];
    expect(await ingest(batch, world, ENOUGH, "live")).toEqual({ failed: batch.map(({ id }) => id) });
    expect(log.lines.filter(({ event }) => event === "ingest.unread").map(({ fields }) => Object(fields).message)).toEqual(
      batch.map(({ id }) => id),
    );
  });

  it("takes a project that it has just seen to be there for half a minute, and no longer", async () => {
    const { world, table, rows, pass } = await aWorld([1]);
    await ingest([aDelivery([anEvent()])], world, ENOUGH, "live");
    await table.transact([tombstone(1, NOW, NOW)]);
    pass(31_000);
    await ingest([aDelivery([anEvent({ distinct_id: "late" })])], world, ENOUGH, "live");
    expect(await rows(1)).toHaveLength(1);
  });

  it("has stored the types of properties when the commit is seen, and asks the table for nothing more once it knows them", async () => {
    const calls: string[] = [];
    const noted = (table: Table): Table => ({
      ...table,
      get: (key, options) => {
        calls.push(`get ${key.sk}`);
        return table.get(key, options);
      },
      put: (item, when) => {
        calls.push(`put ${item.sk.replace(/#.*/, "")}`);
        return table.put(item, when);
      },
    });
    const { world, table } = await aWorld([1], noted);
    const event = anEvent({ properties: { price: 5, when: "2026-01-31", $set: { age: 41 } } });
    await ingest([aDelivery([event])], world, ENOUGH, "live");
    expect(calls).toEqual(["get head", "get types", "put types", "put commit"]);
    calls.length = 0;
    await ingest([aDelivery([event])], world, ENOUGH, "live");
    expect(calls).toEqual(["put commit"]);
    await ingest([aDelivery([anEvent({ properties: { price: "free" } })])], world, ENOUGH, "live");
    const { of } = await readPropertyTypes(table, 1);
    expect([of.event.get("price"), of.event.get("when"), of.person.get("age")]).toEqual(["String", "DateTime", "Numeric"]);
  });

  it("goes on learning types after a request with ten thousand names, and says what it refused", async () => {
    const { world, table, log, rows } = await aWorld([1]);
    const names = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`junk-${at}`, at]));
    await ingest([aDelivery([anEvent({ properties: names })])], world, ENOUGH, "live");
    await ingest([aDelivery([anEvent({ properties: { price: 5 } })], { request: "cd".repeat(16) })], world, ENOUGH, "live");
    const { of } = await readPropertyTypes(table, 1);
    expect([of.event.get("price"), of.event.size < 3_000]).toEqual(["Numeric", true]);
    expect(log.lines).toContainEqual({
      level: "warn",
      event: "ingest.names",
      fields: { project: 1, refused: 2_800, unnoted: 2_300, forgotten: 0, closed: false },
    });
    expect(await rows(1)).toHaveLength(2);
  });

  it("asks the table for no more names once a day has taken all it may, and for the next day's again", async () => {
    let reads = 0;
    const counting = (table: Table): Table => ({
      ...table,
      get: (key, options) => {
        if (key.sk === "types") reads += 1;
        return table.get(key, options);
      },
    });
    const { world, table } = await aWorld([1], counting);
    let now = NOW;
    const dated = { ...world, clock: { now: () => now } };
    const send = async (prefix: string, count: number): Promise<void> => {
      const properties = Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, at]));
      await ingest([aDelivery([anEvent({ properties })], { request: prefix.padEnd(32, "0") })], dated, ENOUGH, "live");
    };
    await send("a", 3_000);
    for (const prefix of ["b", "c", "d", "e"]) await send(prefix, 200);
    reads = 0;
    await send("f", 1);
    expect(reads).toBe(0);
    now += 86_400_000;
    await send("f", 1);
    expect((await readPropertyTypes(table, 1)).of.event.get("f0")).toBe("Numeric");
  });

  it("finds the project of a batch that capture let in by its token", async () => {
    const { world, table, rows } = await aWorld([1]);
    await table.transact([puttingToken("phc_known", { project_id: 1, organization_id: ORGANIZATION, state: "active" })]);
    const byToken = aDelivery([anEvent()], { project: 0, organization: "", token: "phc_known" });
    await ingest([byToken, aDelivery([anEvent()], { request: "cd".repeat(16) })], world, ENOUGH, "live");
    expect(await rows(1)).toHaveLength(2);
  });

  it("returns what it cannot read, and says so once each", async () => {
    const { world, rows, log } = await aWorld([1]);
    const broken = [
      { id: "x", body: "{", attempts: 9 },
      aDelivery([anEvent()], { body: { encoding: "gzip", inline: "AAAA" } }),
      aDelivery([anEvent()], { body: { encoding: "gzip", key: "messages/missing" } }),
      aDelivery([anEvent()], { v: MESSAGE_FORMAT + 2 }),
    ];
    const { failed } = await ingest([...broken, aDelivery([anEvent()])], world, ENOUGH, "live");
    expect(failed.toSorted()).toEqual(broken.map(({ id }) => id).toSorted());
    expect(await rows(1)).toHaveLength(1);
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(broken.length);
  });

  it("reads events that lie in an object", async () => {
    const { world, objects, rows } = await aWorld([1]);
    await objects.put("messages/1", gzipSync(JSON.stringify({ api_key: "phc", batch: [anEvent()] })));
    await ingest([aDelivery([], { events: 1, body: { encoding: "gzip", key: "messages/1" } })], world, ENOUGH, "live");
    expect(await rows(1)).toHaveLength(1);
  });

  it.each([
    ["64 MB of decoded events", { decodedBytes: 33 * 1024 * 1024 }],
    ["32,768 events, however few bytes they take", { events: 17_000 }],
  ])("begins no drain in the last third of its time, and fills a drain to %s", async (_, half) => {
    const { world, table, sent } = await aWorld([1]);
    let left = 90_000;
    const budget = { remainingMs: () => left };
    const batch = [1, 2, 3].map((each) => aDelivery([anEvent()], { ...half, request: String(each).repeat(32) }));
    const slow: World = {
      ...world,
      log: {
        line() {
          left -= 61_000;
        },
      },
    };
    expect(await ingest(batch, slow, budget, "live")).toEqual({ failed: [] });
    expect(await readCommits(table, 1)).toHaveLength(1);
    // Sent anew, because coming again would count as one of the deliveries after which a message is given up on.
    expect(sent("live").map(({ body }) => body)).toEqual(batch.slice(1).map(({ body }) => body));
    expect(sent("historical")).toEqual([]);
  });

  it("takes in who came meanwhile, and names what of that has to come again", async () => {
    const { world, rows } = await aWorld([1, 2, 3]);
    const write: World["segments"]["write"] = (some) =>
      some.some(({ event }) => event === "poison") ? Promise.reject(new RangeError("cannot be written")) : world.segments.write(some);
    const large = { decodedBytes: 6 * 1024 * 1024 };
    const batch = [1, 2, 3].map((each) => aDelivery([anEvent()], { ...large, request: String(each).repeat(32) }));
    const [own, other, failing, unreadable] = [
      aDelivery([anEvent()], { request: "4".repeat(32) }),
      aDelivery([anEvent()], { project: 2 }),
      aDelivery([anEvent({ event: "poison" })], { project: 3 }),
      { id: "x", body: "{", attempts: 1 },
    ];
    let came = [own, other, failing, unreadable];
    const take = (isWanted: (delivery: Delivery) => boolean) => {
      const taken = came.filter(isWanted);
      came = came.filter((each) => !taken.includes(each));
      return taken;
    };
    const { failed } = await ingest(batch, { ...world, segments: { write } }, ENOUGH, "live", { newcomers: { take } });
    expect(failed).toEqual([failing.id]);
    expect([await rows(1), await rows(2), await rows(3)].map(({ length }) => length)).toEqual([3, 1, 0]);
    expect(came).toEqual([own, unreadable]);
  });

  it("returns what it has no time for where the queue does not take it anew", async () => {
    const { world } = await aWorld([1]);
    const late = { remainingMs: timesOf(90_000, 0) };
    const batch = [aDelivery([anEvent()]), aDelivery([anEvent()])];
    const [, second] = batch;
    const refusing = { ...world, queues: { send: async () => [second?.id ?? ""] } };
    expect(await ingest(batch, refusing, late, "live")).toEqual({ failed: [second?.id] });
    const silent = { ...world, queues: { send: () => Promise.reject(new Error("the queue does not answer")) } };
    const again = { remainingMs: timesOf(90_000, 0) };
    expect(await ingest(batch, silent, again, "live")).toEqual({ failed: batch.map(({ id }) => id) });
  });

  it("stores all but the event that cannot be, from a message's third delivery on", async () => {
    const { world, rows, log } = await aWorld([1]);
    const write: World["segments"]["write"] = (some) =>
      some.some(({ event }) => event === "poison") ? Promise.reject(new RangeError("cannot be written")) : world.segments.write(some);
    const fragile = { ...world, segments: { write } };
    const poisoned = aDelivery([anEvent({ distinct_id: "a" }), anEvent({ event: "poison" }), anEvent({ distinct_id: "b" })]);
    const beside = aDelivery([anEvent({ distinct_id: "c" })], { request: "cd".repeat(16) });
    const both = [poisoned.id, beside.id];
    expect((await ingest([poisoned, beside], fragile, ENOUGH, "live")).failed.toSorted()).toEqual(both.toSorted());
    expect(await rows(1)).toEqual([]);
    const third = [poisoned, beside].map((each) => ({ ...each, attempts: 3 }));
    expect(await ingest(third, fragile, ENOUGH, "live")).toEqual({ failed: [poisoned.id] });
    expect((await rows(1)).map(({ distinct_id }) => distinct_id)).toEqual(["a", "b", "c"]);
    expect(log.lines.filter(({ event }) => event === "ingest.culprits")).toHaveLength(1);
    expect(log.lines).toContainEqual(
      expect.objectContaining({
        event: "ingest.culprits",
        fields: expect.objectContaining({ positions: "1", reason: "RangeError: cannot be written" }),
      }),
    );
  });

  it("leaves a message whole that has nothing but culprits", async () => {
    const { world, rows } = await aWorld([1]);
    const fragile = { ...world, segments: { write: () => Promise.reject(new RangeError("cannot be written")) } };
    const delivery = { ...aDelivery(Array.from({ length: 300 }, () => anEvent())), attempts: 3 };
    expect(await ingest([delivery], fragile, ENOUGH, "live")).toEqual({ failed: [delivery.id] });
    expect(await rows(1)).toEqual([]);
  });

  it("drains the events of many projects side by side, and fails only the one that cannot be committed", async () => {
    let [under, most] = [0, 0];
    const slow = (table: Table): Table => ({
      ...table,
      put: async (item, when) => {
        if (item.pk === "lake#7" && item.sk.startsWith("commit#")) throw new Error("the table does not answer");
        under += 1;
        most = Math.max(most, under);
        await new Promise((done) => setTimeout(done, 1));
        under -= 1;
        return table.put(item, when);
      },
    });
    const projects = Array.from({ length: 100 }, (_, at) => at + 1);
    const { world, rows } = await aWorld(projects, slow);
    const batch = projects.flatMap((project) => [1, 2].map((each) => aDelivery([anEvent({ distinct_id: `${each}` })], { project })));
    const { failed } = await ingest(batch, world, ENOUGH, "live");
    expect(failed).toEqual([12, 13].map((at) => batch[at]?.id));
    for (const project of [1, 6, 8, 100]) expect(await rows(project)).toHaveLength(2);
    expect(most).toBe(64);
  });

  it("gives five group types slots, and no more", async () => {
    const { world, table, rows } = await aWorld([1]);
    const types = ["a", "b", "c", "d", "e", "f"];
    await ingest(
      types.map((type) => aDelivery([anEvent({ properties: { $groups: { [type]: "k" } } })], { request: type.repeat(32) })),
      world,
      ENOUGH,
      "live",
    );
    expect(await readGroupTypes(table, 1)).toEqual(types.slice(0, 5));
    expect((await rows(1)).map(({ group_0, group_4 }) => [group_0, group_4])).toEqual(
      expect.arrayContaining([
        ["k", null],
        [null, "k"],
        [null, null],
      ]),
    );
  });

  it("asks the table for no group types that it has just given slots, however many an event names", async () => {
    const calls: string[] = [];
    const noting = (table: Table): Table => ({
      ...table,
      get: (key, options) => {
        calls.push(key.sk);
        return table.get(key, options);
      },
      update: (key, changes, when) => {
        calls.push(key.sk);
        return table.update(key, changes, when);
      },
    });
    const { world } = await aWorld([1], noting);
    const send = (request: string): Promise<unknown> =>
      ingest(
        [aDelivery([anEvent({ properties: { $groups: { a: "k", b: "k" } } })], { request: request.repeat(32) })],
        world,
        ENOUGH,
        "live",
      );
    await send("1");
    calls.length = 0;
    await send("2");
    expect(calls.filter((sk) => sk !== TYPES_SK)).toEqual([]);
  });

  it("gives an account the name of its group's newest event, whatever the process remembers of it", async () => {
    const { world, table } = await aWorld([1]);
    await table.put({ ...keyIn("project", "project", { project: 1 }), entity: "project", v: 1, account_group_type: "company" });
    const names: unknown[] = [];
    for (const [request, day, name] of [
      ["1", "02", "New"],
      ["2", "01", "Old"],
      ["3", "03", "Newest"],
      ["4", "04", "Newest"],
    ] as const) {
      const identify = { event: "$group_identify", timestamp: `2026-01-${day}T00:00:00Z` };
      const properties = { $group_type: "company", $group_key: "acme", $group_set: { name } };
      await ingest([aDelivery([anEvent({ ...identify, properties })], { request: request.repeat(32) })], world, ENOUGH, "live");
      const { items } = await table.query({ pk: "project#1#accounts" });
      names.push(items.map((account) => account.name));
    }
    expect(names).toEqual([["New"], ["New"], ["Newest"], ["Newest"]]);
  });

  it("keeps long deltas in an object of their own", async () => {
    const { world, table, objects } = await aWorld([1]);
    await ingest([aDelivery(Array.from({ length: 300 }, (_, each) => anEvent({ distinct_id: `user-${each}` })))], world, ENOUGH, "live");
    const [commit] = await readCommits(table, 1);
    expect(commit?.deltas).toHaveProperty("key");
    expect((await readDeltas(objects, commit?.deltas ?? null)).seen).toHaveLength(300);
  });

  it("has stored long deltas when the commit names them", async () => {
    const { world, objects } = await aWorld([1]);
    const named: boolean[] = [];
    const put: typeof world.table.put = async (item, ...rest) => {
      if (item.sk.startsWith("commit#")) named.push((await objects.list("state/1/deltas/", null)).objects.length > 0);
      return world.table.put(item, ...rest);
    };
    const delivery = aDelivery(Array.from({ length: 300 }, (_, each) => anEvent({ distinct_id: `user-${each}` })));
    await ingest([delivery], { ...world, table: { ...world.table, put } }, ENOUGH, "live");
    expect(named).toEqual([true]);
  });

  it("takes what a copy says of its person only from the copy that it keeps", async () => {
    const { world, table, objects } = await aWorld([1]);
    const copy = (plan: string) => anEvent({ uuid: "0190a1b2-c3d4-7e5f-8a9b-000000000001", properties: { $set: { plan } } });
    await ingest([aDelivery([copy("pro"), copy("free")])], world, ENOUGH, "live");
    const [commit] = await readCommits(table, 1);
    expect((await readDeltas(objects, commit?.deltas ?? null)).persons).toMatchObject([{ set: { plan: "pro" } }]);
  });

  it("fits a commit into an item, however many and long its names are", async () => {
    const { world, table } = await aWorld([1]);
    const word = (seed: number): string =>
      Array.from({ length: 200 }, (_, at) => String.fromCharCode(0x4e00 + ((seed * 7919 + at * 104_729 + seed * at * 31) % 20_000))).join(
        "",
      );
    const events = Array.from({ length: 130 * 12 }, (_, each) => {
      const month = new Date(Date.UTC(2015, each % 130)).toISOString();
      return anEvent({ event: word(each), distinct_id: word(each + 5000), timestamp: month });
    });
    await ingest([aDelivery(events, { historical: true })], world, ENOUGH, "historical");
    const commits = await readCommits(table, 1);
    const segments = commits.flatMap((commit) => commit.segments);
    expect(segments.reduce((sum, { rows: count }) => sum + count, 0)).toBe(events.length);
    expect(segments.some(({ events: names }) => names === null)).toBe(true);
    expect(commits.filter(({ deltas }) => deltas !== null)).toHaveLength(1);
  });
});
