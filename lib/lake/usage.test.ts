import { describe, expect, it } from "vitest";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { aManifest, aState } from "../../test/support/samples/small-lake.ts";
import { pack } from "../core/pack.ts";
import { ConditionFailed } from "../ports/table.ts";
import type { DayCounts } from "../usage/day-counts.ts";
import { organizationUsage, projectUsage, readRollUp, replaceRollUp, rollUpItems, withProject } from "../usage/roll-ups.ts";
import { swap } from "./catalogue/swap.ts";
import { CATALOGUE_FORMAT, type FileFacts, type Manifest } from "./catalogue.ts";
import { initialHead, readHead, tombstone } from "./head.ts";
import { manifestKey } from "./paths.ts";
import { POLICIES } from "./policy.ts";
import { countedManifests, foldUsage } from "./usage.ts";

const ORGANIZATION = "0190d0aa-0000-7000-8000-000000000001";
const DAY = Date.UTC(2026, 5, 10) / 86_400_000;
/** The last day of May and the first of June. */
const [LAST, FIRST] = [Date.UTC(2026, 4, 31) / 86_400_000, Date.UTC(2026, 5, 1) / 86_400_000];

const aFile = (key: string, usage: DayCounts): FileFacts => ({
  key,
  bytes: 1,
  rows: 1,
  days: [DAY, DAY],
  times: ["0", "0"],
  ids: ["a", "b"],
  events: null,
  usage,
  footerBytes: 1,
});

const aLake = async (projects: readonly number[]) => {
  const objects = memoryObjects();
  const table = memoryTable();
  let ulids = 0;
  const clock = { now: () => 1_800_000_000_000 };
  const ids = { uuid: () => "", ulid: () => String(ulids++).padStart(26, "0"), secret: () => new Uint8Array() };
  const parts = { table, objects, clock, ids };
  for (const project of projects) await table.put(initialHead(project, 0));
  return {
    parts,
    async manifest(project: number, partition: string, files: readonly FileFacts[], loose: readonly FileFacts[] = []) {
      const from = (await readHead(table, project)).manifests[partition] ?? null;
      const next: Manifest = { v: CATALOGUE_FORMAT, id: ids.ulid(), partition, files, loose, absorbed: [], absorbedAt: [], sealed: false };
      expect(await swap(parts, POLICIES.local, project, partition, from, next, null, { retired: [] })).toBe("done");
    },
  };
};

