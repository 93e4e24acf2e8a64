import { existsSync } from "node:fs";
import { cp, link, mkdir, readdir, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Where packages of this machine lie. */
const PACKAGES = join(dirname(createRequire(import.meta.url).resolve("@duckdb/node-api/package.json")), "../..");

/** The engine's native code, which an asset holds for the machines of the service and not for this one. */
const NATIVE = ["node-bindings", `node-bindings-${process.platform}-${process.arch}`].map((name) => `@duckdb/${name}`);

/**
 * A folder in which code finds the engine's native code for this machine, and no other package: what an asset forgot to bring along is
 * missed as it would be on the service.
 */
export const codeFolder = async (folder: string): Promise<string> => {
  await mkdir(join(folder, "node_modules", "@duckdb"), { recursive: true });
  for (const name of NATIVE)
    if (existsSync(join(PACKAGES, name))) await symlink(join(PACKAGES, name), join(folder, "node_modules", name), "dir");
  return folder;
};

/** Puts an asset into a folder, by links to its files where the disk allows it. */
export const layOut = async (asset: string, into: string): Promise<void> => {
  await mkdir(into, { recursive: true });
  for (const entry of await readdir(asset, { withFileTypes: true })) {
    const [from, to] = [join(asset, entry.name), join(into, entry.name)];
    if (entry.isDirectory()) await layOut(from, to);
    else await link(from, to).catch(() => cp(from, to));
  }
};
