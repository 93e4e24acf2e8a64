import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { files, type Import, readImports } from "../support/imports.ts";
import { type Circle, importPage } from "./import-drawing.ts";

/**
 * The floors of lib from the ground: a file imports only what stands below its floor, types included, or from its own folder.
 * Folders of one floor know nothing of each other.
 */
const FLOORS: readonly (readonly string[])[] = [
  ["core"],
  ["ports"],
  ["jobs", "table"],
  ["event"],
  ["lanes", "usage"],
  ["hogql", "lake"],
  ["engine", "iceberg", "insight", "intake"],
  ["clickhouse"],
  ["keys"],
  ["notices", "projects"],
  ["organizations"],
  ["customers"],
  ["http"],
  ["auth"],
  ["billing", "console", "error-tracking"],
  ["endpoints"],
  ["dashboards", "erasure"],
  ["app"],
  ["lambda"],
  ["aws"],
];

/** What a folder may not import though it stands above: these are pure, so that they can be thought about, and tested, alone. */
const PURE: Readonly<Record<string, readonly string[]>> = {
  hogql: ["core", "event", "hogql"],
  http: ["core", "ports", "table", "event", "http"],
  insight: ["core", "hogql", "insight"],
};

/** Rooms whose inner folders are reached from outside. */
const DOORLESS: readonly string[] = [];

/** Files that import each other, because what they say is recursive. */
const CIRCLES: readonly Circle[] = [
  {
    of: /^lib\/hogql\/lower\/expressions\//,
    files: "lib/hogql/lower/expressions",
    why: "an expression stands within a call, a comparison and a lambda, which are expressions",
  },
  {
    of: /^lib\/hogql\/lower\/queries\/(from|select|set)\.ts$/,
    files: "lib/hogql/lower/queries/{from,select,set}.ts",
    why: "a query stands in FROM, and as a branch of a union, of a query",
  },
  {
    of: /^lib\/hogql\/syntax\/(decode|decode-expr)\.ts$/,
    files: "lib/hogql/syntax/{decode,decode-expr}.ts",
    why: "a query stands within an expression within a query",
  },
  {
    of: /^lib\/clickhouse\/printer\/(call|expr|placeholder|select)\.ts$/,
    files: "lib/clickhouse/printer/{call,expr,placeholder,select}.ts",
    why: "an expression stands within a call, and a query within an expression within a query",
  },
];

/** Who may import whom outside of lib. A file belongs to the first room whose beginning its path has. */
const ROOMS: readonly { readonly at: string; readonly may: readonly string[] }[] = [
  { at: "functions/index.ts", may: ["lib/", "functions/"] },
  { at: "functions/workers.ts", may: ["lib/", "functions/"] },
  { at: "functions/docs/handler.ts", may: ["lib/", "functions/docs/", "functions/index.ts"] },
  // A page knows nothing of the server but how values are written, and a part of it nothing of the API and of where it is.
  { at: "functions/console/parts/", may: ["lib/core/", "functions/console/parts/"] },
  { at: "functions/console/calls/", may: ["lib/core/", "functions/console/calls/"] },
  { at: "functions/console/page/", may: ["functions/console/page/", "functions/console/parts/", "functions/console/calls/"] },
  { at: "functions/", may: ["lib/", "own function"] },
  { at: "infra/", may: ["lib/", "functions/", "infra/"] },
  // What the product must show is said again, independently of it.
  { at: "test/model/", may: ["test/model/"] },
  { at: "test/", may: ["lib/", "functions/", "infra/", "test/"] },
];