describe("usage", () => {
  it("is the sum of the counts of the files that the manifests name, however often it is folded", async () => {
    const lake = await aLake([1]);
    await lake.manifest(
      1,
      "2026-06",
      [aFile("f", { [DAY]: { x: 3 } })],
      [aFile("l", { [DAY]: { x: 1, "historical:x": 5 }, [DAY + 1]: { x: 2 } })],
    );
    await foldUsage(lake.parts, { organization: ORGANIZATION, project: 1 });
    await foldUsage(lake.parts, { organization: ORGANIZATION, project: 1, partition: "2026-06" });
    expect(await projectUsage(lake.parts, { organization: ORGANIZATION, project: 1 }, DAY, DAY)).toEqual({
      [DAY]: { x: 4, "historical:x": 5 },
    });
  });

  it("takes nothing from files of earlier releases that is counted no more", async () => {
    const lake = await aLake([1]);
    const flags = { billable_feature_flag_requests_count_in_period: 2, "historical:billable_feature_flag_requests_count_in_period": 1 };
    await lake.manifest(1, "2026-06", [aFile("f", { [DAY]: { x: 3, ...flags } })]);
    await foldUsage(lake.parts, { organization: ORGANIZATION, project: 1 });
    expect(await projectUsage(lake.parts, { organization: ORGANIZATION, project: 1 }, DAY, DAY)).toEqual({ [DAY]: { x: 3 } });
  });

  it("follows the manifest and leaves two objects behind at most", async () => {
    const lake = await aLake([1]);
    for (const x of [1, 2, 3, 4]) {
      await lake.manifest(1, "2026-06", [aFile("f", { [DAY]: { x } })]);
      await foldUsage(lake.parts, { organization: ORGANIZATION, project: 1, partition: "2026-06" });
    }
    expect(await projectUsage(lake.parts, { organization: ORGANIZATION, project: 1 }, DAY, DAY)).toEqual({ [DAY]: { x: 4 } });
    expect([...lake.parts.objects.contents.keys()].filter((key) => key.startsWith("usage/"))).toHaveLength(2);
  });

  it("is read from roll-ups of the version before", async () => {
    const lake = await aLake([1, 2]);
    const key = { pk: `usage#${ORGANIZATION}`, sk: "2026-06" };
    await lake.parts.table.put({ ...key, current: "first" });
    const days = { [DAY]: { x: 3 }, [DAY + 2]: { x: 1, "historical:x": 2 } };
    await lake.parts.objects.put(`usage/${ORGANIZATION}/2026-06/first`, pack({ v: 1, projects: { 1: { manifest: "m", days } } }));
    await lake.manifest(2, "2026-06", [aFile("f", { [DAY]: { x: 7 } })]);
    await foldUsage(lake.parts, { organization: ORGANIZATION, project: 2 });
    const usage = await organizationUsage(lake.parts, ORGANIZATION, DAY, DAY + 2);
    expect([...usage]).toEqual([
      [1, days],
      [2, { [DAY]: { x: 7 } }],
    ]);
  });

  it("keeps every project of an organization when they are folded at once", async () => {
    const projects = [1, 2, 3, 4, 5];
    const lake = await aLake(projects);
    for (const project of projects) await lake.manifest(project, "2026-06", [aFile("f", { [DAY]: { x: project } })]);
    await Promise.all(projects.map((project) => foldUsage(lake.parts, { organization: ORGANIZATION, project })));
    const usage = await organizationUsage(lake.parts, ORGANIZATION, DAY - 1, DAY + 1);
    expect([...usage].sort()).toEqual(projects.map((project) => [project, { [DAY]: { x: project } }]));
  });

  it("of a removed project stays what it was when its manifests are gone", async () => {
    const lake = await aLake([1]);
    await lake.manifest(1, "2026-06", [aFile("f", { [DAY]: { x: 3 } })]);
    const owner = { organization: ORGANIZATION, project: 1 };
    await foldUsage(lake.parts, owner);
    await lake.manifest(1, "2026-06", [aFile("g", { [DAY]: { x: 9 } })]);
    const { manifests } = await readHead(lake.parts.table, 1);
    await lake.parts.table.transact([tombstone(1, 5, 5)]);
    await lake.parts.objects.remove([manifestKey(1, "2026-06", manifests["2026-06"] ?? "")]);
    // Of another process, which remembers no manifest.
    await foldUsage({ ...lake.parts, objects: { ...lake.parts.objects } }, owner);
    expect(await projectUsage(lake.parts, owner, DAY, DAY)).toEqual({ [DAY]: { x: 3 } });
  });

  it("of a partition is left alone where only another one, or none that is there, is to be folded", async () => {
    const lake = await aLake([1]);
    for (const month of ["2026-05", "2026-06"]) await lake.manifest(1, month, [aFile("f", { [DAY]: { x: 1 } })]);
    await swap(lake.parts, POLICIES.local, 1, "state", null, aState("s1"), null, { retired: [] });
    const months = async () => (await rollUpItems(lake.parts.table, ORGANIZATION)).map(({ sk }) => sk);
    const owner = { organization: ORGANIZATION, project: 1 };
    await foldUsage(lake.parts, { ...owner, partition: "2026-07" });
    await foldUsage(lake.parts, { ...owner, partition: "2026-06" });
    expect(await months()).toEqual(["2026-06"]);
    await foldUsage(lake.parts, owner);
    expect(await months()).toEqual(["2026-05", "2026-06"]);
    const before = lake.parts.objects.counts.requests;
    await foldUsage(lake.parts, { ...owner, partition: "2026-06" });
    // It reads what is counted, and writes nothing.
    expect(lake.parts.objects.counts.requests - before).toBe(1);
  });

  it("is told of the projects and days that are asked for, of all their months", async () => {
    const lake = await aLake([1, 2]);
    const first = DAY - 10;
    await lake.manifest(1, "2026-05", [aFile("f", { [first]: { x: 1 } })]);
    await lake.manifest(1, "2026-06", [aFile("g", { [DAY]: { x: 2 } })]);
    await lake.manifest(2, "2026-06", [aFile("h", { [DAY + 1]: { x: 4 } })]);
    for (const project of [1, 2]) await foldUsage(lake.parts, { organization: ORGANIZATION, project });
    const usage = async (from: number, to: number) => [...(await organizationUsage(lake.parts, ORGANIZATION, from, to))];
    expect(await usage(first, DAY)).toEqual([[1, { [first]: { x: 1 }, [DAY]: { x: 2 } }]]);
    expect(await usage(DAY + 1, DAY + 1)).toEqual([[2, { [DAY + 1]: { x: 4 } }]]);
    expect(await projectUsage(lake.parts, { organization: ORGANIZATION, project: 3 }, first, DAY)).toEqual({});
    const before = lake.parts.objects.counts.requests;
    await usage(first, first);
    expect(lake.parts.objects.counts.requests - before).toBe(1);
  });

  it("is given up on where somebody else is always quicker, or what is to be counted is gone", async () => {
    const lake = await aLake([1]);
    await lake.manifest(1, "2026-06", [aFile("f", { [DAY]: { x: 1 } })]);
    const owner = { organization: ORGANIZATION, project: 1 };
    const table = { ...lake.parts.table, update: () => Promise.reject(new ConditionFailed([0])) };
    await expect(foldUsage({ ...lake.parts, table }, owner)).rejects.toThrow("changed too often");
    const get: typeof lake.parts.objects.get = async (key) => (key.startsWith("state/") ? undefined : lake.parts.objects.get(key));
    await expect(foldUsage({ ...lake.parts, objects: { ...lake.parts.objects, get } }, owner)).rejects.toThrow("changed too often");
    expect(await projectUsage(lake.parts, owner, DAY, DAY)).toEqual({});
  });

  it("of keyed counts looks at the partitions beside its own, and of nothing else does", async () => {
    const lake = await aLake([1]);
    const owner = { organization: ORGANIZATION, project: 1 };
    await lake.manifest(1, "2026-05", [aFile("f", { [LAST]: { "~web one": 1 } })]);
    await lake.manifest(1, "2026-06", [aFile("g", { [FIRST]: { x: 1, "~web one": 1, "~web two": 1 }, [DAY]: { x: 1 } })]);
    await foldUsage(lake.parts, owner);
    expect(await projectUsage(lake.parts, owner, LAST, DAY)).toEqual({
      [LAST]: { recording_count_in_period: 1 },
      [FIRST]: { x: 1, recording_count_in_period: 1 },
      [DAY]: { x: 1 },
    });
    await lake.manifest(1, "2026-06", [aFile("g", { [FIRST]: { x: 5 } })]);
    const read: string[] = [];
    const get: typeof lake.parts.objects.get = (key) => {
      read.push(key.replace(/[^/]*$/, ""));
      return lake.parts.objects.get(key);
    };
    await foldUsage({ ...lake.parts, objects: { ...lake.parts.objects, get } }, { ...owner, partition: "2026-06" });
    expect(read).toEqual([`usage/${ORGANIZATION}/2026-06/`, manifestKey(1, "2026-06", "")]);
  });

  it("is known to hold the commits that the counted manifest absorbed, and is read once for all that ask", async () => {
    const lake = await aLake([1, 2]);
    const gathered = (id: string, ...absorbed: readonly string[]) =>
      aManifest(id, { partition: "2026-06", absorbed, absorbedAt: absorbed.map(() => 1) });
    const first = gathered("m1", "c1");
    await swap(lake.parts, POLICIES.local, 1, "2026-06", null, first, null, { retired: [] });
    await lake.manifest(2, "2026-06", [aFile("h", { [DAY]: { x: 1 } })]);
    await foldUsage(lake.parts, { organization: ORGANIZATION, project: 1 });
    let asked = 0;
    const look = () =>
      countedManifests(lake.parts, async () => {
        asked += 1;
        return ORGANIZATION;
      });
    const isCounted = async (project: number, partition: string, counted = look()) => {
      const is = await counted.of(await readHead(lake.parts.table, project), partition);
      return ["c1", "c2"].map(is);
    };
    expect(await isCounted(1, "2026-06")).toEqual([true, true]);
    await swap(lake.parts, POLICIES.local, 1, "2026-06", "m1", gathered("m2", "c1", "c2"), null, { retired: [] });
    expect(await isCounted(1, "2026-06")).toEqual([true, false]);
    expect(await isCounted(2, "2026-06")).toEqual([false, false]);
    expect(await isCounted(1, "2026-05")).toEqual([false, false]);
    const [counted, before] = [look(), lake.parts.objects.counts.requests];
    asked = 0;
    for (const _ of [1, 2]) expect(await isCounted(1, "2026-06", counted)).toEqual([true, false]);
    expect(await isCounted(1, "2026-05", counted)).toEqual([false, false]);
    expect([asked, lake.parts.objects.counts.requests - before]).toEqual([1, 1]);
  });

  it("is asked for no more where a project belongs to nobody", async () => {
    const lake = await aLake([1]);
    const counted = countedManifests(lake.parts, async () => undefined);
    expect((await counted.of(await readHead(lake.parts.table, 1), "2026-06"))("any commit")).toBe(true);
  });
});

