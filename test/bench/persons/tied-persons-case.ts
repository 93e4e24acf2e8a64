import { commitItem } from "../../../lib/lake/catalogue/commits.ts";
import { CATALOGUE_FORMAT, type Commit } from "../../../lib/lake/catalogue.ts";
import { fold } from "../../../lib/lake/fold-persons.ts";
import { initialHead } from "../../../lib/lake/head.ts";
import { deltaKey } from "../../../lib/lake/paths.ts";
import { type Deltas, gatherDeltas, type PersonOp } from "../../../lib/lake/persons/deltas.ts";
import { storedDeltas } from "../../../lib/lake/persons/stored-deltas.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { diskObjects } from "../engine/engine-set.ts";
import { peakKilobytes } from "../peak-memory.ts";

/**
 * Run in a process of its own: folds ids that merges tie together, as many as a drain brings at a time, then one more event of one of
 * them, and prints how long both took, what the last one wrote and the peak memory.
 */
const [root = "", shape = "", count = ""] = process.argv.slice(2);
const PROJECT = 9;
const PER_COMMIT = 25_000;

/** What the event of a number says: of whom, and who else that is said to be. */
const SHAPES: Readonly<Record<string, (at: number) => Pick<PersonOp, "id" | "merge">>> = {
  /** Everybody is one person. */
  star: (at) => ({ id: "somebody", merge: { kind: "identify", source: `id-${at}` } }),
  /** An id that many people share, as where a program sends one for all: all but the first merge are refused. */
  shared: (at) => ({ id: `id-${at}`, merge: { kind: "identify", source: "shared" } }),
};

const table = memoryTable();
const disk = diskObjects(root);
let written = 0;
const objects: Objects = {
  ...disk,
  put: (key, bytes) => {
    written += bytes.length;
    return disk.put(key, bytes);
  },
};
let ulids = 0;
const ids = { uuid: () => "", ulid: () => `f${String(ulids++).padStart(25, "0")}`, secret: () => new Uint8Array() };
const parts = { table, objects, clock: { now: () => Date.now() }, ids };
await table.put(initialHead(PROJECT, 0));

const deltasOf = (from: number, to: number): Deltas => {
  const deltas = gatherDeltas();
  for (let event = from; event < to; event += 1) {
    const said = SHAPES[shape]?.(event);
    if (said === undefined) throw new Error(`no shape is called ${shape}`);
    const at = { time: BigInt(event) * 1_000_000n, index: 0, uuid: `00000000-0000-7000-8000-${event.toString(16).padStart(12, "0")}` };
    deltas.seen(`id-${event}`, { ...at, time: at.time - 1n });
    deltas.seen(said.id, at);
    deltas.person({ at, ...said, set: null, setOnce: null, unset: null });
  }
  return deltas.take();
};

const commit = async (deltas: Deltas): Promise<void> => {
  const stored = await storedDeltas(PROJECT, deltas, () => deltaKey(PROJECT, ids.ulid()));
  if (stored?.object) await objects.put(stored.object.key, stored.object.bytes);
  const facts: Commit = { v: CATALOGUE_FORMAT, id: ids.ulid(), at: 0, lane: "historical", segments: [], deltas: stored?.ref ?? null };
  await table.put(commitItem(PROJECT, facts));
};

const folded = async (): Promise<{ readonly seconds: number; readonly steps: number; readonly writtenMb: number }> => {
  const [started, before] = [performance.now(), written];
  let steps = 0;
  for (let left = 1; left > 0; steps += 1) left = (await fold(parts, POLICIES.deployed, PROJECT)).left;
  return { seconds: (performance.now() - started) / 1_000, steps, writtenMb: (written - before) / 1e6 };
};

const all = Number(count);
for (let from = 1; from <= all; from += PER_COMMIT) await commit(deltasOf(from, Math.min(from + PER_COMMIT, all + 1)));
const whole = await folded();
await commit(deltasOf(all + 1, all + 2));
const further = await folded();
console.log(JSON.stringify({ whole, further, peakKb: peakKilobytes() }));
