import { describe, expect, it } from "vitest";
import { getManifest } from "../../../lib/lake/catalogue/manifests.ts";
import { readHead } from "../../../lib/lake/head.ts";
import { failedSk } from "../../../lib/lake/paths.ts";
import { projectUsage } from "../../../lib/usage/roll-ups.ts";
import { ORGANIZATION } from "../../simulation/usage.ts";
import { HOUR_MS, type LakeWorld, lakeWorld, MINUTE_MS, NOW, SEALED_DAY, someRows } from "../../support/worlds/lake-world.ts";

const DAY_MS = 24 * HOUR_MS;

const totalOf = async (lake: LakeWorld, project = 1): Promise<number> => {
  const days = await projectUsage(lake.world, { organization: ORGANIZATION, project }, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  return Object.values(days).reduce((sum, types) => sum + (types.event_count_in_period ?? 0), 0);
};

describe("a compaction that fails for ever after its rows are gathered", () => {
  it.each(["fails", "is killed"] as const)("leaves its rows in the usage when its merge %s", async (how) => {
    const lake = await lakeWorld();
    lake.merging.days = () => how;
    await lake.commit(someRows(1_500, "a"));
    await lake.pass(5 * MINUTE_MS);
    expect(await totalOf(lake)).toBe(1_500);
  });
});

describe("a request to count usage that was lost", () => {
  it("is made again before the commits that it was for are forgotten", async () => {
    const lake = await lakeWorld();
    lake.refuse((body) => body.includes('"usage"'));
    await lake.commit(someRows(1_500, "a"));
    await lake.pass(5 * MINUTE_MS);
    expect(await totalOf(lake)).toBe(0);
    lake.refuse(() => false);
    await lake.pass(20 * MINUTE_MS);
    expect(await totalOf(lake)).toBe(1_500);
    await lake.pass(HOUR_MS);
    expect(await lake.stored.query({ pk: "lake#1", sk: { prefix: "commit#" } })).toMatchObject({ items: [] });
  });

  it("is made again while another month of the same commits cannot be gathered", async () => {
    const lake = await lakeWorld();
    const later = SEALED_DAY + 31 * DAY_MS;
    lake.merging.one = (_, day) => (day < Math.floor(later / DAY_MS) ? "works" : "fails");
    lake.refuse((body) => body.includes('"usage"'));
    await lake.commit([...someRows(1_500, "a"), ...someRows(1_500, "b", later)]);
    await lake.pass(5 * MINUTE_MS);
    lake.refuse(() => false);
    await lake.pass(20 * MINUTE_MS);
    expect(await totalOf(lake)).toBe(1_500);
  });

  it("is made again by the audit of the week when even those are forgotten", async () => {
    const lake = await lakeWorld();
    lake.refuse((body) => body.includes('"usage"'));
    await lake.commit(someRows(1_500, "a"));
    await lake.pass(26 * HOUR_MS);
    expect(await lake.stored.query({ pk: "lake#1", sk: { prefix: "commit#" } })).toMatchObject({ items: [] });
    lake.refuse(() => false);
    lake.skip(7 * 24 * HOUR_MS);
    await lake.pass(20 * MINUTE_MS);
    expect(await totalOf(lake)).toBe(1_500);
  });
});

describe("a request to seal a month that was lost", () => {
  it("is made again by the audit of the week", async () => {
    const lake = await lakeWorld();
    lake.merging.days = () => "is killed";
    await lake.commit(someRows(1_500, "a"));
    await lake.pass(5 * MINUTE_MS);
    lake.waiting.splice(0);
    lake.merging.days = () => "works";
    await lake.pass(26 * HOUR_MS);
    const manifest = async () => {
      const { manifests } = await readHead(lake.stored, 1);
      return getManifest(lake.objects, 1, "2026-10", manifests["2026-10"] ?? "");
    };
    expect(await manifest()).toMatchObject({ sealed: false, files: [] });
    lake.skip(7 * DAY_MS);
    await lake.pass(20 * MINUTE_MS);
    expect(await manifest()).toMatchObject({ sealed: true, loose: [] });
  });
});

describe("a job that fails for ever", () => {
  it.each(["fails", "is killed"] as const)("is tried ever more rarely when it %s, ends in the dead letters and is shown", async (how) => {
    const lake = await lakeWorld();
    lake.merging.days = () => how;
    await lake.commit(someRows(1_500, "a"));
    await lake.pass(3 * HOUR_MS);
    expect(lake.deadLetters.length).toBeGreaterThan(0);
    expect(lake.merged.days).toBeLessThan(12);
    const early = lake.merged.days;
    await lake.pass(24 * HOUR_MS);
    expect(lake.merged.days - early).toBeGreaterThanOrEqual(20);
    expect(lake.merged.days - early).toBeLessThanOrEqual(26);
    const lines = lake.log.lines.filter(({ event }) => event === "job_failed");
    expect(lines[0]).toMatchObject({ level: "error", fields: { project: 1, kind: "compact", partition: "2026-10", attempts: 1 } });
    const { json, lines: shown } = await lake.admin();
    expect(json).toMatchObject({ failing: [{ kind: "compact", partition: "2026-10", attempts: expect.any(Number) }] });
    expect(shown.join("\n")).toContain("compact 2026-10");
  });

  it("costs jobs that never failed no write", async () => {
    const lake = await lakeWorld();
    await lake.commit(someRows(1_500, "a"));
    const forgotten: string[] = [];
    const { remove } = lake.world.table;
    Object.assign(lake.world.table, {
      remove: (...given: Parameters<typeof remove>) => {
        forgotten.push(given[0].sk);
        return remove(...given);
      },
    });
    await lake.pass(5 * MINUTE_MS);
    expect(await totalOf(lake)).toBe(1_500);
    expect(forgotten.filter((sk) => sk.startsWith(failedSk("")))).toEqual([]);
  });

  it("takes no other message with it", async () => {
    const lake = await lakeWorld([1, 2, 3]);
    for (const project of [1, 2, 3]) await lake.commit(someRows(1_500, "a"), { project });
    lake.merging.one = (project) => (project === 1 ? "is killed" : "works");
    await lake.pass(3 * MINUTE_MS);
    for (const project of [2, 3]) expect(await totalOf(lake, project)).toBe(1_500);
  });

  it("shows what waits for it, and since when, and is forgotten once it succeeds", async () => {
    const lake = await lakeWorld();
    lake.merging.one = () => "fails";
    await lake.commit(someRows(1_500, "a"));
    await lake.pass(5 * MINUTE_MS);
    const { json, lines } = await lake.admin();
    expect(json).toMatchObject({
      waiting: [{ partition: "2026-10", commits: 1, rows: 1_500, since: new Date(NOW).toISOString() }],
      failing: [{ kind: "compact", error: expect.stringContaining("Out of Memory") }],
    });
    expect(lines.join("\n")).toMatch(/2026-10 +1 +1500 +2026-11-20T12:00/);
    lake.merging.one = () => "works";
    await lake.pass(2 * HOUR_MS);
    expect((await lake.admin()).json).toMatchObject({ waiting: [], failing: [] });
    expect(await totalOf(lake)).toBe(1_500);
    expect(await lake.stored.query({ index: "due", pk: "failing" })).toMatchObject({ items: [] });
  });

  it("is tried again though nothing new comes and its message is given up on", async () => {
    const lake = await lakeWorld();
    lake.merging.days = () => "fails";
    await lake.commit(someRows(1_500, "a"));
    await lake.pass(6 * HOUR_MS);
    lake.merging.days = () => "works";
    await lake.pass(2 * HOUR_MS);
    expect((await lake.admin()).json).toMatchObject({ waiting: [], failing: [] });
  });

  it("that nobody can read is given up on without being remembered", async () => {
    const lake = await lakeWorld();
    await lake.world.queues.send("jobs", [{ id: "0", body: '{"v":1,"kind":"dance"}' }]);
    await lake.pass(3 * HOUR_MS);
    expect(lake.deadLetters).toHaveLength(1);
    expect(lake.log.lines.find(({ event }) => event === "job_unreadable")).toMatchObject({ level: "error" });
  });
});