describe("usage over the end of a month", () => {
  const owner = { organization: ORGANIZATION, project: 1 };
  const may = { ...owner, partition: "2026-05" };
  const june = { ...owner, partition: "2026-06" };
  const ANSWER = { survey_responses_count_in_period: 1 };
  type Lake = Awaited<ReturnType<typeof aLake>>;
  const always = (lake: Lake) => projectUsage(lake.parts, owner, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);

  it.each([
    ["a submission", "~survey one", "~survey one", { [LAST]: ANSWER }],
    ["a recording", "~web one", "~mobile one", { [LAST]: { recording_count_in_period: 1 } }],
    ["a trace that ends free", "~assistant t", "~free t", {}],
    ["a trace that began free", "~free t", "~code t", {}],
  ])("counts %s once, whichever part is gathered and counted first", async (_, first, second, usage) => {
    const parts = [
      ["2026-05", { [LAST]: { [first]: 50_000 } }],
      ["2026-06", { [FIRST]: { [second]: 50_000 } }],
    ] as const;
    for (const order of [parts, parts.toReversed()]) {
      const lake = await aLake([1]);
      for (const [partition, counts] of order) {
        await lake.manifest(1, partition, [aFile("f", counts)]);
        await foldUsage(lake.parts, { ...owner, partition });
      }
      expect(await always(lake)).toEqual(usage);
    }
  });

  it("counts a submission again where a whole month has no part of it", async () => {
    const lake = await aLake([1]);
    const days = [4, 5, 6, 8].map((month) => Date.UTC(2026, month, 9) / 86_400_000);
    for (const [at, partition] of ["2026-05", "2026-06", "2026-07", "2026-09"].entries())
      await lake.manifest(1, partition, [aFile("f", { [days[at] ?? 0]: { "~survey one": 1 } })]);
    await foldUsage(lake.parts, owner);
    expect(await always(lake)).toEqual({ [days[0] ?? 0]: ANSWER, [days[3] ?? 0]: ANSWER });
  });

  it("knows the years before 2015 as each other's neighbours, and all time before 1970", async () => {
    const lake = await aLake([1]);
    const [old, first, last, own] = [[1969], [1970], [2014], [2015]].map(([year]) => Date.UTC(year ?? 0, 0) / 86_400_000);
    for (const [partition, day] of [
      ["old", old],
      ["1970", first],
      ["2014", last],
      ["2015-01", own],
    ] as const)
      await lake.manifest(1, partition, [aFile("f", { [day ?? 0]: { "~survey one": 1 } })]);
    for (const partition of ["2015-01", "2014", "1970", "old"]) await foldUsage(lake.parts, { ...owner, partition });
    expect(await always(lake)).toEqual({ [old ?? 0]: ANSWER, [last ?? 0]: ANSWER });
  });

  it("writes nothing more than one roll-up where nothing goes on there, and the neighbour's where something does", async () => {
    const lake = await aLake([1]);
    await lake.manifest(1, "2026-05", [aFile("f", { [LAST]: { "~survey one": 1, "~web one": 1, "~free t": 1 } })]);
    await foldUsage(lake.parts, owner);
    let writes = 0;
    const update: typeof lake.parts.table.update = (...given) => {
      writes += 1;
      return lake.parts.table.update(...given);
    };
    const later: Record<number, Record<string, number>> = { [FIRST]: { "~survey two": 1, "~web two": 1, "~assistant u": 5 } };
    const fold = async (counts: Readonly<Record<string, number>>) => {
      const begun = Object.keys(later).length;
      later[FIRST] = { ...later[FIRST], [`~web ${begun}`]: 1 };
      later[FIRST + begun] = { x: 1 };
      await lake.manifest(1, "2026-06", [aFile("g", later)]);
      await foldUsage(lake.parts, june);
      await lake.manifest(1, "2026-05", [aFile("f", { [LAST]: counts })]);
      writes = 0;
      await foldUsage({ ...lake.parts, table: { ...lake.parts.table, update } }, may);
      return writes;
    };
    expect(await fold({ "~survey one": 2, "~survey three": 1, "~web one": 1, "~free t": 1 })).toBe(1);
    expect(await fold({ "~survey one": 2, "~survey two": 1, "~web one": 1, "~free t": 1 })).toBe(2);
    expect(await fold({ "~survey one": 3, "~survey two": 1, "~web one": 1, "~free t": 1 })).toBe(1);
    expect(await always(lake)).toMatchObject({ [LAST]: { survey_responses_count_in_period: 2 } });
  });

  it.each(["2026-06", ""])("is not lost where another month is counted meanwhile, %j being counted before", async (counted) => {
    const lake = await aLake([1]);
    await lake.manifest(1, "2026-05", [aFile("f", { [LAST]: { x: 1 } })]);
    await foldUsage(lake.parts, may);
    await lake.manifest(1, "2026-06", [aFile("g", { [FIRST]: { "~survey one": 1 } })]);
    if (counted !== "") await foldUsage(lake.parts, june);
    await lake.manifest(1, "2026-06", [aFile("g", { [FIRST]: { "~survey one": 1, x: 1 } })]);
    let meanwhile = true;
    const mayIsCounted = async (): Promise<void> => {
      if (!meanwhile) return;
      meanwhile = false;
      await lake.manifest(1, "2026-05", [aFile("f", { [LAST]: { x: 1, "~survey one": 1 } })]);
      await foldUsage(lake.parts, may);
    };
    const put: typeof lake.parts.objects.put = async (...given) => {
      await mayIsCounted();
      return lake.parts.objects.put(...given);
    };
    await foldUsage({ ...lake.parts, objects: { ...lake.parts.objects, put } }, june);
    expect(await always(lake)).toEqual({ [LAST]: { x: 1, ...ANSWER }, [FIRST]: { x: 1 } });
  });

  it("is settled by the head as it is after the roll-up was read", async () => {
    const lake = await aLake([1]);
    await lake.manifest(1, "2026-05", [aFile("f", { [LAST]: { x: 1 } })]);
    await foldUsage(lake.parts, may);
    await lake.manifest(1, "2026-06", [aFile("g", { [FIRST]: { "~survey one": 1, x: 1 } })]);
    let meanwhile = true;
    const get: typeof lake.parts.table.get = async (key, options) => {
      if (meanwhile && key.pk === `usage#${ORGANIZATION}`) {
        meanwhile = false;
        await lake.manifest(1, "2026-05", [aFile("f", { [LAST]: { x: 1, "~survey one": 1 } })]);
        await foldUsage(lake.parts, may);
      }
      return lake.parts.table.get(key, options);
    };
    await foldUsage({ ...lake.parts, table: { ...lake.parts.table, get } }, june);
    expect(await always(lake)).toEqual({ [LAST]: { x: 1, ...ANSWER }, [FIRST]: { x: 1 } });
  });

  it("of the release before, which looked no further than its month, is counted anew", async () => {
    const lake = await aLake([1]);
    const counts = { [FIRST]: { "~survey one": 1 }, [DAY]: { "~survey one": 1 } };
    await lake.manifest(1, "2026-06", [aFile("f", counts)]);
    const { manifests } = await readHead(lake.parts.table, 1);
    const { item, rollUp } = await readRollUp(lake.parts, ORGANIZATION, "2026-06");
    const before = { manifest: manifests["2026-06"] ?? "", days: { [DAY]: ANSWER } };
    await replaceRollUp(lake.parts, ORGANIZATION, "2026-06", item, withProject(rollUp, 1, before));
    await foldUsage(lake.parts, june);
    expect(await always(lake)).toEqual({ [FIRST]: ANSWER });
  });

  it("leaves a month that is only settled anew to be counted, so that what was gathered there reaches its other neighbour", async () => {
    const lake = await aLake([1]);
    const july = Date.UTC(2026, 6, 1) / 86_400_000;
    await lake.manifest(1, "2026-05", [aFile("f", { [LAST]: { x: 1 } })]);
    await lake.manifest(1, "2026-06", [aFile("g", { [FIRST]: { "~survey one": 1 } })]);
    await lake.manifest(1, "2026-07", [aFile("h", { [july]: { "~survey two": 1 } })]);
    await foldUsage(lake.parts, owner);
    await lake.manifest(1, "2026-06", [aFile("g", { [FIRST]: { "~survey one": 1, "~survey two": 1 } })]);
    await lake.manifest(1, "2026-05", [aFile("f", { [LAST]: { x: 1, "~survey one": 1 } })]);
    await foldUsage(lake.parts, may);
    await foldUsage(lake.parts, june);
    expect(await always(lake)).toEqual({ [LAST]: { x: 1, ...ANSWER }, [FIRST]: ANSWER });
  });
});
