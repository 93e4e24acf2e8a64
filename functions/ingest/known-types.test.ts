import { describe, expect, it } from "vitest";
import { dayAt, learnPropertyTypes } from "../../lib/lake/learn-types.ts";
import { lakePk, TYPES_SK } from "../../lib/lake/paths.ts";
import { encodeTypes, NOTHING_STORED } from "../../lib/lake/property-types/stored-types.ts";
import type { PropertyType } from "../../lib/lake/property-types.ts";
import { evidenceFor } from "../../test/support/samples/property-evidence.ts";
import { ingestWorld, NOW } from "../../test/support/worlds/ingest-world.ts";
import { keepTypes, learnNewTypes } from "./known-types.ts";

const PROJECT = 1;
const DAY_MS = 86_400_000;

const many = (count: number, prefix = "own-"): readonly string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const numbers = (...names: readonly string[]) => evidenceFor({ event: names.map((name): [string, PropertyType] => [name, "Numeric"]) });

/** A process that learns types, and whether it still has to learn one. */
const aProcess = async (projects: readonly number[] = [PROJECT]) => {
  const { world, table, log } = await ingestWorld(projects);
  let now = NOW;
  const dated = { ...world, clock: { now: () => now } };
  return {
    table,
    pass: (ms: number) => {
      now += ms;
    },
    said: () => log.lines.flatMap(({ event, fields }) => (event === "ingest.names" ? [fields] : [])),
    keep: (names: readonly string[], project = PROJECT) => keepTypes(dated, project, names.length === 0 ? null : numbers(...names)),
    isNew(name: string, project = PROJECT): boolean {
      const learner = learnNewTypes(dated, project);
      learner.see("event", { [name]: 1 }, 0n);
      return learner.learnt([]) !== null;
    },
  };
};

describe("the types that a process knows", () => {
  it("are looked for no more until the day is over", async () => {
    const { keep, isNew, pass } = await aProcess([PROJECT, 2]);
    expect(isNew("price")).toBe(true);
    await keep(["price"]);
    expect([isNew("price"), isNew("plan"), isNew("price", 2)]).toEqual([false, true, true]);
    pass(DAY_MS / 2 - 1);
    expect(isNew("price")).toBe(false);
    pass(1);
    expect(isNew("price")).toBe(true);
  });

  it("stay as they are where an event says nothing new", async () => {
    const { keep, isNew, said } = await aProcess();
    await keep(["price"]);
    await keep([]);
    expect([isNew("price"), said()]).toEqual([false, []]);
  });

  it.each([
    [200, []],
    [201, [{ project: PROJECT, refused: 1, unnoted: 0, forgotten: 0, closed: false }]],
    [202, [{ project: PROJECT, refused: 2, unnoted: 0, forgotten: 0, closed: false }]],
  ])("are said in the log to be refused where names find no room: of %i beyond the free ones", async (count, said) => {
    const process = await aProcess();
    await process.keep(many(2_000));
    await process.keep(many(count, "more-"));
    expect(process.said()).toEqual(said);
  });

  it("are said in the log to be forgotten, also where as many are refused", async () => {
    const { table, keep, said } = await aProcess();
    for (const [at, weeksAgo] of [4, 4, 4, 4, 4].entries())
      await learnPropertyTypes(table, PROJECT, numbers(...many(at === 0 ? 2_000 : 200, `old-${at}-`)), NOW - weeksAgo * 7 * DAY_MS);
    for (let day = 20; day > 12; day -= 1)
      for (let drain = 0; drain < 5; drain += 1)
        await learnPropertyTypes(table, PROJECT, numbers(...many(200, `junk-${day}-${drain}-`)), NOW - day * DAY_MS);
    await keep(many(400, "new-"));
    expect(said()).toEqual([{ project: PROJECT, refused: 200, unnoted: 0, forgotten: 200, closed: false }]);
  });

  it("are forgotten by the process beyond some three hundred thousand names", async () => {
    const projects = Array.from({ length: 45 }, (_, at) => at + 1);
    const { table, keep, isNew } = await aProcess(projects);
    const known = { type: "Numeric", seen: dayAt(NOW), evidence: null } as const;
    const event = new Map(many(10_000).map((name) => [name, known]));
    const today = { day: dayAt(NOW), names: 0, bytes: 0, noted: 0 };
    const item = encodeTypes({ ...NOTHING_STORED, names: { ...NOTHING_STORED.names, event }, today });
    for (const project of projects) {
      await table.put({ pk: lakePk(project), sk: TYPES_SK, rev: 1, ...item });
      await keep(["own-1"], project);
    }
    expect([isNew("own-1", 1), isNew("own-1", 25), isNew("own-1", 45)]).toEqual([true, false, false]);
  });
});
