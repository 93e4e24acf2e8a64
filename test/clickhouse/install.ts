import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** ClickHouse 26.7 as a library: half a gigabyte, so it is no dependency of the project. */
const CHDB = "3.4.0";

const FOLDER = join(import.meta.dirname, "../../.local/chdb");

/** The folder of the package, which is fetched from the registry at the first run. */
export const installChdb = async (): Promise<string> => {
  const folder = join(FOLDER, "node_modules", "chdb");
  if (existsSync(join(folder, "package.json"))) return folder;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, "package.json"), `${JSON.stringify({ private: true, dependencies: { chdb: CHDB } })}\n`);
  await promisify(execFile)("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", FOLDER], { cwd: FOLDER });
  return folder;
};
