import { describe, expect, it } from "vitest";
import { memoryRowFiles, readRows, rowLists } from "../../test/simulation/ports/row-files.ts";
import { anEventRow, countRows } from "../../test/support/samples/event-rows.ts";
import { aCommit, PROJECT, smallLake } from "../../test/support/samples/small-lake.ts";
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import type { EventRow } from "../event/event.ts";
import { importIdOf, requestOfImport } from "../event/imports.ts";
import { partitionAt } from "../event/time-partitions.ts";
import { readCommits } from "./catalogue/commits.ts";
import { getManifest } from "./catalogue/manifests.ts";
import { forget } from "./catalogue/retired.ts";
import type { Removal } from "./catalogue.ts";
import { compact } from "./compact.ts";
import { finishRemovals } from "./finish-removals.ts";
import { readHead } from "./head.ts";
import { segmentKey } from "./paths.ts";
import { pin, planEvents } from "./pin.ts";
import { POLICIES, policyOf } from "./policy.ts";
import { publicationItem } from "./published.ts";
import { currentRemovals, seenSources } from "./removals.ts";
import { removeRows } from "./remove-rows.ts";
import type { RowFiles } from "./row-files.ts";

const NOW = 1_800_000_000_000;
const US = 1_000n;
const POLICY = { ...POLICIES.deployed, rewriteMinRows: 1 };
const PUBLISHING = { ...policyOf({ compaction: "deployed", publish: "iceberg" }), rewriteMinRows: 1 };
const ALL = { from: null, to: null, events: null, distinctIds: null };
const SHOP = importIdOf("old shop");
const ERASE: Removal = { kind: "ids", distinctIds: ["ann"] };
const UNDO: Removal = { kind: "import", import: SHOP };

const row = (distinct_id: string, changes: Partial<EventRow> = {}): EventRow =>
  anEventRow({ timestamp: BigInt(NOW) * US, distinct_id, uuid: `uuid-${distinct_id}`, ...changes });

/** A row of the import, unless a later one of its request. */
const imported = (distinct_id: string): EventRow => row(distinct_id, { request: requestOfImport(SHOP, "0".repeat(32)) });

/** A lake to which drains of rows are committed. */
const aLake = async (within: () => Promise<void> = async () => undefined) => {
  const lake = await smallLake(NOW);
  const lists = rowLists();
  const files = memoryRowFiles(lake.parts.objects, lists, { countUsage: countRows });
  let drains = 0;
  const merge: RowFiles["merge"] = async (...given) => {
    const written = await files.merge(...given);
    await within();
    return written;
  };
  const parts = { ...lake.parts, rowFiles: { ...files, merge } };
  const drain = async (...rows: readonly EventRow[]): Promise<void> => {
    const partition = partitionAt(rows[0]?.timestamp ?? 0n);
    const { content, ...facts } = await files.write(rows);
    const key = segmentKey(PROJECT, partition, `s${drains}`);
    await parts.objects.put(key, content);
    await lake.commit(aCommit(`c${drains++}`, NOW, { segments: [{ ...facts, key, partition }] }));
  };
  const partition = partitionAt(BigInt(NOW) * US);
  return {
    ...lake,
    parts,
    drain,
    gather: () => compact(parts, POLICY, { project: PROJECT, partition, upTo: "c9", seal: false }),
    remove: (removal: Removal) => removeRows(parts, POLICY, PROJECT, removal),
    finish: () => finishRemovals(parts, POLICY, PROJECT, { remainingMs: () => HOUR_MS }, async () => undefined),
    manifest: async (of = partition) => getManifest(parts.objects, PROJECT, of, (await readHead(parts.table, PROJECT)).manifests[of] ?? ""),
    async seen() {
      const pinned = await pin(parts, PROJECT, null, { events: true, state: false });
      const found: string[] = [];
      for (const { file, skip } of await seenSources(parts.rowFiles, PROJECT, planEvents(pinned, ALL), pinned.removals))
        for (const [at, each] of (await readRows(parts.objects, lists, file)).entries())
          if (!skip.includes(at)) found.push(each.distinct_id);
      return found.sort();
    },
    reminders: (): number => lake.parts.table.everything().filter(({ sk }) => sk === "removals").length,
  };
};

