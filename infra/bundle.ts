import { copyFile, cp, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from "esbuild";
import { PACKAGE_FOLDER } from "../functions/browser/files.ts";
import { buildCompressedConsole } from "../functions/console/build.ts";
import { describeGroups } from "../functions/docs/description.ts";
import { UNKNOWN_HOSTS } from "../functions/docs/hosts.ts";
import { DESCRIPTION_FILE } from "../functions/docs/stored-description.ts";
import { groups } from "../functions/index.ts";
import { SCRIPT_FILE } from "../functions/reference/script.ts";
import { secretFields } from "../lib/app/secret-fields.ts";
import type { FunctionNeeds, Part } from "../lib/app/uses.ts";
import { type BuiltFiles, CONSOLE_FOLDER } from "../lib/console/files.ts";
import { CHECK_FOLDER, CHECK_SOURCES, SOURCE_FOLDER } from "../lib/endpoints/check-sources.ts";

export const ROOT = join(import.meta.dirname, "..");

/** Modules of the bundles that use `require`: the runtime gives an ES module none. */
const REQUIRE = 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);';

/** The modules that open a part of the world. A bundle carries those of the parts that its function uses. */
const OPENERS: Readonly<Record<string, Part | "segments" | "secrets">> = {
  "./parts/aws-table.ts": "table",
  "./aws-queues.ts": "queues",
  "./aws-objects.ts": "objects",
  "./aws-engine.ts": "engine",
  "./aws-secrets.ts": "secrets",
  "./parts/aws-file-credentials.ts": "fileAccess",
  "./parts/aws-registry.ts": "tableRegistry",
  "./parts/aws-token-keys.ts": "tokenKeys",
  "./parts/aws-counts.ts": "counts",
  "./parts/aws-invocations.ts": "invocations",
  "./parts/aws-mail.ts": "mail",
  "./parts/aws-model.ts": "model",
  "./parts/segments.ts": "segments",
};

/** The program that a function that queries starts as a process of its own, from beside its handler. */
const ENGINE_PROCESS = "lib/engine/query/process/engine-process.ts";

/** The programs that functions start as threads, from beside their handlers; each with the module that starts it. */
const THREADS: readonly { readonly program: string; readonly starter: string }[] = [
  { program: "lib/hogql/syntax/parser-program.ts", starter: "lib/hogql/syntax/parser-thread.ts" },
  { program: "lib/error-tracking/matching/rules-program.ts", starter: "lib/error-tracking/matching/event-matcher.ts" },
];

/** The sources that a function that shows the checks of materialisation reads as text, from a folder beside its handler. */
const SOURCES = "lib/endpoints/check-sources.ts";

const copySources = async (folder: string): Promise<void> => {
  await mkdir(join(folder, SOURCE_FOLDER), { recursive: true });
  for (const name of CHECK_SOURCES) await copyFile(join(ROOT, dirname(SOURCES), CHECK_FOLDER, name), join(folder, SOURCE_FOLDER, name));
};

/** The scripts of the browser's SDK, for the function that sends them: they lie beside it as in their package, with their licence. */
const SCRIPTS = "functions/browser/handler.ts";

const copyScripts = async (folder: string): Promise<void> => {
  const [from, to] = [join(ROOT, "node_modules", "posthog-js"), join(folder, PACKAGE_FOLDER)];
  await mkdir(to, { recursive: true });
  for (const name of ["package.json", "LICENSE"]) await copyFile(join(from, name), join(to, name));
  await cp(join(from, "dist"), join(to, "dist"), { recursive: true, filter: (path) => !/\.(map|ts|cjs|mjs)$|\/src$/.test(path) });
};

/** The script of the page that shows the API's description, for the function that sends it: it lies beside it, with its licence. */
const REFERENCE_SCRIPT = "functions/reference/script.ts";

const copyReferenceScript = async (folder: string): Promise<void> => {
  await copyFile(SCRIPT_FILE, join(folder, basename(SCRIPT_FILE)));
  await copyFile(join(ROOT, "node_modules/@redocly/cli/LICENSE"), join(folder, "LICENSE"));
};

/** The page for people, for the functions that send it: built now, so that no function carries what builds it. */
const STORED_CONSOLE = "lib/console/files.ts";

const writeConsole = async (folder: string): Promise<void> => {
  const into = join(folder, CONSOLE_FOLDER);
  await mkdir(into, { recursive: true });
  for (const [name, bytes] of await builtConsole()) await writeFile(join(into, name), bytes);
};

let compressedConsole: Promise<BuiltFiles> | undefined;
/** Two functions send it, and it takes seconds. */
const builtConsole = (): Promise<BuiltFiles> => {
  compressedConsole ??= buildCompressedConsole();
  return compressedConsole;
};

/** The API's description, for the function that answers with it: made now, when all groups are at hand. */
const STORED_DESCRIPTION = "functions/docs/stored-description.ts";

const writeDescription = async (folder: string): Promise<void> =>
  writeFile(join(folder, DESCRIPTION_FILE), await describeGroups(() => groups)(UNKNOWN_HOSTS));

