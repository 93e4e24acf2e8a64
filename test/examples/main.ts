import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { recordExamples } from "./record.ts";

/**
 * `npm run examples`: records a call of every operation on a platform of its own, and writes them where the API's description finds
 * them; and which partitions of the table each of them touched, where the test of rights finds it. `--into FOLDER` writes both there.
 */
const { values } = parseArgs({ options: { into: { type: "string" } } });

const HERE = import.meta.dirname;
const folder = values.into === undefined ? join(HERE, "../../functions/docs/examples") : join(values.into, "examples");
const touchedFile = join(values.into ?? join(HERE, "../infra"), "touched-partitions.json");

const { areas, touched } = await recordExamples();
await mkdir(folder, { recursive: true });
for (const [name, examples] of Object.entries(areas))
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(examples, null, 2)}\n`);
await writeFile(touchedFile, `${JSON.stringify(touched, null, 2)}\n`);
console.log(`${Object.values(areas).flatMap((area) => Object.keys(area)).length} operations are recorded.`);
