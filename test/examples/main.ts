import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { recordExamples } from "./record.ts";

/**
 * `npm run examples`: records a call of every operation on a platform of its own, and writes them where the API's description finds
 * them. `--into FOLDER` writes them elsewhere.
 */
const { values } = parseArgs({
  options: { into: { type: "string", default: join(import.meta.dirname, "../../functions/docs/examples") } },
});

const areas = await recordExamples();
await mkdir(values.into, { recursive: true });
for (const [name, examples] of Object.entries(areas))
  await writeFile(join(values.into, `${name}.json`), `${JSON.stringify(examples, null, 2)}\n`);
console.log(`${Object.values(areas).flatMap((area) => Object.keys(area)).length} operations are recorded.`);
