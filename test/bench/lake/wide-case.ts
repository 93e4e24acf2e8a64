import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { jobs } from "../../../functions/jobs/consumer.ts";
import { engineLimits, functionSizing } from "../../../infra/sizing.ts";
import { openEngine } from "../../../lib/engine/open.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { compactWide, directoryObjects, diskBytes, writeWide } from "../../support/samples/wide-lake.ts";
import { peakKilobytes } from "../peak-memory.ts";

/** Run in a process of its own, so that its memory is that of one part: `write` makes the segments, `compact` works on them. */
const [part = "", root = "", wide = "{}"] = process.argv.slice(2);
const objects = directoryObjects(join(root, "objects"));
const list = join(root, "segments.json");

if (part === "write") await writeFile(list, JSON.stringify(await writeWide(objects, JSON.parse(wide))));
else {
  const directory = join(root, "engine");
  let peakDisk = 0;
  const watch = setInterval(async () => {
    peakDisk = Math.max(peakDisk, await diskBytes(directory));
  }, 200);
  const began = performance.now();
  const engine = await openEngine({ objects, directory, config: engineLimits(functionSizing(jobs)), countUsage });
  const { files, ...outcome } = await compactWide({ objects, policy: POLICIES.deployed, engine }, JSON.parse(await readFile(list, "utf8")));
  await engine.close();
  clearInterval(watch);
  const largest = Math.max(...files.map(({ plainBytes = 0 }) => plainBytes));
  const seconds = (performance.now() - began) / 1_000;
  console.log(JSON.stringify({ ...outcome, files: files.length, largest, peakKb: peakKilobytes(), peakDisk, seconds }));
}
