import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { UserError } from "../user-error.ts";

/**
 * ClickHouse 26.7 as a library, and what calls a function of a library: half a gigabyte, so they are no dependencies of the project.
 * `ffi-rs` is here because chdb's own binding runs queries, and we want the program.
 */
const PACKAGES = { chdb: "3.4.0", "ffi-rs": "1.3.7" };

const FOLDER = join(import.meta.dirname, "../../../.local/chdb");

/** The folder of packages that holds them, or undefined where they were not fetched yet. */
export const findLibrary = (): string | undefined => {
  const packages = join(FOLDER, "node_modules");
  return Object.keys(PACKAGES).every((name) => existsSync(join(packages, name, "package.json"))) ? packages : undefined;
};

/** The folder of packages that holds them, fetched from the registry at the first call. Throws a `UserError` where that cannot be done. */
export const fetchLibrary = async (): Promise<string> => {
  const found = findLibrary();
  if (found !== undefined) return found;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, "package.json"), `${JSON.stringify({ private: true, dependencies: PACKAGES })}\n`);
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", FOLDER];
  await promisify(execFile)("npm", install, { cwd: FOLDER }).catch((cause: unknown) => {
    throw new UserError(
      "ClickHouse's library could not be fetched from npm's registry (half a gigabyte): connect this machine and try again.",
      {
        cause,
      },
    );
  });
  const fetched = findLibrary();
  if (fetched === undefined) throw new UserError(`There is no ClickHouse library for ${process.platform}-${process.arch}.`);
  return fetched;
};
