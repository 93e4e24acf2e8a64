import type { World } from "../app/world.ts";
import { once } from "../core/once.ts";
import type { Engine } from "../engine/engine.ts";
import { type Downloads, type Objects, objectUri, type Uploads } from "../ports/objects.ts";
import type { DeadLetters, QueueDepths, Queues } from "../ports/queues.ts";
import type { Table } from "../ports/table.ts";

/** A table whose client is still being loaded. */
export const pendingTable = (table: Promise<Table>): Table => ({
  get: async (key, options) => (await table).get(key, options),
  getMany: async (keys, options) => (await table).getMany(keys, options),
  put: async (item, when) => (await table).put(item, when),
  update: async (key, change, when) => (await table).update(key, change, when),
  remove: async (key, when) => (await table).remove(key, when),
  query: async (query) => (await table).query(query),
  transact: async (writes) => (await table).transact(writes),
});

/** Queues whose client is still being loaded. */
export const pendingQueues = (queues: Promise<Queues>): Queues => ({
  send: async (queue, messages) => (await queues).send(queue, messages),
});

/** Depths of queues whose client is still being loaded. */
export const pendingDepths = (depths: Promise<QueueDepths>): QueueDepths => ({
  read: async (queue) => (await depths).read(queue),
});

/** Dead letters that are opened at their first call. */
export const lazyDeadLetters = (open: () => Promise<DeadLetters>): DeadLetters => {
  const letters = once(open);
  return {
    receive: async (queue, options) => (await letters()).receive(queue, options),
    acknowledge: async (queue, receipts) => (await letters()).acknowledge(queue, receipts),
  };
};

/** An object store that is opened at its first call. It keeps no files on this machine: `localPath` and `uri` answer without opening it. */
export const lazyObjects = (open: () => Promise<Objects & Downloads & Uploads>, bucket: string): Objects & Downloads & Uploads => {
  const objects = once(open);
  return {
    put: async (key, bytes) => (await objects()).put(key, bytes),
    putFile: async (key, path) => (await objects()).putFile(key, path),
    offer: async (key, path, download) => (await objects()).offer(key, path, download),
    address: async (key) => (await objects()).address(key),
    admit: async (key, bytes) => (await objects()).admit(key, bytes),
    get: async (key) => (await objects()).get(key),
    getRange: async (key, from, to) => (await objects()).getRange(key, from, to),
    list: async (prefix, cursor) => (await objects()).list(prefix, cursor),
    remove: async (keys) => (await objects()).remove(keys),
    localPath: () => undefined,
    uri: (key) => objectUri(bucket, key),
  };
};

/** An engine that is opened at its first call; closing one that was never opened does nothing. */
export const lazyEngine = (open: () => Promise<Engine>): Engine => {
  let started = false;
  const engine = once(() => {
    started = true;
    return open();
  });
  return {
    run: async (query, pinned, limits) => (await engine()).run(query, pinned, limits),
    write: async (query, pinned, limits, key) => (await engine()).write(query, pinned, limits, key),
    rowFiles: {
      write: async (rows) => (await engine()).rowFiles.write(rows),
      duplicates: async (project, segments, files) => (await engine()).rowFiles.duplicates(project, segments, files),
      matching: async (project, files, match) => (await engine()).rowFiles.matching(project, files, match),
      readMatching: async (project, sources, match, events, take) =>
        (await engine()).rowFiles.readMatching(project, sources, match, events, take),
      countMatching: async (project, sources, match) => (await engine()).rowFiles.countMatching(project, sources, match),
      usageLeft: async (project, sources, match) => (await engine()).rowFiles.usageLeft(project, sources, match),
      sightings: async (source) => (await engine()).rowFiles.sightings(source),
      recount: async (project, file) => (await engine()).rowFiles.recount(project, file),
      merge: async (...given) => (await engine()).rowFiles.merge(...given),
    },
    async close() {
      if (started) await (await engine()).close();
    },
  };
};

/** The segment writer, loaded at its first call: only ingest writes segments. */
export const lazySegments: World["segments"] = {
  async write(rows) {
    const { openSegments } = await import("./parts/segments.ts");
    return openSegments.write(rows);
  },
};
