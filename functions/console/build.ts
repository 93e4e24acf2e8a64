import { basename } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { BEGINNING_FILE, BROTLI_ENDING, type BuiltFiles } from "../../lib/console/files.ts";

const FOLDER = import.meta.dirname;
/** Names that do not depend on where the sources lie. */
const OUT = "/console";

/** A page: a module and what it loads, with one style. */
export interface PageSources {
  readonly script: string;
  readonly style: string;
}

const CONSOLE: PageSources = { script: "page/main.tsx", style: "page/style.css" };

/** Makes the files of the console: modules that are loaded when a view needs them, and one style. */
export const buildConsole = async (sources: PageSources = CONSOLE): Promise<BuiltFiles> => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: FOLDER,
    entryPoints: [sources.script, sources.style],
    outdir: OUT,
    entryNames: "[name].[hash]",
    chunkNames: "[name].[hash]",
    assetNames: "[name].[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: ["es2024", "chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  files.set("icon.svg", new TextEncoder().encode(ICON));
  files.set(BEGINNING_FILE, new TextEncoder().encode(JSON.stringify(beginning(metafile, sources))));
  return files;
};

/** The same with each file compressed as small as can be, which takes seconds: for what is deployed. */
export const buildCompressedConsole = async (): Promise<BuiltFiles> => {
  const built = await buildConsole();
  const sent = [...built].filter(([name]) => name !== BEGINNING_FILE);
  const compressed = sent.map(async ([name, bytes]) => [name + BROTLI_ENDING, await promisify(brotliCompress)(bytes)] as const);
  return new Map([...built, ...(await Promise.all(compressed))]);
};

/** Three bars in the console's accent. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 9h3v5H2zm4.5-4h3v9h-3zM11 2h3v12h-3z" fill="#3056d3"/></svg>';

/** Which files the page names: its module, those that it imports at once, and its style. */
const beginning = ({ outputs }: Metafile, { script, style }: PageSources) => {
  const outputOf = (source: string): string => Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? "";
  const first = outputOf(script);
  const at = (path: string): readonly string[] =>
    outputs[path]?.imports.filter(({ kind }) => kind === "import-statement").map((each) => each.path) ?? [];
  const needed = new Set(at(first));
  for (const path of needed) for (const each of at(path)) needed.add(each);
  return { script: basename(first), preloaded: [...needed].map((path) => basename(path)), style: basename(outputOf(style)) };
};
