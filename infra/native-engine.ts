import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./bundle.ts";
import { type Bundles, entries } from "./functions.ts";
import { UserError } from "./local/user-error.ts";
import { nativeFiles } from "./native-files.ts";

/** Where `npm run engine` puts the engine's native code for the deployed functions. */
const INSTALLED = join(ROOT, "infra", "setup", "engine-arm64", "node_modules");
const NATIVE = join(INSTALLED, "@duckdb", "node-bindings-linux-arm64", "duckdb.node");

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
  await Promise.all(folders.map((folder) => cp(INSTALLED, join(folder, "node_modules"), { recursive: true })));
};
