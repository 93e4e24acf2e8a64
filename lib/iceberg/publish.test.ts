import { describe, expect, it } from "vitest";
import { readTable } from "../../test/support/iceberg/read-table.ts";
import { aFile, aManifest, PROJECT, smallLake } from "../../test/support/samples/small-lake.ts";
import { HOUR_MS } from "../core/time.ts";
import { swap } from "../lake/catalogue/swap.ts";
import type { FileFacts } from "../lake/catalogue.ts";
import { tombstone } from "../lake/head.ts";
import { HEAD_SK } from "../lake/paths.ts";
import { POLICIES } from "../lake/policy.ts";
import { readPublication } from "../lake/published.ts";
import { readPublished } from "./metadata.ts";
import { publishProject } from "./publish.ts";

const NOW = 1_800_000_000_000;
const POLICY = POLICIES.deployed;
const OCTOBER = "2024-10";
const OLDER = "2009";

const aLake = async () => {
  const lake = await smallLake(NOW);
  return {
    ...lake,
    publish: () => publishProject(lake.parts, POLICY, PROJECT),
    swap: (partition: string, from: string | null, to: string, files: readonly FileFacts[]) =>
      swap(lake.parts, POLICY, PROJECT, partition, from, aManifest(to, { partition, files }), null, { retired: [] }),
    async read() {
      const published = await readPublished(lake.parts.table, PROJECT, "events");
      if (!published) throw new Error("nothing is published");
      return readTable((key) => lake.parts.objects.everything().get(key), published.metadata);
    },
  };
};

const keys = (files: readonly { readonly key: string }[]): readonly string[] => files.map(({ key }) => key).toSorted();

