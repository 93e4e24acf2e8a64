import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { addingMove } from "../../lib/error-tracking/merging/pending-moves.ts";
import { initialHead } from "../../lib/lake/head.ts";
import { dueRemovals } from "../../lib/organizations/removal.ts";
import { keyIn } from "../../lib/table/partitions.ts";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import { keptLog } from "../../test/support/kept-log.ts";
import { askRecounts, askRemovals, askSettling, recountMemory } from "./requests.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** A midnight. */
const NIGHT = 20_000 * DAY_MS;

/** A table, and a queue that refuses some messages. */
const aWorld = () => {
  let now = NIGHT;
  let [reads, refused] = [0, (_: string): boolean => false];
  const table = memoryTable();
  const sent: unknown[] = [];
  const world = {
    table: {
      ...table,
      get: (...given: Parameters<typeof table.get>) => {
        reads += 1;
        return table.get(...given);
      },
      // What a function still does when it has ended is lost, so a write takes a turn.
      update: async (...given: Parameters<typeof table.update>) => {
        await setImmediate();
        return table.update(...given);
      },
    },
    queues: {
      send: async (queue: string, messages: readonly { readonly id: string; readonly body: string }[]) => {
        expect(queue).toBe("jobs");
        for (const { body } of messages) if (!refused(body)) sent.push(JSON.parse(body));
        return messages.filter(({ body }) => refused(body)).map(({ id }) => id);
      },
    },
    clock: { now: () => now },
    log: keptLog(),
  };
  return {
    world,
    table,
    /** What is sent, and how often an item is read, while something is done. */
    async during(work: () => Promise<void>) {
      sent.length = 0;
      reads = 0;
      await work();
      return { sent: [...sent], reads };
    },
    pass: (ms: number): void => {
      now += ms;
    },
    refuse: (which: (body: string) => boolean): void => {
      refused = which;
    },
  };
};

describe("the nightly request to count again", () => {
  const recounts = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => ({ v: 2, kind: "recount", project: first + at }));

  it("is made once a night for a hundred projects, and goes on behind them the next night", async () => {
    const { world, table, during, pass } = aWorld();
    for (let project = 1; project <= 150; project += 1) await table.put(initialHead(project, NIGHT));
    const memory = recountMemory();
    const ask = (own = memory) => during(() => askRecounts(world, own));
    expect(await ask()).toEqual({ sent: recounts(1, 100), reads: 1 });
    pass(DAY_MS - 1);
    expect(await ask()).toEqual({ sent: [], reads: 0 });
    // Another process of the same day looks once whether it was made.
    const other = recountMemory();
    expect(await ask(other)).toEqual({ sent: [], reads: 1 });
    expect(await ask(other)).toEqual({ sent: [], reads: 0 });
    pass(1);
    expect((await ask()).sent).toEqual([...recounts(101, 150), ...recounts(1, 50)]);
    pass(DAY_MS);
    expect((await ask(recountMemory())).sent).toEqual([...recounts(51, 150)]);
    expect(await table.get(keyIn("sweep", "recounts", {}))).toMatchObject({ v: 1, day: 20_002, next: 1 });
  });

  it("begins anew where all projects had their turn, and says whom the queue refused", async () => {
    const { world, table, during, refuse } = aWorld();
    for (const project of [1, 2, 3]) await table.put(initialHead(project, NIGHT));
    refuse((body) => body.includes('"project":2'));
    expect((await during(() => askRecounts(world, recountMemory()))).sent).toEqual([...recounts(1, 1), ...recounts(3, 3)]);
    expect(world.log.lines).toEqual([{ level: "warn", event: "recount_not_asked", fields: { project: 2 } }]);
    expect(await table.get(keyIn("sweep", "recounts", {}))).toMatchObject({ day: 20_000, next: 0 });
  });
});

describe("the request to go on with the removal of an organization", () => {
  const organizations = [1, 2].map((at) => `0190d0aa-0000-7000-8000-00000000000${at}`);
  const removal = (organization = "") => ({ v: 2, kind: "remove-organization", organization });

  it("is made for each that is due, again after an hour, and with the next sweep where the queue refused it", async () => {
    const { world, table, during, pass, refuse } = aWorld();
    for (const organization of organizations)
      await table.put({
        ...keyIn("organization", "removal", { organization }),
        duepk: "organization-removals",
        duesk: String(NIGHT).padStart(13, "0"),
      });
    const ask = () => during(() => askRemovals(world));
    refuse((body) => body.includes(organizations[0] ?? ""));
    expect((await ask()).sent).toEqual([removal(organizations[1])]);
    expect(world.log.lines).toEqual([{ level: "warn", event: "removal_not_asked", fields: { organization: organizations[0] } }]);
    refuse(() => false);
    expect((await ask()).sent).toEqual([removal(organizations[0])]);
    expect((await ask()).sent).toEqual([]);
    pass(HOUR_MS);
    expect(await dueRemovals(table, world.clock.now())).toHaveLength(2);
    expect((await ask()).sent).toEqual(organizations.map(removal));
  });
});

describe("the request to settle what merging issues left", () => {
  const id = "0190d0aa-0000-7000-8000-000000000001";
  const move = (project: number, place: number) =>
    addingMove({ project, id: `${id.slice(0, -1)}${place}`, why: "merged", other: id, act: id }, NIGHT);

  it("is made once for each project in which a request died, when it should have ended, and again after ten minutes", async () => {
    const { world, table, during, pass, refuse } = aWorld();
    for (const write of [move(7, 2), move(7, 3), move(12, 2)]) await table.transact([write]);
    const asked = new Map<number, number>();
    const ask = () => during(() => askSettling(world, asked));
    const settle = (project: number) => ({ v: 2, kind: "settle-issues", project });
    pass(119_999);
    expect((await ask()).sent).toEqual([]);
    pass(1);
    refuse((body) => body.includes('"project":12'));
    expect((await ask()).sent).toEqual([settle(7)]);
    expect(world.log.lines).toEqual([{ level: "warn", event: "settling_not_asked", fields: { project: 12 } }]);
    refuse(() => false);
    expect((await ask()).sent).toEqual([settle(12)]);
    expect((await ask()).sent).toEqual([]);
    pass(600_000);
    expect((await ask()).sent).toEqual([settle(7), settle(12)]);
  });
});
