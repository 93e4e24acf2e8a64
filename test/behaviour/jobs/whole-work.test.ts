import { expect, it } from "vitest";
import { commitDrain } from "../../../lib/lake/commit.ts";
import { tombstone } from "../../../lib/lake/head.ts";
import { segmentKey } from "../../../lib/lake/paths.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { ORGANIZATION } from "../../simulation/usage.ts";
import { DAY_MS, HOUR_MS, type LakeWorld, lakeWorld, MINUTE_MS, NOW, SEALED_DAY, someRows } from "../../support/worlds/lake-world.ts";

/** Turns of the queue of promises that a slow write takes: far more than what follows it in a function. */
const SLOW_TURNS = 2_000;

/** One of so many writes is slow; another one in each run. */
const SLOW_ONE_OF = 7;

const OF_THE_LAKE = /^(?:lake|usage|sweep)\b/;

/** What was still being written when a function ended, and reads of the lake's items that may see what is no longer so. */
const watch = (lake: LakeWorld, slow: number) => {
  const { table, objects, queues } = lake.world;
  const underWay = new Set<string>();
  const [unfinished, stale] = [new Set<string>(), new Set<string>()];
  let [writes, functions] = [0, 0];
  const writing =
    <A extends unknown[], R>(name: string, call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      writes += 1;
      const own = `${writes} ${name} ${JSON.stringify(given).slice(0, 100)}`;
      underWay.add(own);
      for (let turns = writes % SLOW_ONE_OF === slow ? SLOW_TURNS : 1; turns > 0; turns -= 1) await undefined;
      return call(...given).finally(() => underWay.delete(own));
    };
  const { get, query } = table;
  Object.assign(table, {
    put: writing("put", table.put),
    update: writing("update", table.update),
    remove: writing("remove", table.remove),
    transact: writing("transact", table.transact),
    get: (...given: Parameters<typeof get>) => {
      if (OF_THE_LAKE.test(given[0].pk) && given[1]?.consistent !== true) stale.add(`${given[0].pk} ${given[0].sk}`);
      return get(...given);
    },
    query: (...given: Parameters<typeof query>) => {
      const [asked] = given;
      if (OF_THE_LAKE.test(asked.pk) && !("index" in asked) && asked.consistent !== true) stale.add(JSON.stringify(asked));
      return query(...given);
    },
  });
  Object.assign(objects, { put: writing("put object", objects.put), remove: writing("remove objects", objects.remove) });
  Object.assign(queues, { send: writing("send", queues.send) });
  const { line } = lake.log;
  Object.assign(lake.log, {
    line: (...given: Parameters<typeof line>) => {
      line(...given);
      if (given[1] !== "batch" && given[1] !== "schedule") return;
      functions += 1;
      for (const each of underWay) unfinished.add(each);
    },
  });
  return { unfinished, stale, functions: () => functions };
};

it.each(Array.from({ length: SLOW_ONE_OF }, (_, slow) => slow))(
  "a sweep or a job of the lake ends only when all that it writes is written, and reads what is so now: %s",
  async (slow) => {
    const lake = await lakeWorld([1, 2]);
    const seen = watch(lake, slow);
    const persons = async (name: string): Promise<void> => {
      await commitDrain(lake.world, { project: 1, lane: "live", rows: someRows(2, name, NOW), changes: new Map() });
    };
    await lake.commit(someRows(1_500, "a"));
    await persons("p");
    await lake.pass(70 * MINUTE_MS);

    // A merge that fails, and then takes longer than its job may go on.
    lake.merging.days = () => "fails";
    await lake.commit(someRows(1_500, "b", SEALED_DAY + DAY_MS));
    await lake.pass(20 * MINUTE_MS);
    lake.merging.days = () => {
      lake.skip(2 * MINUTE_MS);
      return "works";
    };
    lake.merging.one = lake.merging.days;
    await lake.pass(2 * HOUR_MS);
    lake.refuse((body) => body.includes('"usage"'));
    await lake.commit(someRows(1_500, "c", NOW));
    await lake.pass(20 * MINUTE_MS);
    lake.refuse(() => false);
    await lake.pass(20 * MINUTE_MS);

    // What was replaced a day ago, and what nobody names.
    for (const ulid of ["one", "other"]) await lake.objects.put(segmentKey(1, "2026-10", ulid), new Uint8Array(1));
    lake.skip(26 * HOUR_MS);
    await lake.pass(15 * MINUTE_MS);
    lake.skip(7 * DAY_MS);
    await lake.pass(15 * MINUTE_MS);
    expect(lake.objects.everything().has(segmentKey(1, "2026-10", "one"))).toBe(false);

    const now = lake.world.clock.now();
    await lake.stored.transact([tombstone(1, now, now + POLICIES.deployed.removalDelayMs)]);
    await lake.pass(30 * MINUTE_MS);
    expect([...lake.objects.everything().keys()].filter((key) => key.includes("project=1/"))).toEqual([]);
    const job = { v: 1, kind: "remove-organization", organization: ORGANIZATION };
    await lake.world.queues.send("jobs", [{ id: "0", body: JSON.stringify(job) }]);
    await lake.work();

    expect(seen.functions()).toBeGreaterThan(300);
    expect([...seen.unfinished]).toEqual([]);
    expect([...seen.stale]).toEqual([]);
  },
);
