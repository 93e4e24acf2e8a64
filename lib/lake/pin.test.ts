import { expect, it } from "vitest";
import { aCommit, PROJECT, smallLake } from "../../test/support/samples/small-lake.ts";
import type { Table } from "../ports/table.ts";
import { renameWrite } from "./catalogue.ts";
import { readCatalogueSnapshot } from "./pin.ts";

const AT = Date.UTC(2026, 0, 1);
const idOf = (number: number): string => String(number).padStart(26, "0");

/** A lake whose commits are read by queries that are counted; `meanwhile` happens right after the first of the next snapshot. */
const watchedLake = async () => {
  const lake = await smallLake(AT);
  const { table, clock } = lake.parts;
  const queries = { made: 0 };
  let meanwhile: (() => Promise<void>) | undefined;
  const watched: Table = {
    ...table,
    async query(query) {
      queries.made += 1;
      const page = await table.query(query);
      const happens = meanwhile;
      meanwhile = undefined;
      await happens?.();
      return page;
    },
    async get(key, options) {
      // The head comes last: whatever happens meanwhile has happened.
      await new Promise((done) => setImmediate(done));
      return table.get(key, options);
    },
  };
  const failing: Table = { ...watched, query: () => Promise.reject(new Error("503")), get: () => Promise.reject(new Error("throttled")) };
  const next = async (happens?: () => Promise<void>) => {
    queries.made = 0;
    meanwhile = happens;
    const { head, commits } = await readCatalogueSnapshot({ table: watched, clock }, PROJECT);
    return { manifests: head.manifests, commits: commits.map(({ id }) => id), queries: queries.made };
  };
  /** Fails as a table does that answers nothing. */
  const fail = () => {
    const { get, query } = watched;
    Object.assign(watched, { get: failing.get, query: failing.query });
    const snapshot = readCatalogueSnapshot({ table: watched, clock }, PROJECT);
    Object.assign(watched, { get, query });
    return snapshot;
  };
  return {
    ...lake,
    next,
    fail,
    swap: (from: string | null, to: string) => table.transact([renameWrite(PROJECT, "2024-10", from, to, null)]),
  };
};

it("the first snapshot of a process reads the head before the commits", async () => {
  const { next, commit } = await watchedLake();
  await commit(aCommit(idOf(1), AT));
  expect(await next()).toEqual({ manifests: {}, commits: [idOf(1)], queries: 1 });
});

it("while the head stays, the commits that are read beside it are taken as they are", async () => {
  const { next, commit } = await watchedLake();
  await next();
  await commit(aCommit(idOf(1), AT));
  expect(await next()).toEqual({ manifests: {}, commits: [idOf(1)], queries: 1 });
});

it("commits that were read before another head came are read again, so that none older than an absorbed one is missing", async () => {
  const { next, commit, swap } = await watchedLake();
  await next();
  const snapshot = await next(async () => {
    await commit(aCommit(idOf(1), AT));
    await commit(aCommit(idOf(2), AT));
    await swap(null, "absorbs-2");
  });
  expect(snapshot).toEqual({ manifests: { "2024-10": "absorbs-2" }, commits: [idOf(1), idOf(2)], queries: 2 });
  expect(await next()).toMatchObject({ commits: [idOf(1), idOf(2)], queries: 1 });
  const replaced = await next(async () => {
    await commit(aCommit(idOf(3), AT));
    await swap("absorbs-2", "absorbs-3");
  });
  expect(replaced).toMatchObject({ commits: [idOf(1), idOf(2), idOf(3)], queries: 2 });
});

it("a snapshot that fails says so once, for the head, and leaves nothing behind that fails later", async () => {
  const { next, fail, commit } = await watchedLake();
  await next();
  await expect(fail()).rejects.toThrow("throttled");
  await commit(aCommit(idOf(1), AT));
  expect(await next()).toMatchObject({ commits: [idOf(1)] });
});
