import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../../test/support/samples/event-rows.ts";
import type { FileFacts } from "../../lake/catalogue/catalogue.ts";
import { segmentKey } from "../../lake/catalogue/paths.ts";
import { writeSegment } from "../../lake/parquet/segment.ts";
import { type Databases, openDatabases } from "../databases.ts";
import { compareParquet } from "./compare-rows.ts";
import { openDuplicateFinder } from "./duplicates.ts";
import { type LocalFiles, openLocalFiles } from "./local-files.ts";

describe("the search for duplicates", () => {
  const objects = memoryObjects();
  let root: string;
  let databases: Databases;
  let local: LocalFiles;
  const segments: FileFacts[] = [];

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "duplicates-"));
    local = await openLocalFiles(objects, join(root, "engine"), 100_000_000);
    databases = openDatabases(local, { memoryMb: 300, threads: 2, querySpillBytes: 1e8, compactionSpillBytes: 1e8 });
    // Large enough that a file is fetched by columns.
    const rows = Array.from({ length: 3_000 }, (_, at) =>
      anEventRow({
        uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(at).padStart(12, "0")}`,
        index: at,
        properties: JSON.stringify({ noise: (at * 2_654_435_761).toString(36).repeat(9) }),
      }),
    );
    for (const [name, some] of [
      ["a", rows],
      ["b", rows.slice(1_000, 1_002)],
    ] as const) {
      const { content, ...facts } = await writeSegment(some, countRows);
      const key = segmentKey(1, "2025-06", name);
      await objects.put(key, content);
      segments.push({ key, ...facts });
    }
  });
  afterAll(async () => {
    await databases.close();
    await rm(root, { recursive: true, force: true });
  });

  it("fails at once for any other reason", async () => {
    let asked = 0;
    const failing: Pick<Databases, "use"> = {
      use: () => {
        asked += 1;
        return Promise.reject(new Error("out of memory"));
      },
    };
    const finder = openDuplicateFinder(compareParquet({ local, databases: failing }));
    await expect(finder.find(1, segments, [])).rejects.toThrow("out of memory");
    expect(asked).toBe(1);
  });

  it("fetches files whole when bytes of a column are missing", async () => {
    const asked: unknown[] = [];
    // As if the columns that were asked for had not come.
    const wrong: LocalFiles = {
      ...local,
      hold: (project, wanted) => {
        asked.push(wanted[0]?.columns === "all");
        return local.hold(
          project,
          wanted.map((one) => (one.columns === "all" ? one : { ...one, columns: ["event"] })),
        );
      },
    };
    const duplicates = await openDuplicateFinder(compareParquet({ local: wrong, databases })).find(1, segments, []);
    expect(new Map(duplicates)).toEqual(new Map([[segments[1]?.key, [0, 1]]]));
    expect(asked).toContain(false);
    expect(asked).toContain(true);
  });
});