export interface Entry extends Pick<FunctionNeeds, "name" | "uses" | "settings"> {
  readonly handler: string;
  /** Writes segments: ingest. */
  readonly writesSegments: boolean;
}

/**
 * One function as ES modules in a folder of its own, made by esbuild: `handler.mjs`, the engine's process where there is one and
 * what is loaded lazily in files beside them. Emptied first. Returns what esbuild says about the files.
 */
export const bundle = async (entry: Entry, folder: string): Promise<Metafile> => {
  await rm(folder, { recursive: true, force: true });
  const engine = entry.uses.engine ? { "engine-process": ENGINE_PROCESS } : {};
  const metafile = await built(entry, folder, { handler: entry.handler, ...engine });
  // Which threads a function starts is seen only once its modules are known.
  for (const { program, starter } of THREADS) {
    if (starter in metafile.inputs) await writeProgram(program, folder);
  }
  if (SOURCES in metafile.inputs) await copySources(folder);
  if (SCRIPTS in metafile.inputs) await copyScripts(folder);
  if (REFERENCE_SCRIPT in metafile.inputs) await copyReferenceScript(folder);
  if (STORED_DESCRIPTION in metafile.inputs) await writeDescription(folder);
  if (STORED_CONSOLE in metafile.inputs) await writeConsole(folder);
  return metafile;
};

const built = async (entry: Entry, folder: string, entryPoints: Readonly<Record<string, string>>): Promise<Metafile> => {
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints,
    outdir: folder,
    plugins: [withoutUnused(entry), requiredHttp],
    metafile: true,
  });
  return metafile;
};

/** Go's setting for esbuild, whose collector took a fifth of the time: it may hold more until it collects. */
process.env.GOGC ??= "400";

const OPTIONS = {
  absWorkingDir: ROOT,
  outExtension: { ".js": ".mjs" },
  chunkNames: "[hash]",
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node24",
  mainFields: ["module", "main"],
  banner: { js: REQUIRE },
  external: ["@duckdb/node-bindings"],
  logLevel: "warning",
} as const satisfies BuildOptions;

const programs = new Map<string, Promise<readonly OutputFile[]>>();

/** A thread's program uses no part of the world, so it is the same beside every function that starts it: it is made once. */
const writeProgram = async (program: string, folder: string): Promise<void> => {
  const made = programs.get(program) ?? builtProgram(program);
  programs.set(program, made);
  for (const { path, contents } of await made) await writeFile(join(folder, basename(path)), contents);
};

const builtProgram = async (program: string): Promise<readonly OutputFile[]> => {
  const entryPoints = { [basename(program, ".ts")]: program };
  const { outputFiles } = await build({ ...OPTIONS, entryPoints, outdir: ROOT, plugins: [requiredHttp], write: false });
  return outputFiles;
};

/** Leaves out the openers of parts that a function does not use; reaching one all the same is a fault of ours and says so. */
const withoutUnused = (entry: Entry): Plugin => ({
  name: "without-unused-parts",
  setup(builder) {
    builder.onResolve({ filter: /^\.\/(parts\/)?(aws-[a-z-]+|segments)\.ts$/ }, ({ path }) => {
      const part = OPENERS[path];
      if (part === undefined || isUsed(part, entry)) return undefined;
      return { path: part, namespace: "unused" };
    });
    builder.onLoad({ filter: /.*/, namespace: "unused" }, ({ path }) => ({
      contents: `throw new Error("this function was built without ${path}");export const ${OPENING[path] ?? "open"} = undefined;`,
    }));
  },
});

const isUsed = (part: Part | "segments" | "secrets", entry: Entry): boolean => {
  const { uses, writesSegments } = entry;
  if (part === "segments") return writesSegments;
  if (part === "secrets") return secretFields(entry).length > 0;
  // What runs queries counts, where a stage has a ClickHouse that may be away.
  return uses[part] !== undefined || (part === "counts" && uses.engine === true);
};

/** The export of each opener. */
const OPENING: Readonly<Record<string, string>> = {
  table: "openTable",
  queues: "openQueues",
  objects: "openObjects",
  engine: "openEngine",
  fileAccess: "openFileCredentials",
  tableRegistry: "openRegistry",
  tokenKeys: "openTokenKeys",
  counts: "openCounts",
  invocations: "openInvocations",
  model: "openModel",
  secrets: "openSecrets",
  segments: "openSegments",
};

/**
 * Loads `node:http` by `require`. Imported as an ES module it shows all of its names at once, one of which loads the whole of another
 * client that no function uses: a tenth of the time that a function takes to start.
 */
const requiredHttp: Plugin = {
  name: "required-http",
  setup(builder) {
    builder.onResolve({ filter: /^(?:node:)?https?$/ }, ({ path, kind }) =>
      kind === "require-call" ? { path, external: true } : { path: path.replace(/^node:/, ""), namespace: "required" },
    );
    builder.onLoad({ filter: /.*/, namespace: "required" }, ({ path }) => ({ contents: `module.exports = require("node:${path}");` }));
  },
};
