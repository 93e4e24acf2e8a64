import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "../../../lib/engine/open.ts";
import { lower } from "../../../lib/hogql/lower.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import { pin } from "../../../lib/lake/pin.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { diskObjects } from "../engine/engine-set.ts";
import { peakKilobytes } from "../peak-memory.ts";
import { PROJECT, type StoredItem, storedItem } from "./waiting-persons-set.ts";

/** Run in a process of its own: asks a statement several times of what waits in a folder, and prints its answer, times and peak memory. */
const [root = "", statement = ""] = process.argv.slice(2);
const TIMES = 4;
const LIMITS = { timeMs: 60_000, maxRows: 10, maxReplyBytes: 1_000_000 };

const items: readonly StoredItem[] = JSON.parse(readFileSync(join(root, "items.json"), "utf8"));
const table = memoryTable();
for (const item of items) await table.put(storedItem(item));
const objects = diskObjects(root);
const clock = { now: () => Date.now() };
const config = { engineDiskBytes: 4_000_000_000, engineMemoryMb: 1_500 };
const engine = await openEngine({ objects, directory: join(root, "engine"), config, countUsage });
const options = { project: PROJECT, timezone: "UTC", now: 0, variables: {}, page: null };
const { lowered } = lower(await parse(statement), options);
const times: number[] = [];
let answer: unknown;
for (let time = 0; time < TIMES; time += 1) {
  const started = performance.now();
  const pinned = await pin({ table, objects, clock }, PROJECT, null, { events: true, state: true });
  answer = (await engine.run(lowered, pinned, LIMITS)).rows;
  times.push((performance.now() - started) / 1_000);
}
await engine.close();
console.log(JSON.stringify({ answer, times, peakKb: peakKilobytes() }));
