import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readCommits } from "../../../lib/lake/catalogue/commits.ts";
import { swap } from "../../../lib/lake/catalogue/swap.ts";
import { CATALOGUE_FORMAT, type Manifest } from "../../../lib/lake/catalogue.ts";
import { fold } from "../../../lib/lake/fold-persons.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { diskObjects } from "../engine/engine-set.ts";
import { peakKilobytes } from "../peak-memory.ts";
import { PROJECT, type StoredItem, storedItem } from "./waiting-persons-set.ts";

/** Run in a process of its own: folds all that waits in a folder as if it were gathered, and prints how long that takes and the peak memory. */
const [root = ""] = process.argv.slice(2);
const items: readonly StoredItem[] = JSON.parse(readFileSync(join(root, "items.json"), "utf8"));
const table = memoryTable();
for (const item of items) await table.put(storedItem(item));
const objects = diskObjects(root);
let ulids = 0;
const ids = { uuid: () => "", ulid: () => `f${String(ulids++).padStart(25, "0")}`, secret: () => new Uint8Array() };
const parts = { table, objects, clock: { now: () => Date.now() }, ids };
const commits = await readCommits(table, PROJECT);
for (const partition of new Set(commits.flatMap(({ segments }) => segments.map((segment) => segment.partition)))) {
  const absorbed = commits.filter(({ segments }) => segments.some((segment) => segment.partition === partition)).map(({ id }) => id);
  const manifest: Manifest = {
    ...{ v: CATALOGUE_FORMAT, id: ids.ulid(), partition, files: [], loose: [], absorbed, sealed: false },
    absorbedAt: absorbed.map(() => 0),
  };
  await swap(parts, POLICIES.deployed, PROJECT, partition, null, manifest, null, { retired: [] });
}
const started = performance.now();
let steps = 0;
for (let left = 1; left > 0; steps += 1) left = (await fold(parts, POLICIES.deployed, PROJECT)).left;
console.log(JSON.stringify({ seconds: (performance.now() - started) / 1_000, steps, peakKb: peakKilobytes() }));
