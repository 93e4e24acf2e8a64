import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countingLeases, openEngineStorage } from "../../../test/support/engine-storage.ts";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../../test/support/samples/event-rows.ts";
import type { FileFacts } from "../../lake/catalogue.ts";
import { segmentKey } from "../../lake/paths.ts";
import { writeSegment } from "../../lake/row-files.ts";
import type { Databases } from "../duckdb/databases.ts";
import { compareParquet } from "./compare-rows.ts";
import { openDuplicateFinder } from "./duplicates.ts";
import type { LocalFiles } from "./local-files.ts";

describe("the search for duplicates", () => {
  const objects = memoryObjects();
  let databases: Databases;
  let local: LocalFiles;
  let close: () => Promise<void>;
  const segments: FileFacts[] = [];
  const large: FileFacts[] = [];

  beforeAll(async () => {
    ({ local, databases, close } = await openEngineStorage(objects));
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
      ["c", rows.slice(0, 2_500)],
    ] as const) {
      const { content, ...facts } = await writeSegment(some, countRows);
      const key = segmentKey(1, "2025-06", name);
      await objects.put(key, content);
      large.push({ key, ...facts });
    }
    segments.push(...large.slice(0, 2));
  });
  afterAll(() => close());

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

  it("gives a statement a minute", async () => {
    const limits: number[] = [];
    const late: Pick<Databases, "use"> = {
      use: (_project, task) =>
        task({
          select: (_sql, _parameters, timeMs) => {
            limits.push(timeMs);
            return Promise.reject(new Error("too late"));
          },
        }),
    };
    await expect(openDuplicateFinder(compareParquet({ local, databases: late })).find(1, segments, [])).rejects.toThrow("too late");
    expect(limits).toEqual([60_000]);
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

  it("finds what a few files share and what two of them share nearly whole", async () => {
    const duplicates = await openDuplicateFinder(compareParquet({ local, databases })).find(1, large, []);
    const [, b = "", c = ""] = large.map(({ key }) => key);
    expect(new Map(duplicates)).toEqual(
      new Map([
        [b, [0, 1]],
        [c, Array.from({ length: 2_500 }, (_, at) => at)],
      ]),
    );
  });

  it("tells of two waiting files once what they share, from whichever side it looks", async () => {
    const [a, b] = segments.map((file) => ({ file, waiting: true }));
    if (!a || !b) throw new Error("no two files");
    const compare = compareParquet({ local, databases });
    const shared = [{ segment: b.file.key, other: a.file.key, waiting: true, rows: [0, 1] }];
    const inOrder = async (...comparison: Parameters<typeof compare>) =>
      (await compare(...comparison)).map((each) => ({ ...each, rows: each.rows.toSorted((x, y) => x - y) }));
    expect(await inOrder(1, { segments, others: [a, b] })).toEqual(shared);
    expect(await inOrder(1, { segments: [a.file], others: [b] })).toEqual(shared);
    expect(await inOrder(1, { segments: [b.file], others: [a] })).toEqual(shared);
  });

  it("lets go of each file that it held, whatever becomes of the comparison", async () => {
    const { counting, leases } = countingLeases(local);
    await openDuplicateFinder(compareParquet({ local: counting, databases })).find(1, segments, []);
    const failing: Pick<Databases, "use"> = { use: () => Promise.reject(new Error("out of memory")) };
    const finder = openDuplicateFinder(compareParquet({ local: counting, databases: failing }));
    await expect(finder.find(1, segments, [])).rejects.toThrow("out of memory");
    expect(leases).toEqual({ held: 3, open: 0 });
  });
});
