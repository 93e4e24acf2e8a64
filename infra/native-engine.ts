import { existsSync } from "node:fs";
import { copyFile, cp, link, mkdir, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { ROOT } from "./bundle.ts";
import { type Bundles, entries } from "./functions.ts";
import { UserError } from "./local/user-error.ts";
import { nativeFiles } from "./native-files.ts";

/** Where `npm run engine` puts the engine's native code for the deployed functions. */
const INSTALLED = join(ROOT, "infra", "setup", "engine-arm64", "node_modules");
const NATIVE_FOLDER = join(INSTALLED, "@duckdb", "node-bindings-linux-arm64");
const NATIVE = join(NATIVE_FOLDER, "duckdb.node");

export const MISSING_ENGINE = "The query engine's code for the deployed functions is missing: run `npm run engine` once, then this again.";

/** True when the engine's native code is there, all of it for the right processor. */
export const engineIsInstalled = (): boolean => {
  if (!existsSync(INSTALLED)) return false;
  const { loadable, foreign } = nativeFiles(INSTALLED);
  return loadable.includes(NATIVE) && foreign.length === 0;
};

/** Puts the native code beside the bundles that use the engine, where their `require` looks for it. Throws where it is missing. */
export const addEngines = async (bundles: Bundles): Promise<void> => {
  if (!engineIsInstalled()) throw new UserError(MISSING_ENGINE);
  const folders = entries.filter(({ uses }) => uses.engine).map(({ name }) => bundles.get(name) ?? "");
  const code = relative(INSTALLED, NATIVE_FOLDER);
  await Promise.all(
    folders.map(async (folder) => {
      const to = join(folder, "node_modules");
      await cp(INSTALLED, to, { recursive: true, filter: (path) => path !== NATIVE_FOLDER });
      await linkFiles(NATIVE_FOLDER, join(to, code));
    }),
  );
};

/** Files of a folder under another name, because 60 MB for each function took longer to copy than all else does; copied onto another disk. */
const linkFiles = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from))
    await link(join(from, name), join(to, name)).catch(() => copyFile(join(from, name), join(to, name)));
};
