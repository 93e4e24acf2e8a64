import { describe, expect, it } from "vitest";
import { getManifest, putManifest } from "../../../lib/lake/catalogue/manifests.ts";
import type { FileFacts } from "../../../lib/lake/catalogue.ts";
import { readHead } from "../../../lib/lake/head.ts";
import { manifestKey } from "../../../lib/lake/paths.ts";
import { recountDay } from "../../../lib/lake/usage.ts";
import type { DayCounts } from "../../../lib/usage/day-counts.ts";
import { projectUsage, readRollUp, replaceRollUp, withProject } from "../../../lib/usage/roll-ups.ts";
import { ORGANIZATION } from "../../simulation/usage.ts";
import { DAY_MS, HOUR_MS, type LakeWorld, lakeWorld, NOW, someRows } from "../../support/worlds/lake-world.ts";

const PARTITION = "2026-11";
const DAY = Math.floor(NOW / DAY_MS);
const COUNTED = { organization: ORGANIZATION, project: 1 };

/** A project whose three rows of today are gathered and counted. */
const aCountedDay = async (): Promise<LakeWorld> => {
  const lake = await lakeWorld();
  await lake.commit(someRows(3, "a", NOW));
  await lake.pass(2 * HOUR_MS);
  expect(await stored(lake)).toBe(3);
  return lake;
};

const stored = async (lake: LakeWorld): Promise<number | undefined> =>
  (await projectUsage(lake.world, COUNTED, DAY, DAY))[DAY]?.event_count_in_period;

const differences = ({ log }: LakeWorld) => log.lines.filter(({ event }) => event === "usage_differs");

const current = async (lake: LakeWorld, partition = PARTITION) => {
  const id = (await readHead(lake.world.table, 1)).manifests[partition] ?? "";
  const manifest = await getManifest(lake.world.objects, 1, partition, id);
  if (manifest === undefined) throw new Error("nothing was gathered");
  return manifest;
};

/** Stores other usage for the manifest that was counted. */
const storeUsage = (lake: LakeWorld, events: number): Promise<void> =>
  storeDays(lake, PARTITION, { [DAY]: { event_count_in_period: events } });

const storeDays = async (lake: LakeWorld, partition: string, days: DayCounts): Promise<void> => {
  const { item, rollUp } = await readRollUp(lake.world, ORGANIZATION, partition);
  const entry = { manifest: (await current(lake, partition)).id, reaching: [0, 0] as const, days };
  expect(await replaceRollUp(lake.world, ORGANIZATION, partition, item, withProject(rollUp, 1, entry))).toBe(true);
};

/** Has the files state other counts than their rows give. */
const stateCounts = async (lake: LakeWorld, events: number): Promise<void> => {
  const manifest = await current(lake);
  const state = (file: FileFacts): FileFacts => ({ ...file, usage: { [DAY]: { event_count_in_period: events } } });
  await putManifest(lake.world.objects, 1, PARTITION, { ...manifest, files: manifest.files.map(state), loose: manifest.loose.map(state) });
};

