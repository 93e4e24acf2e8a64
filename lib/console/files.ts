import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type StaticFile, staticFile } from "../http/static-file.ts";

/** The files that browsers load of the console, by names that change with their content. */
export interface ConsoleFiles {
  /** The module that the page begins with, what it imports at once, and its style. */
  readonly script: string;
  readonly preloaded: readonly string[];
  readonly style: string;
  readonly byName: ReadonlyMap<string, StaticFile>;
}

/** Gives the files, each time the same. */
export type ReadConsole = () => Promise<ConsoleFiles>;

/** What names the files that the page begins with. */
export const BEGINNING_FILE = "beginning.json";
/** The folder of a bundle that holds the files: made when the bundle is. */
export const CONSOLE_FOLDER = "console";

/** Ends the name of a file that is another one, compressed with Brotli. */
export const BROTLI_ENDING = ".br";

/** The console as it is built: its files and, as JSON, which of them the page begins with. Some may lie there compressed, too. */
export type BuiltFiles = ReadonlyMap<string, Uint8Array>;

/** Compresses the files of a build. */
export const consoleFiles = async (built: BuiltFiles): Promise<ConsoleFiles> => {
  const sent = [...built].filter(([name]) => name !== BEGINNING_FILE && !name.endsWith(BROTLI_ENDING));
  const byName = new Map(
    await Promise.all(sent.map(async ([name, bytes]) => [name, await staticFile(bytes, built.get(name + BROTLI_ENDING))] as const)),
  );
  return { ...JSON.parse(new TextDecoder().decode(built.get(BEGINNING_FILE))), byName };
};

let files: Promise<ConsoleFiles> | undefined;

/** The files from beside the bundle. */
export const storedConsole: ReadConsole = () => (files ??= readStored());

const readStored = async (): Promise<ConsoleFiles> => {
  const folder = fileURLToPath(new URL(`./${CONSOLE_FOLDER}`, import.meta.url));
  const names = await readdir(folder);
  return consoleFiles(new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const))));
};