describe("publishing a project's events", () => {
  it("names exactly the files that the head names, of every partition, before and after a swap", async () => {
    const lake = await aLake();
    await lake.swap(OCTOBER, null, "m1", [aFile("events/a"), aFile("events/b")]);
    await lake.swap(OLDER, null, "m2", [aFile("events/old")]);
    expect(await lake.publish()).toBe("published");
    expect(keys((await lake.read()).current.files)).toEqual(["events/a", "events/b", "events/old"]);
    await lake.swap(OCTOBER, "m1", "m3", [aFile("events/a"), aFile("events/c")]);
    expect(await lake.publish()).toBe("published");
    const { snapshots, current } = await lake.read();
    expect(snapshots.map(({ files }) => keys(files))).toEqual([
      ["events/a", "events/b", "events/old"],
      ["events/a", "events/c", "events/old"],
    ]);
    expect(current.files.map(({ key, sequence }) => [key, sequence]).sort()).toEqual([
      ["events/a", 1],
      ["events/c", 2],
      ["events/old", 1],
    ]);
  });
  it("writes nothing where the head is what it was, and only the manifests of what changed", async () => {
    const lake = await aLake();
    expect(await lake.publish()).toBe("unchanged");
    await lake.swap(OCTOBER, null, "m1", [aFile("events/a")]);
    await lake.swap(OLDER, null, "m2", [aFile("events/old")]);
    await lake.publish();
    const before = lake.keys();
    expect(await lake.publish()).toBe("unchanged");
    expect(lake.keys()).toEqual(before);
    await lake.swap(OCTOBER, "m1", "m3", [aFile("events/c")]);
    await lake.publish();
    const added = lake.keys().filter((key) => !before.includes(key) && key.startsWith("iceberg/"));
    expect(added.map((key) => key.replace(/.*\/metadata\//, "").split(".")[1])).toEqual(["metadata", OCTOBER, "avro"]);
  });
  it("puts a file under its day where it holds one that engines can tell, and under none where it holds more", async () => {
    const lake = await aLake();
    const far = [-25_568, -25_567, 120_529, 120_530].map((day) => aFile(`events/${day}`, { days: [day, day] }));
    await lake.swap(OCTOBER, null, "m1", [aFile("events/day"), aFile("events/days", { days: [20_000, 20_004] }), ...far]);
    await lake.publish();
    const { current } = await lake.read();
    expect(current.files.map(({ key, day }) => [key, day])).toEqual(
      expect.arrayContaining([
        ["events/day", 20_000],
        ["events/days", undefined],
        ["events/-25568", undefined],
        ["events/-25567", -25_567],
        ["events/120529", 120_529],
        ["events/120530", undefined],
      ]),
    );
  });
  it("goes on from the other's where two publish at once", async () => {
    const lake = await aLake();
    await lake.swap(OCTOBER, null, "m1", [aFile("events/a")]);
    await Promise.all([lake.publish(), lake.publish(), lake.publish()]);
    const { snapshots } = await lake.read();
    expect(snapshots.map(({ files }) => keys(files))).toEqual([["events/a"]]);
  });
  it("takes nothing back that another one published of a newer head meanwhile", async () => {
    const lake = await aLake();
    await lake.swap(OCTOBER, null, "m1", [aFile("events/a")]);
    const transact: typeof lake.parts.table.transact = async (writes) => {
      if ((await readPublished(lake.parts.table, PROJECT, "events")) === undefined) {
        await lake.swap(OCTOBER, "m1", "m2", [aFile("events/b")]);
        await lake.publish();
      }
      await lake.parts.table.transact(writes);
    };
    expect(await publishProject({ ...lake.parts, table: { ...lake.parts.table, transact } }, POLICY, PROJECT)).toBe("unchanged");
    expect((await lake.read()).snapshots.map(({ files }) => keys(files))).toEqual([["events/b"]]);
  });
  it("asks again for a head that was longer than a minute on its way: that may name what came after it was asked for", async () => {
    const lake = await aLake();
    const onItsWay = [61_000, 60_000];
    const get: typeof lake.parts.table.get = async (key, options) => {
      if (key.sk === HEAD_SK) lake.pass(onItsWay.shift() ?? 0);
      return lake.parts.table.get(key, options);
    };
    await lake.swap(OCTOBER, null, "m1", [aFile("events/a")]);
    expect(await publishProject({ ...lake.parts, table: { ...lake.parts.table, get } }, POLICY, PROJECT)).toBe("published");
    expect((await readPublication(lake.parts.table, PROJECT, "events"))?.reads).toEqual([NOW + 61_000]);
  });
  it("is done where only the answer was lost, and publishes nothing of a project that was removed", async () => {
    const lake = await aLake();
    await lake.swap(OCTOBER, null, "m1", [aFile("events/a")]);
    const transact: typeof lake.parts.table.transact = async (writes) => {
      await lake.parts.table.transact(writes);
      throw new Error("the table did not answer");
    };
    expect(await publishProject({ ...lake.parts, table: { ...lake.parts.table, transact } }, POLICY, PROJECT)).toBe("published");
    await lake.parts.table.transact([tombstone(PROJECT, NOW, NOW)]);
    expect(await lake.publish()).toBe("removed");
  });
  it("lets a snapshot go a week after it was replaced, also where nothing has changed since", async () => {
    const lake = await aLake();
    await lake.swap(OCTOBER, null, "m1", [aFile("events/a")]);
    await lake.publish();
    lake.pass(30 * 24 * HOUR_MS);
    await lake.swap(OCTOBER, "m1", "m2", [aFile("events/b")]);
    await lake.publish();
    expect((await lake.read()).snapshots).toHaveLength(2);
    lake.pass(POLICY.snapshotStayMs);
    await lake.publish();
    expect((await lake.read()).snapshots).toHaveLength(2);
    lake.pass(1);
    await lake.publish();
    expect((await lake.read()).snapshots.map(({ files }) => keys(files))).toEqual([["events/b"]]);
  });
  it("lets the oldest go while younger ones stay, also where nothing has changed for hours", async () => {
    const lake = await aLake();
    for (const [from, to] of [
      [null, "m1"],
      ["m1", "m2"],
      ["m2", "m3"],
    ] as const) {
      await lake.swap(OCTOBER, from, to, [aFile(`events/${to}`)]);
      await lake.publish();
      lake.pass(24 * HOUR_MS);
    }
    lake.pass(POLICY.snapshotStayMs - 47 * HOUR_MS);
    await lake.publish();
    expect((await lake.read()).snapshots.map(({ files }) => keys(files))).toEqual([["events/m2"], ["events/m3"]]);
  });
  it("costs the same however much the project holds: four objects read and three written, and seven calls of the table", async () => {
    for (const partitions of [1, 24]) {
      const lake = await aLake();
      const months = Array.from(
        { length: partitions },
        (_, at) => `${2020 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`,
      );
      for (const month of months) await lake.swap(month, null, `first-${month}`, [aFile(`events/${month}`)]);
      await lake.publish();
      await lake.swap("2020-01", "first-2020-01", "next", [aFile("events/2020-01"), aFile("events/new")]);
      const calls: string[] = [];
      const counted = <T extends object>(part: T): T =>
        new Proxy(part, {
          get(target, name, receiver) {
            const value: unknown = Reflect.get(target, name, receiver);
            if (typeof value !== "function" || name === "uri") return value;
            return (...given: unknown[]) => {
              calls.push(String(name));
              return value(...given);
            };
          },
        });
      const { table, objects, ...rest } = lake.parts;
      await publishProject({ ...rest, table: counted(table), objects: counted(objects) }, POLICY, PROJECT);
      // The manifest of the lake is read once more, by a process that has not read it before.
      expect(calls.sort()).toEqual(["get", "get", "get", "get", "get", "get", "get", "get", "get", "get", "put", "put", "put", "transact"]);
    }
  });
});