/** Packages that only some files may import. */
const PACKAGES: readonly { readonly name: RegExp; readonly only: RegExp }[] = [
  { name: /^@(aws-sdk|smithy)\//, only: /^lib\/(aws|table|lake)\/|^infra\/|^test\// },
  { name: /^@duckdb\//, only: /^lib\/engine\/duckdb\/duckdb\.ts$|^test\// },
  { name: /^@jridgewell\//, only: /^lib\/error-tracking\/symbol-sets\/source-map\.ts$|^test\// },
  { name: /^avsc$/, only: /^lib\/iceberg\/avro\/container\.ts$|^test\// },
  { name: /^stripe$/, only: /^lib\/billing\/payments\/stripe(-reports)?\.ts$/ },
  { name: /^re2js$/, only: /^lib\/hogql\/regex\.ts$/ },
  { name: /^esbuild$/, only: /^infra\/|^functions\/console\/build\.ts$|^test\// },
  { name: /^preact/, only: /^functions\/console\/(page|parts|calls)\// },
  { name: /^csv-parse/, only: /^infra\/cli\/import\/csv-fields\.ts$/ },
  { name: /^diff$/, only: /^functions\/console\/parts\/diff\// },
  { name: /^openapi-fetch$/, only: /^functions\/console\/calls\/client\.ts$/ },
  { name: /^@(codemirror|lezer)\//, only: /^functions\/console\/parts\/editor\// },
  { name: /^uplot$/, only: /^functions\/console\/parts\/plot\// },
  { name: /^(playwright-core|@sparticuz\/chromium|axe-core)$/, only: /^test\/(console|support\/processes)\// },
  { name: /^@middy\//, only: /^lib\/lambda\/|^test\// },
  {
    name: /^zod$/,
    only: /^(?!lib\/(core|hogql|insight)\/|functions\/(capture|ingest)\/)|^lib\/insight\/(query|sql-filters|filters\/property-filter|(retention|trends)\/rows)\.ts$/,
  },
  { name: /^aws-cdk-lib|^constructs$|^cdk-nag$/, only: /^infra\/(app|stacks\/|constructs\/)|^test\/infra\// },
  { name: /^vitest$|^fast-check$/, only: /\.test\.ts$|\.suite\.ts$|^test\/|^vitest\.config/ },
];

/** What runs the platform, here or deployed, and its operators' commands, threads and processes of their own included. */
const PROGRAMS: readonly string[] = [
  ...globSync("functions/*/{*-,}handler.ts").map((file) => file.replaceAll("\\", "/")),
  "functions/console/page/main.tsx",
  "infra/local/main.ts",
  "infra/local/workers/worker-thread.ts",
  "infra/local/stores/store-thread.ts",
  "infra/cli/main.ts",
  "infra/cli/openapi.ts",
  "lib/engine/query/process/engine-process.ts",
  "lib/error-tracking/matching/rules-program.ts",
  "lib/hogql/syntax/parser-program.ts",
];

/** Packages whose files are sent to browsers as they are. */
const SENT: readonly string[] = ["posthog-js", "@redocly/cli"];

const PackageFile = z.object({ dependencies: z.record(z.string(), z.string()) });

const imports = readImports();

const inside = imports.filter(({ to }) => /^(lib|functions|infra|test)\//.test(to));
const isTest = (file: string): boolean => /\.test\.ts$/.test(file) || file.startsWith("test/");
const shown = ({ file, to }: Import): string => `${file} imports ${to}`;

const allowed = ({ file, to }: Import): boolean => {
  const room = ROOMS.find(({ at }) => file.startsWith(at));
  const own = file.split("/").slice(0, 2).join("/");
  return room?.may.some((beginning) => to.startsWith(beginning === "own function" ? `${own}/` : beginning)) ?? true;
};

const folderOf = (path: string): string => path.split("/")[1] ?? "";
const floorOf = (path: string): number => FLOORS.findIndex((folders) => folders.includes(folderOf(path)));

const roomOf = (path: string): string => path.split("/").slice(0, 2).join("/");
const isInner = (path: string): boolean => /^lib\/[^/]+\/.+\//.test(path);

/** Whether a file of lib imports what is not below it. */
const isUpward = ({ file, to }: Import): boolean =>
  folderOf(file) !== folderOf(to) && (floorOf(to) >= floorOf(file) || PURE[folderOf(file)]?.includes(folderOf(to)) === false);

/** Everything that is loaded together with a file, packages and files, itself included. */
const loadedWith = (file: string): readonly string[] => {
  const found = new Set([file]);
  for (const each of found) {
    for (const { file: from, to, isType, isLazy } of imports) if (from === each && !isType && !isLazy) found.add(to);
  }
  return [...found];
};

/** The packages that are loaded by some files and all they lead to, at once or later. */
const packagesFrom = (programs: readonly string[]): ReadonlySet<string> => {
  const found = new Set(programs);
  for (const each of found) for (const { file, to, isType } of imports) if (file === each && !isType) found.add(to);
  const names = [...found].filter((to) => !to.startsWith("node:") && !/\.tsx?$/.test(to));
  return new Set(names.map((to) => to.split("/", to.startsWith("@") ? 2 : 1).join("/")));
};

const importsOf = Map.groupBy(inside, ({ file }) => file);

/** All files that a file leads to, types included. */
const loadedFrom = (file: string): ReadonlySet<string> => {
  const found = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { to } of importsOf.get(next) ?? []) {
      if (found.has(to)) continue;
      found.add(to);
      waiting.push(to);
    }
  }
  return found;
};

describe("who imports whom", () => {
  it("is what the rooms allow: functions never import each other, the model nothing but itself", () => {
    expect(inside.filter((each) => !isTest(each.file) && !allowed(each)).map(shown)).toEqual([]);
  });
  it("goes down the floors of lib and never up, types included", () => {
    const ofLib = inside.filter(({ file }) => file.startsWith("lib/") && !isTest(file));
    expect(ofLib.filter((each) => !each.to.startsWith("lib/") || isUpward(each)).map(shown)).toEqual([]);
  });
  it("enters a room of lib by its doors alone, the files that lie directly in its folder", () => {
    const throughWalls = inside.filter(({ file, to }) => !isTest(file) && roomOf(file) !== roomOf(to) && isInner(to));
    expect(throughWalls.filter(({ to }) => !DOORLESS.includes(folderOf(to))).map(shown)).toEqual([]);
  });
  it("knows the floor of every folder of lib", () => {
    expect(
      globSync("lib/*/")
        .map((path) => path.replaceAll("\\", "/"))
        .filter((path) => floorOf(path) === -1),
    ).toEqual([]);
  });
  it("has no circles of files besides those of the language, each of which has its reason", () => {
    const inCircles = files.filter((file) => !isTest(file) && loadedFrom(file).has(file));
    expect(inCircles.filter((file) => !CIRCLES.some(({ of }) => of.test(file)))).toEqual([]);
    expect(CIRCLES.filter(({ of }) => !inCircles.some((file) => of.test(file))).map(({ why }) => why)).toEqual([]);
  });
  it("is drawn", async () => {
    const arrows = new Map<string, Set<string>>();
    for (const { file, to } of inside) {
      if (!file.startsWith("lib/") || isTest(file) || folderOf(file) === folderOf(to)) continue;
      arrows.set(folderOf(file), (arrows.get(folderOf(file)) ?? new Set()).add(folderOf(to)));
    }
    const doors = Map.groupBy(
      inside.filter(({ file, to }) => !isTest(file) && to.startsWith("lib/") && roomOf(file) !== roomOf(to)),
      ({ to }) => folderOf(to),
    );
    const doorsOf = (folder: string): readonly string[] => [...new Set(doors.get(folder)?.map(({ to }) => to))].sort();
    await expect(importPage(FLOORS, arrows, CIRCLES, doorsOf)).toMatchFileSnapshot("../../lib/README.md");
  });
  it("keeps every package to the files that are made for it", () => {
    const strays = imports.filter(
      ({ file, to, isType }) => !isTest(file) && !isType && PACKAGES.some(({ name, only }) => name.test(to) && !only.test(file)),
    );
    expect(strays.map(shown)).toEqual([]);
  });
  it("leads from what runs to the packages that are installed to try the platform, and from nothing else to one of them", () => {
    const { dependencies } = PackageFile.parse(JSON.parse(readFileSync("package.json", "utf8")));
    expect([...packagesFrom(PROGRAMS), ...SENT].sort()).toEqual(Object.keys(dependencies).sort());
  });
  it("names zod by its namespace, which bundles a quarter of the named import", () => {
    const named = files.filter((file) => /import (?:type )?\{[^}]*\} from "zod"/.test(readFileSync(file, "utf8")));
    expect(named.filter((file) => file !== "test/contract/import-rules.test.ts")).toEqual([]);
  });
  it("lets the registry be read without a client, an engine or a parser", () => {
    const loaded = loadedWith("functions/index.ts");
    expect(
      loaded.filter((name) => /^(@aws-sdk|@smithy|@duckdb|@posthog|@middy|fauxqs|hyparquet)/.test(name) && name !== "@middy/core"),
    ).toEqual([]);
  });
  it("loads no route into the threads that drain queues and run schedules: each of them holds what it loads", () => {
    const loaded = loadedWith("infra/local/workers/worker-thread.ts");
    expect(loaded).toContain("functions/ingest/consumers.ts");
    expect(loaded.filter((name) => /^functions\/(index|[^/]+\/routes)\.ts$/.test(name))).toEqual([]);
  });
  it.each(["capture/handler", "ingest/live-handler", "ingest/historical-handler"])("keeps the schema library out of %s", (name) => {
    expect(loadedWith(`functions/${name}.ts`)).not.toContain("zod");
  });
  it("is read from every file", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(imports).toContainEqual({ file: "functions/index.ts", to: "functions/docs/group.ts", isType: false, isLazy: false });
    expect(imports).toContainEqual({
      file: "functions/docs/description.ts",
      to: "lib/http/openapi.ts",
      isType: false,
      isLazy: true,
    });
  });
});
