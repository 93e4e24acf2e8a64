import { expect, it } from "vitest";
import { aCommit, PROJECT, smallLake } from "../../test/support/samples/small-lake.ts";
import type { Table } from "../ports/table.ts";
import { sortKey } from "../table/partitions.ts";
import { renameWrite } from "./head.ts";
import { failedSk, lakePk, retiredSk, TYPES_SK } from "./paths.ts";
import { readCatalogueSnapshot } from "./pin.ts";

const AT = Date.UTC(2026, 0, 1);
const idOf = (number: number): string => String(number).padStart(26, "0");

/** A lake whose calls to the table are counted; `meanwhile` happens right after the first page of the next snapshot. */
const watchedLake = async () => {
  const lake = await smallLake(AT);
  const { table, clock } = lake.parts;
  const calls = { gets: 0, queries: 0 };
  let meanwhile: (() => Promise<void>) | undefined;
  const watched: Table = {
    ...table,
    async query(query) {
      calls.queries += 1;
      const happens = meanwhile;
      meanwhile = undefined;
      const page = await table.query(happens === undefined ? query : { ...query, limit: 1 });
      await happens?.();
      return page;
    },
    async get(key, options) {
      calls.gets += 1;
      return table.get(key, options);
    },
  };
  const failing: Table = { ...watched, query: () => Promise.reject(new Error("throttled")) };
  const next = async (happens?: () => Promise<void>) => {
    Object.assign(calls, { gets: 0, queries: 0 });
    meanwhile = happens;
    const { head, commits } = await readCatalogueSnapshot({ table: watched, clock }, PROJECT);
    return { manifests: head.manifests, commits: commits.map(({ id }) => id), ...calls };
  };
  /** Fails as a table does that answers nothing. */
  const fail = () => {
    const { query } = watched;
    Object.assign(watched, { query: failing.query });
    const snapshot = readCatalogueSnapshot({ table: watched, clock }, PROJECT);
    Object.assign(watched, { query });
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
  expect(await next()).toEqual({ manifests: {}, commits: [idOf(1)], gets: 1, queries: 1 });
});

it("while the head stays, the commits that are read with it in one call are taken as they are", async () => {
  const { next, commit } = await watchedLake();
  await next();
  await commit(aCommit(idOf(1), AT));
  expect(await next()).toEqual({ manifests: {}, commits: [idOf(1)], gets: 0, queries: 1 });
});

it("commits that were read before another head came are read again, so that none older than an absorbed one is missing", async () => {
  const { next, commit, swap } = await watchedLake();
  await commit(aCommit(idOf(5), AT));
  await next();
  const snapshot = await next(async () => {
    await commit(aCommit(idOf(1), AT));
    await commit(aCommit(idOf(6), AT));
    await swap(null, "absorbs-6");
  });
  expect(snapshot).toEqual({ manifests: { "2024-10": "absorbs-6" }, commits: [idOf(1), idOf(5), idOf(6)], gets: 0, queries: 3 });
  expect(await next()).toMatchObject({ commits: [idOf(1), idOf(5), idOf(6)], queries: 1 });
  const replaced = await next(async () => {
    await commit(aCommit(idOf(0), AT));
    await swap("absorbs-6", "absorbs-0");
  });
  expect(replaced).toMatchObject({ commits: [idOf(0), idOf(1), idOf(5), idOf(6)], queries: 3 });
});

it("what lies between the commits and the head is neither", async () => {
  const { next, commit, parts } = await watchedLake();
  await commit(aCommit(idOf(1), AT));
  for (const sk of [failedSk("gather"), sortKey("lake", "groups", {}), retiredSk("file"), TYPES_SK])
    await parts.table.put({ pk: lakePk(PROJECT), sk, v: 1 });
  await next();
  expect(await next()).toEqual({ manifests: {}, commits: [idOf(1)], gets: 0, queries: 1 });
});

it("a snapshot that fails is made anew by the next", async () => {
  const { next, fail, commit } = await watchedLake();
  await next();
  await expect(fail()).rejects.toThrow("throttled");
  await commit(aCommit(idOf(1), AT));
  expect(await next()).toMatchObject({ commits: [idOf(1)] });
});
