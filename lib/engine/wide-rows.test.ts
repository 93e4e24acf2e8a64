import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compactWide, directoryObjects, type WideOutcome, type WideRows, writeWide } from "../../test/support/samples/wide-lake.ts";
import { POLICIES } from "../lake/policy.ts";
import { countUsage } from "../usage/day-counts.ts";
import { openDatabases } from "./duckdb/databases.ts";
import { engineOver, openEngine } from "./open.ts";
import { openLocalFiles } from "./storage/local-files.ts";

/** A thirtieth of what is deployed, of everything that is counted in bytes, and time for one step in each job. */
const POLICY = { ...POLICIES.deployed, fileBytes: 8_000_000, stepBytes: 31_000_000, stepsWithinMs: 0 };
const DISK_BYTES = 400_000_000;
const MEMORY_MB = 90;

describe("events of many bytes, in an engine with little memory", () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "wide-"));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const compacted = async (name: string, wide: WideRows): Promise<WideOutcome> => {
    const objects = directoryObjects(join(root, name, "objects"));
    const local = await openLocalFiles(objects, join(root, name, "engine"), DISK_BYTES / 2);
    const spills = { querySpillBytes: 0, compactionSpillBytes: DISK_BYTES / 8 };
    const databases = openDatabases(local, { memoryMb: MEMORY_MB, threads: 2, ...spills });
    const sizes = { fileRows: POLICY.fileRows, mostRows: 1_000_000, fileBytes: POLICY.fileBytes };
    const engine = engineOver({ objects, local, databases, countUsage, sizes });
    try {
      return await compactWide({ objects, policy: POLICY, engine }, await writeWide(objects, wide));
    } finally {
      await engine.close();
    }
  };

  it.each([
    ["of 20 KB", { rows: 3_000, rowBytes: 20_000, days: 3, drainBytes: 4_000_000 }],
    ["of 1 MB, as many as a file holds and more", { rows: 30, rowBytes: 1_000_000, days: 1, drainBytes: 4_000_000 }],
  ])(
    "are gathered, rewritten, sealed and counted: %s",
    async (name, wide) => {
      const { files, ...outcome } = await compacted(name, wide);
      expect(outcome).toEqual({ failures: [], rows: wide.rows, usage: wide.rows, loose: 0, sealed: true });
      for (const { plainBytes } of files) expect(plainBytes).toBeLessThanOrEqual(POLICY.fileBytes);
    },
    60_000,
  );

  it("are merged on a laptop as its policy says, which sorts less at once", async () => {
    const objects = directoryObjects(join(root, "laptop", "objects"));
    const config = { engineDiskBytes: DISK_BYTES, engineMemoryMb: 600, compaction: "local" } as const;
    const engine = await openEngine({ objects, directory: join(root, "laptop", "engine"), config, countUsage });
    try {
      const rows = 75;
      const segments = await writeWide(objects, { rows, rowBytes: 1_000_000, days: 1, drainBytes: 20_000_000 });
      const { files, ...outcome } = await compactWide({ objects, policy: POLICIES.local, engine }, segments);
      expect(outcome).toMatchObject({ failures: [], rows, loose: 0, sealed: true });
      for (const { plainBytes } of files) expect(plainBytes).toBeLessThanOrEqual(POLICIES.local.fileBytes);
    } finally {
      await engine.close();
    }
  });
});
