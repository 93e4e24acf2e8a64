import { gunzipSync } from "node:zlib";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { sweeping } from "../../../functions/sweep/schedule.ts";
import { beginErasure, finishErasure } from "../../../lib/erasure/erase.ts";
import { decodeMessage } from "../../../lib/event/message.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import type { Delivery } from "../../../lib/ports/queues.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { require, update } from "../../../lib/table/store.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { messageOf } from "../../support/samples/capture-messages.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

type DeadLetter = Delivery & { readonly receipt: string };

const objects = memoryObjects();
const engine = anEngine(objects);
const HOUR_MS = 3_600_000;

let one: Awaited<ReturnType<typeof endpointWorld>>;
let dead: DeadLetter[] = [];
let sentBack: string[] = [];

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
  const query = sqlQuery("SELECT event, distinct_id FROM events WHERE event != {variables.e} ORDER BY event, distinct_id", { e: "none" });
  expect((await one.call("POST", "", { name: "all", query })).status).toBe(201);
});
beforeEach(() => {
  dead = [];
  sentBack = [];
});

/** The world with messages that were given up on. A message that was handed out is hidden, as long as an erasure takes. */
const worldWithDead = (): typeof one.world => {
  const handedOut = new Set<string>();
  return {
    ...one.world,
    deadLetters: {
      async receive(queue, { max }) {
        const found = queue === "live" ? dead.filter(({ id }) => !handedOut.has(id)).slice(0, max) : [];
        for (const { id } of found) handedOut.add(id);
        return found;
      },
      async acknowledge(_, receipts) {
        dead = dead.filter(({ receipt }) => !receipts.includes(receipt));
      },
    },
    queues: {
      async send(_, messages) {
        sentBack.push(...messages.map(({ body }) => body));
        return [];
      },
    },
  };
};

const given = (id: string, body: string): DeadLetter => ({ id, body, receipt: `receipt of ${id}`, attempts: 4 });

const erase = async (distinctId: string, world = one.world) => {
  const project = await require(one.world.table, Projects, { id: 1 });
  const begun = await beginErasure(world, POLICIES.local, project, { distinctId });
  return begun && finishErasure(world, project, begun.erasure);
};

const all = async (): Promise<unknown> => {
  one.time.now += 1_000;
  return (await one.run("all", { variables: { e: "none" }, refresh: "force" })).json;
};

const seen = (event: string, distinct_id: string, at = one.time.now) => ({ event, distinct_id, at, properties: {} });

it("messages that were given up on lose the events of an erased person, and no others", async () => {
  const event = (distinct_id: string) => ({ event: "lost", distinct_id, properties: { big: 1 } });
  const others = messageOf([event("bob")]);
  const foreign = messageOf([event("ana")], { project: 2 });
  dead = [
    given("hers", messageOf([event("ana"), event("ana")])),
    given("mixed", messageOf([event("bob"), event("ana"), event("carl")])),
    given("others", others),
    given("foreign", foreign),
    given("unreadable", '{"of":"ana"}'),
    given("nobody's", "not a message"),
  ];
  const erasure = await erase("ana", worldWithDead());
  expect(erasure).toMatchObject({ state: "done", counts: { dead_letters: 3 } });
  expect(dead.map(({ id }) => id)).toEqual(["others", "foreign", "nobody's"]);
  // What is left of the mixed one comes again, each event at the place that says who it is.
  const [back = "", ...more] = sentBack;
  expect(more).toEqual([]);
  const { body, events } = decodeMessage(back);
  const text = "inline" in body ? gunzipSync(Buffer.from(body.inline, "base64")).toString() : "";
  expect(text).not.toContain("ana");
  expect([events, JSON.parse(text).batch.map(({ distinct_id }: { distinct_id?: string }) => distinct_id ?? null)]).toEqual([
    3,
    ["bob", null, "carl"],
  ]);
});

it("a project that keeps late events of an erased id shows those, and none from before", async () => {
  await update(one.world.table, Projects, { id: 1 }, { set: { erased_ids: "keep" } });
  await one.send([seen("before", "dora"), seen("before", "emil")]);
  expect(await erase("dora")).toMatchObject({ state: "done", counts: { rows: 1, days: 1, months: 1 } });
  expect(await all()).toMatchObject({ results: [["before", "emil"]] });
  one.time.now += HOUR_MS;
  await one.send([seen("late", "dora")]);
  expect(await all()).toMatchObject({
    results: [
      ["before", "emil"],
      ["late", "dora"],
    ],
  });
  // Whoever comes again can be erased again.
  expect(await erase("dora")).toMatchObject({ state: "done" });
  expect(await all()).toMatchObject({ results: [["before", "emil"]] });
});

it("a project keeps so many whole months of events, and persons stay", async () => {
  await update(one.world.table, Projects, { id: 1 }, { set: { erased_ids: "refuse", retention_months: 2 } });
  const month = (back: number): number => {
    const at = new Date(one.time.now);
    return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 15);
  };
  await one.send([seen("old", "fred", month(3)), seen("kept", "fred", month(2)), seen("kept", "gina", month(1))]);
  const day = async (): Promise<void> => {
    for (let hour = 0; hour < 26; hour += 1) {
      one.time.now += HOUR_MS;
      await sweeping.run(one.world, { remainingMs: () => 60_000 });
      await one.work();
    }
  };
  await day();
  const left = {
    results: [
      ["before", "emil"],
      ["kept", "fred"],
      ["kept", "gina"],
    ],
  };
  expect(await all()).toMatchObject(left);
  // Late events of a month that is gone are not stored.
  await one.send([seen("late", "hans", month(3))]);
  expect(await all()).toMatchObject(left);
  expect(one.log.lines.some(({ event }) => event === "months_removed")).toBe(true);
});