describe("rows of an erased id", () => {
  it("are gone from files and among those that wait, for good, and their file keeps its bytes", async () => {
    const lake = await aLake();
    await lake.drain(row("ann"), row("bob"), row("cleo"));
    await lake.gather();
    await lake.drain(row("ann", { uuid: "later" }), row("dan"));
    expect(await lake.remove(ERASE)).toMatchObject({ outcome: "done", rows: 1, partitions: [partitionAt(BigInt(NOW) * US)] });
    expect(await lake.seen()).toEqual(["bob", "cleo", "dan"]);
    await lake.drain(row("ann", { uuid: "much later" }), row("eve"));
    expect(await lake.seen()).toEqual(["bob", "cleo", "dan", "eve"]);
    await lake.gather();
    expect(await lake.seen()).toEqual(["bob", "cleo", "dan", "eve"]);
  });

  it("are counted no more, and leave no id behind in what stays in force", async () => {
    const lake = await aLake();
    await lake.drain(row("ann"), row("bob"), row("cleo"));
    await lake.gather();
    await lake.remove(ERASE);
    const counted = await lake.manifest();
    const counts = (usage: Readonly<Record<string, Readonly<Record<string, number>>>>) => Object.values(usage).flatMap(Object.values);
    expect([...(counted?.files ?? []), ...(counted?.loose ?? [])].flatMap(({ usage }) => counts(usage))).toEqual([2]);
    expect(counted?.v).toBe(5);
    const removals = await currentRemovals(lake.parts, PROJECT);
    expect(removals?.open).toEqual([]);
    expect(JSON.stringify(removals)).not.toContain("ann");
  });

  it("leave files when what is left is done, and their reminder goes once their orphans have", async () => {
    const lake = await aLake();
    await lake.drain(row("ann"), row("bob"), row("cleo"));
    await lake.gather();
    await lake.remove(ERASE);
    expect(await lake.finish()).toBe("done");
    const manifest = await lake.manifest();
    expect([...(manifest?.files ?? []), ...(manifest?.loose ?? [])].map(({ rows, skip }) => [rows, skip])).toEqual([[2, undefined]]);
    expect(await lake.seen()).toEqual(["bob", "cleo"]);
    expect(lake.reminders()).toBe(1);
    lake.pass(20 * HOUR_MS);
    expect(await lake.finish()).toBe("done");
    expect(lake.reminders()).toBe(0);
  });

  it("leave what was replaced before, too, within a day, though snapshots of open tables were to keep it for a week", async () => {
    const lake = await aLake();
    const retired = () => lake.parts.table.everything().filter(({ sk }) => sk.startsWith("retired#"));
    const publish = (...reads: readonly number[]) =>
      lake.parts.table.put(publicationItem(PROJECT, { table: "events", metadata: "m", snapshot: 1, at: NOW, state: "s", reads }));
    await lake.drain(row("ann"), row("bob"));
    await lake.gather();
    const [first] = (await lake.manifest())?.files ?? [];
    expect(first).toMatchObject({ rows: 2 });
    await publish(NOW);
    await lake.drain(row("cleo"), row("dan"));
    await lake.gather();
    await publish(NOW, NOW + HOUR_MS);
    lake.pass(DAY_MS);
    for (const { sk } of retired()) await forget(lake.parts, PUBLISHING, PROJECT, sk);
    expect((await lake.manifest())?.files).not.toContainEqual(first);
    expect(lake.keys()).toContain(first?.key);
    await lake.remove(ERASE);
    await publish(NOW + DAY_MS);
    lake.pass(20 * HOUR_MS);
    expect(await finishRemovals(lake.parts, PUBLISHING, PROJECT, { remainingMs: () => HOUR_MS }, async () => undefined)).toBe("done");
    expect(lake.keys()).not.toContain(first?.key);
  });

  it("stay gone where a merge was under way that read them before", async () => {
    let remove = async (): Promise<void> => undefined;
    const lake = await aLake(async () => {
      const once = remove;
      remove = async () => undefined;
      await once();
    });
    await lake.drain(row("ann"), row("bob"), row("cleo"));
    await lake.gather();
    remove = async () => void (await lake.remove(ERASE));
    await lake.drain(row("dan"));
    await lake.gather();
    expect(await lake.seen()).toEqual(["bob", "cleo", "dan"]);
  });
});

describe("an import that is undone", () => {
  it("goes as a whole, and may be imported again under another name", async () => {
    const lake = await aLake();
    await lake.drain(imported("ann"), imported("bob"), row("cleo"));
    await lake.gather();
    await lake.remove(UNDO);
    expect(await lake.seen()).toEqual(["cleo"]);
    await lake.drain(row("ann", { request: requestOfImport(importIdOf("files"), "1".repeat(32)) }), imported("bob"));
    expect(await lake.seen()).toEqual(["ann", "cleo"]);
    await lake.gather();
    expect(await lake.seen()).toEqual(["ann", "cleo"]);
  });

  it("leaves the rows of which another copy stays", async () => {
    const lake = await aLake();
    await lake.drain(row("ann"));
    await lake.gather();
    await lake.drain(imported("ann"), imported("bob"));
    await lake.gather();
    await lake.remove(UNDO);
    expect(await lake.seen()).toEqual(["ann"]);
  });

  it("is forgotten once no copy of it can come", async () => {
    const lake = await aLake();
    await lake.drain(imported("ann"));
    await lake.remove(UNDO);
    lake.pass(36 * DAY_MS);
    await lake.finish();
    expect((await currentRemovals(lake.parts, PROJECT))?.imports).toEqual([]);
    expect(lake.reminders()).toBe(0);
  });
});

it("months that are over go whole, and rows of theirs that come later are not seen", async () => {
  const lake = await aLake();
  const old = { timestamp: BigInt(Date.UTC(2024, 0, 15)) * US };
  await lake.drain(row("ann", old));
  await compact(lake.parts, POLICY, { project: PROJECT, partition: "2024-01", upTo: "c9", seal: false });
  await lake.drain(row("bob"));
  expect(await lake.remove({ kind: "before", month: "2024-02" })).toMatchObject({ outcome: "done", rows: 1, partitions: ["2024-01"] });
  expect(await lake.seen()).toEqual(["bob"]);
  expect(await lake.manifest("2024-01")).toMatchObject({ files: [], loose: [], expired: true });
  await lake.drain(row("cleo", old));
  expect(await lake.seen()).toEqual(["bob"]);
});

it("a removal that is asked for again finds nothing, and one of a removed project nothing either", async () => {
  const lake = await aLake();
  await lake.drain(row("ann"));
  await lake.remove(ERASE);
  expect(await lake.remove(ERASE)).toMatchObject({ outcome: "done", rows: 0 });
  expect(await readCommits(lake.parts.table, PROJECT)).toHaveLength(1);
});
