import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const EVENT_ROW = "lib/lake/event.ts";

/** Who may import whom. A file belongs to the first room whose beginning its path has. */
const ROOMS: readonly { readonly at: string; readonly may: readonly string[] }[] = [
  { at: "lib/core/", may: ["lib/core/"] },
  // The columns of an event are what the language speaks about and what the lake stores: one declaration for both.
  { at: "lib/hogql/", may: ["lib/core/", "lib/hogql/", EVENT_ROW] },
  { at: "lib/insight/", may: ["lib/core/", "lib/hogql/", "lib/insight/"] },
  { at: "lib/", may: ["lib/"] },
  { at: "functions/index.ts", may: ["lib/", "functions/"] },
  { at: "functions/docs/handler.ts", may: ["lib/", "functions/docs/", "functions/index.ts"] },
  { at: "functions/", may: ["lib/", "own function"] },
  { at: "infra/", may: ["lib/", "functions/", "infra/"] },
  // What the product must show is said again, independently of it.
  { at: "test/model/", may: ["test/model/"] },
  { at: "test/", may: ["lib/", "functions/", "infra/", "test/"] },
];

/** Layers of lib: a file of one imports none of a later one. Types may go both ways, because they leave nothing behind. */
const LAYERS: readonly (readonly string[])[] = [
  ["lib/core/"],
  ["lib/world/", "lib/table/", "lib/http/", "lib/hogql/"],
  ["lib/entities/", "lib/auth/", "lib/lake/", "lib/insight/", "lib/engine/", "lib/materialise/", "lib/endpoint/"],
];

/** Packages that only some files may import. */
const PACKAGES: readonly { readonly name: RegExp; readonly only: RegExp }[] = [
  { name: /^@(aws-sdk|smithy)\//, only: /^lib\/world\/aws[^/]*\.ts$|^lib\/(table|lake)\/|^infra\/|^test\// },
  { name: /^@duckdb\//, only: /^lib\/engine\/(duckdb|native)\.ts$|^test\// },
  { name: /^@middy\//, only: /^lib\/http\/(lambda|consumer)\.ts$|^test\// },
  {
    name: /^zod$/,
    only: /^(?!lib\/(core|hogql|insight)\/|functions\/(capture|ingest)\/)|^lib\/insight\/(query|filters\/(property-filter|sql-filters)|breakdowns\/breakdown-filter)\.ts$/,
  },
  { name: /^aws-cdk-lib|^constructs$|^cdk-nag$/, only: /^infra\/(app|stacks\/|constructs\/)|^test\/infra\// },
  { name: /^vitest$|^fast-check$/, only: /\.test\.ts$|\.suite\.ts$|^test\/|^vitest\.config/ },
];

interface Import {
  readonly file: string;
  readonly to: string;
  readonly isType: boolean;
  /** Loaded when the code gets there, not with the file. */
  readonly isLazy: boolean;
}

const IMPORT = /^\s*(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;

const files = globSync("{lib,functions,infra,test}/**/*.ts").map((file) => file.replaceAll("\\", "/"));

const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, type, from, lazily]) => {
    const to = from ?? lazily ?? "";
    return {
      file,
      to: to.startsWith(".") ? normalize(join(dirname(file), to)) : to,
      isType: type !== undefined,
      isLazy: lazily !== undefined,
    };
  }),
);

const inside = imports.filter(({ to }) => /^(lib|functions|infra|test)\//.test(to));
const isTest = (file: string): boolean => /\.test\.ts$/.test(file) || file.startsWith("test/");
const shown = ({ file, to }: Import): string => `${file} imports ${to}`;

const allowed = ({ file, to }: Import): boolean => {
  const room = ROOMS.find(({ at }) => file.startsWith(at));
  const own = file.split("/").slice(0, 2).join("/");
  return room?.may.some((beginning) => to.startsWith(beginning === "own function" ? `${own}/` : beginning)) ?? true;
};

const layerOf = (path: string): number => LAYERS.findIndex((rooms) => rooms.some((room) => path.startsWith(room)));

/** Everything that is loaded together with a file, packages and files, itself included. */
const loadedWith = (file: string): readonly string[] => {
  const found = new Set([file]);
  for (const each of found) {
    for (const { file: from, to, isType, isLazy } of imports) if (from === each && !isType && !isLazy) found.add(to);
  }
  return [...found];
};

describe("who imports whom", () => {
  it("is what the rooms allow: functions never import each other, the language nothing but itself", () => {
    expect(inside.filter((each) => !isTest(each.file) && !allowed(each)).map(shown)).toEqual([]);
  });
  it("goes down the layers of lib and never up", () => {
    const up = inside.filter(
      (each) =>
        !isTest(each.file) && !each.isType && each.to !== EVENT_ROW && layerOf(each.file) !== -1 && layerOf(each.to) > layerOf(each.file),
    );
    expect(up.filter(({ file }) => !OPENERS.test(file)).map(shown)).toEqual([]);
  });
  it("keeps every package to the files that are made for it", () => {
    const strays = imports.filter(
      ({ file, to, isType }) => !isTest(file) && !isType && PACKAGES.some(({ name, only }) => name.test(to) && !only.test(file)),
    );
    expect(strays.map(shown)).toEqual([]);
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
  it("keeps the schema library out of capture's function", () => {
    expect(loadedWith("functions/capture/handler.ts")).not.toContain("zod");
  });
  it("is read from every file", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(imports).toContainEqual({ file: "functions/index.ts", to: "functions/docs/group.ts", isType: false, isLazy: false });
    expect(imports).toContainEqual({ file: "functions/docs/group.ts", to: "lib/http/openapi.ts", isType: false, isLazy: true });
  });
});

/** The files that build a world put the parts together, whatever their layer. */
const OPENERS = /^lib\/world\/(aws|segments|lazy|assemble)[^/]*\.ts$/;