describe("the recount of a day, by night", () => {
  it("says nothing where the stored usage is what the lake holds", async () => {
    const lake = await aCountedDay();
    await lake.pass(12 * HOUR_MS);
    expect(differences(lake)).toEqual([]);
    expect(lake.log.lines.filter(({ event }) => event === "job_failed")).toEqual([]);
    expect(await recountDay({ ...lake.world, rowFiles: lake.world.engine.rowFiles }, COUNTED, DAY)).toEqual({ rows: 3, differences: [] });
  });

  it("says nothing of what an earlier release counted and nothing counts now", async () => {
    const lake = await aCountedDay();
    const days = (await projectUsage(lake.world, COUNTED, DAY, DAY))[DAY];
    await storeDays(lake, PARTITION, { [DAY]: { ...days, billable_feature_flag_requests_count_in_period: 5 } });
    await lake.pass(12 * HOUR_MS);
    expect(differences(lake)).toEqual([]);
  });

  it("reports both numbers of a difference, rings the bell and repairs nothing", async () => {
    const lake = await aCountedDay();
    await storeUsage(lake, 5);
    await lake.pass(12 * HOUR_MS);
    const difference = { project: 1, date: "2026-11-20", rows: 3, type: "event_count_in_period", stored: 5, counted: 3 };
    expect(differences(lake)[0]).toEqual({ level: "error", event: "usage_differs", fields: difference });
    expect(lake.deadLetters.map(({ body }) => JSON.parse(body))).toContainEqual({ v: 2, kind: "recount", project: 1 });
    expect(await stored(lake)).toBe(5);
    const later = differences(lake).length;
    await lake.pass(26 * HOUR_MS);
    expect(differences(lake).length).toBeGreaterThan(later);
    expect(new Set(differences(lake).map(({ fields }) => Object(fields).date))).toEqual(new Set(["2026-11-20"]));
  });

  it("reads the rows themselves, because the counts that files state may be wrong; of a day that is too large it believes them", async () => {
    const lake = await aCountedDay();
    await stateCounts(lake, 7);
    await storeUsage(lake, 7);
    const parts = { ...lake.world, rowFiles: lake.world.engine.rowFiles };
    const difference = { day: DAY, type: "event_count_in_period", stored: 7, counted: 3 };
    expect(await recountDay(parts, COUNTED, DAY)).toEqual({ rows: 3, differences: [difference] });
    expect(await recountDay(parts, COUNTED, DAY, 2)).toEqual({ rows: 0, differences: [] });
  });

  it("leaves another day to the file that states it, where it is split over several", async () => {
    const lake = await lakeWorld();
    const before = NOW - DAY_MS;
    await lake.commit(someRows(2, "a", before));
    await lake.pass(2 * HOUR_MS);
    await lake.commit([...someRows(1, "b", before), ...someRows(3, "c", NOW)]);
    await lake.pass(2 * HOUR_MS);
    const manifest = await current(lake);
    const all = { [DAY - 1]: { event_count_in_period: 3 }, [DAY]: { event_count_in_period: 3 } };
    const split = (file: FileFacts): FileFacts => {
      const day = file.days[1] === DAY ? DAY : DAY - 1;
      return { ...file, usage: { [day]: all[day] ?? {} } };
    };
    const files = [...manifest.files, ...manifest.loose];
    expect(files.map(({ days }) => days).sort()).toEqual(
      [
        [DAY - 1, DAY - 1],
        [DAY - 1, DAY],
      ].sort(),
    );
    await putManifest(lake.world.objects, 1, PARTITION, {
      ...manifest,
      files: manifest.files.map(split),
      loose: manifest.loose.map(split),
    });
    await storeDays(lake, PARTITION, all);
    const parts = { ...lake.world, rowFiles: lake.world.engine.rowFiles };
    expect(await recountDay(parts, COUNTED, DAY)).toEqual({ rows: 4, differences: [] });
    expect(await recountDay(parts, COUNTED, DAY - 1)).toEqual({ rows: 6, differences: [] });
    for (const [most, rows] of [
      [3, 0],
      [4, 4],
    ])
      expect(await recountDay(parts, COUNTED, DAY, most)).toEqual({ rows, differences: [] });
  });

  it("reads the files of the head where those that were counted are gone, also if this process remembers them", async () => {
    const lake = await aCountedDay();
    const counted = await current(lake);
    await lake.commit(someRows(1, "late", NOW));
    await lake.pass(2 * HOUR_MS);
    expect((await current(lake)).id).not.toBe(counted.id);
    const { item, rollUp } = await readRollUp(lake.world, ORGANIZATION, PARTITION);
    const days = { [DAY]: { event_count_in_period: 4 } };
    const entry = { manifest: counted.id, reaching: [0, 0] as const, days };
    expect(await replaceRollUp(lake.world, ORGANIZATION, PARTITION, item, withProject(rollUp, 1, entry))).toBe(true);
    const parts = { ...lake.world, rowFiles: lake.world.engine.rowFiles };
    expect((await recountDay(parts, COUNTED, DAY))?.rows).toBe(3);
    await lake.world.objects.remove([manifestKey(1, PARTITION, counted.id)]);
    expect(await recountDay(parts, COUNTED, DAY)).toEqual({ rows: 4, differences: [] });
  });

  it("looks at both sides of the end of a month, also where it was long ago", async () => {
    const lake = await lakeWorld();
    const [last, first] = [Date.UTC(2026, 9, 31) / DAY_MS, Date.UTC(2026, 10, 1) / DAY_MS];
    const properties = JSON.stringify({ $survey_submission_id: "one" });
    const part = (day: number) => someRows(1, `of ${day}`, day * DAY_MS).map((row) => ({ ...row, event: "survey sent", properties }));
    await lake.commit([...part(first), ...someRows(3, "a", NOW)]);
    await lake.pass(2 * HOUR_MS);
    await lake.commit(part(last));
    await lake.pass(2 * HOUR_MS);
    const parts = { ...lake.world, rowFiles: lake.world.engine.rowFiles };
    expect(await recountDay(parts, COUNTED, DAY)).toEqual({ rows: 4, differences: [] });
    const once = { survey_responses_count_in_period: 1 };
    const type = "survey_responses_count_in_period";
    await storeDays(lake, PARTITION, { [first]: once, [DAY]: { event_count_in_period: 3 } });
    const twice = { day: first, type, stored: 1, counted: 0 };
    expect(await recountDay(parts, COUNTED, DAY)).toEqual({ rows: 4, differences: [twice] });
    await storeDays(lake, "2026-10", {});
    expect(await recountDay(parts, COUNTED, DAY)).toEqual({ rows: 4, differences: [{ day: last, type, stored: 0, counted: 1 }, twice] });
  });
});
