import { buildCompressedConsole } from "../../functions/console/build.ts";
import { BEGINNING_FILE, BROTLI_ENDING, type BuiltFiles } from "../../lib/console/files.ts";

/** What a browser loads of the console as it is deployed, compressed, bytes. */
export interface ConsoleSizes {
  /** Every file, those included that only some views load. */
  readonly all: number;
  /** What is there before the live view is painted. */
  readonly first: number;
  readonly names: readonly string[];
  readonly firstNames: readonly string[];
}

/** Builds the console and weighs it. Throws where the module, the live view or the style is not found among the files. */
export const consoleSizes = async (): Promise<ConsoleSizes> => {
  const built = await buildCompressedConsole();
  const files = new Map([...built].filter(([name]) => name !== BEGINNING_FILE && !name.endsWith(BROTLI_ENDING)));
  const named = (start: string, ending: string): string => {
    const found = [...files.keys()].find((name) => name.startsWith(start) && name.endsWith(ending));
    if (found === undefined) throw new Error(`the console has no file ${start}*${ending}`);
    return found;
  };
  const modules = withImports(files, named("live.", ".js"), new Set(withImports(files, named("main.", ".js"))));
  const first = [...modules, named("style.", ".css")];
  return { all: compressed(built, files.keys()), first: compressed(built, first), names: [...files.keys()], firstNames: first };
};

const compressed = (built: BuiltFiles, names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + (built.get(name + BROTLI_ENDING)?.length ?? Number.NaN), 0);

/** A module and all that it imports at once, by the names within the files. */
const withImports = (files: BuiltFiles, name: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(name)) return found;
  found.add(name);
  const text = new TextDecoder().decode(files.get(name));
  for (const [, imported = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) withImports(files, imported, found);
  return found;
};
