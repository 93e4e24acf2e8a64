import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { openDatabases, type Selecting } from "./databases.ts";
import { openLocalFiles } from "./storage/local-files.ts";

const roots: string[] = [];
afterAll(() => Promise.all(roots.map((root) => rm(root, { recursive: true, force: true }))));

const UNITS: Readonly<Record<string, number>> = { KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 };

/** The instance's own limit, MB. */
const limitOf = async (database: Selecting): Promise<number> => {
  let text = "";
  await database.select("SELECT current_setting('memory_limit')", [], 1_000, ([row]) => {
    text = String(row?.[0]);
    return "more";
  });
  const [, number = "", unit = ""] = /^([\d.]+) (\w+)$/.exec(text) ?? [];
  return (Number(number) * (UNITS[unit] ?? Number.NaN)) / 1_000_000;
};

describe("instances of one process", () => {
  it("use all memory while nothing is compacted, and never more than that together afterwards", async () => {
    const root = await mkdtemp(join(tmpdir(), "databases-"));
    roots.push(root);
    const local = await openLocalFiles(memoryObjects(), join(root, "engine"), 1_000_000);
    const databases = openDatabases(local, { memoryMb: 600, threads: 1, querySpillBytes: 1e8, compactionSpillBytes: 1e8 });
    expect(await databases.use(1, limitOf)).toBeCloseTo(600, 0);
    const compaction = await databases.alone(1, limitOf);
    const queries = [await databases.use(1, limitOf), await databases.use(2, limitOf)];
    expect(compaction).toBeGreaterThan(350);
    for (const limit of queries) {
      expect(limit).toBeGreaterThan(150);
      expect(limit + compaction).toBeLessThan(601);
    }
    await databases.close();
  });
});
