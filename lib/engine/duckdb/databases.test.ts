import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { openLocalFiles } from "../storage/local-files.ts";
import { openDatabases, type ReadOnlyDatabase } from "./databases.ts";

const roots: string[] = [];
afterAll(() => Promise.all(roots.map((root) => rm(root, { recursive: true, force: true }))));

const HOUR_MS = 3_600_000;
/** It ends when it is ended. */
const ENDLESS = "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b";

const UNITS: Readonly<Record<string, number>> = { KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 };

/** The instance's own limit, MB. */
const limitOf = async (database: ReadOnlyDatabase): Promise<number> => {
  let text = "";
  await database.select("SELECT current_setting('memory_limit')", [], 1_000, ([row]) => {
    text = String(row?.[0]);
    return "more";
  });
  const [, number = "", unit = ""] = /^([\d.]+) (\w+)$/.exec(text) ?? [];
  return (Number(number) * (UNITS[unit] ?? Number.NaN)) / 1_000_000;
};

const threadsOf = async (database: ReadOnlyDatabase): Promise<number> => {
  let threads = Number.NaN;
  await database.select("SELECT current_setting('threads')", [], 1_000, ([row]) => {
    threads = Number(row?.[0]);
    return "more";
  });
  return threads;
};

const someDatabases = async (lanes = 1, threads = 1) => {
  const root = await mkdtemp(join(tmpdir(), "databases-"));
  roots.push(root);
  const local = await openLocalFiles(memoryObjects(), join(root, "engine"), 1_000_000);
  const databases = openDatabases(local, { memoryMb: 600, threads, querySpillBytes: 1e8, compactionSpillBytes: 1e8, lanes });
  return { databases, file: join(root, "copied.parquet") };
};

describe("instances of one process", () => {
  it("use all memory while nothing is compacted, and never more than that together afterwards", async () => {
    const { databases } = await someDatabases();
    expect(await databases.use(1, limitOf)).toBeCloseTo(600, 0);
    const compaction = await databases.alone(1, 0, limitOf);
    const queries = [await databases.use(1, limitOf), await databases.use(2, limitOf)];
    expect(compaction).toBeGreaterThan(350);
    for (const limit of queries) {
      expect(limit).toBeGreaterThan(150);
      expect(limit + compaction).toBeLessThan(601);
    }
    await databases.close();
  });

  it("share the work of a compaction among threads only where it is much", async () => {
    const { databases } = await someDatabases(1, 2);
    const threads = [await databases.alone(1, 99_999_999, threadsOf), await databases.alone(1, 100_000_000, threadsOf)];
    expect([...threads, await databases.use(1, threadsOf)]).toEqual([1, 2, 2]);
    await databases.close();
  });

  it("read little with one thread, and much with several", async () => {
    const { databases } = await someDatabases(1, 2);
    const threads = [await databases.use(1, threadsOf, { readsLittle: true }), await databases.use(1, threadsOf)];
    expect([...threads, await databases.use(1, threadsOf, { readsLittle: true })]).toEqual([1, 2, 1]);
    await databases.close();
  });

  it("end what runs, what waits and what is asked later, when they are closed", async () => {
    const { databases } = await someDatabases();
    const began = Promise.withResolvers<void>();
    const compaction = databases.alone(1, 0, async (database) => {
      began.resolve();
      await database.select(ENDLESS, [], HOUR_MS, () => "more");
    });
    await began.promise;
    const next = databases.alone(2, 0, limitOf);
    const query = databases.use(1, (database) => database.select(ENDLESS, [], HOUR_MS, () => "more"));
    const waiting = databases.use(2, limitOf);
    const ends = Promise.allSettled([compaction, next, query, waiting]);
    await databases.close();
    const later = [databases.use(1, limitOf), databases.alone(1, 0, limitOf)];
    const outcomes = [...(await ends), ...(await Promise.allSettled(later))];
    expect(outcomes.map((each) => each.status === "rejected" && each.reason.name)).toEqual(outcomes.map(() => "Unavailable"));
  });

  it("leave a task alone that has ended its statement, and end its next one", async () => {
    const { databases } = await someDatabases();
    const [asked, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const compaction = databases.alone(1, 0, async (database) => {
      await limitOf(database);
      asked.resolve();
      await closed.promise;
      await limitOf(database);
    });
    const ends = Promise.allSettled([compaction]);
    await asked.promise;
    const closing = databases.close();
    closed.resolve();
    await closing;
    expect(await ends).toMatchObject([{ status: "rejected", reason: { name: "Unavailable" } }]);
  });

  it("answer others while one has a query without an end", async () => {
    const { databases } = await someDatabases(2);
    const began = Promise.withResolvers<void>();
    const endless = databases.use(1, (database) => {
      began.resolve();
      return database.select(ENDLESS, [], HOUR_MS, () => "more");
    });
    const ends = Promise.allSettled([endless]);
    await began.promise;
    for (const project of [2, 3, 4]) expect(await databases.use(project, limitOf)).toBeCloseTo(600, 0);
    await databases.close();
    expect(await ends).toMatchObject([{ status: "rejected", reason: { name: "Unavailable" } }]);
  });

  it("answer others while two have queries without an end, of which one is run again from its beginning", async () => {
    const { databases } = await someDatabases(2);
    const begun: number[] = [];
    const unwanted = new AbortController();
    const again = Promise.withResolvers<void>();
    const endless = [1, 2].map((project) =>
      databases.use(project, (database) => {
        begun.push(project);
        if (begun.length === 3) again.resolve();
        return database.select(ENDLESS, [], HOUR_MS, () => "more", project === 1 ? { signal: unwanted.signal } : {});
      }),
    );
    const ends = Promise.allSettled(endless);
    for (const project of [3, 4]) expect(await databases.use(project, limitOf, { maxWaitMs: HOUR_MS })).toBeCloseTo(600, 0);
    expect(begun).toEqual([1, 2]);
    unwanted.abort(new RangeError("nobody wants it"));
    await again.promise;
    await databases.close();
    expect(begun).toEqual([1, 2, 2]);
    expect(await ends).toMatchObject([{ reason: { name: "RangeError" } }, { reason: { name: "Unavailable" } }]);
  });
});
