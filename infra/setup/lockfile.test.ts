import { globSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";

const ROOT = join(import.meta.dirname, "..", "..");

const LockedPackage = z.object({
  optionalDependencies: z.record(z.string(), z.string()).optional(),
  dev: z.boolean().optional(),
  link: z.boolean().optional(),
});
const Lockfile = z.object({ packages: z.record(z.string(), LockedPackage) });

const Size = z.object({ diskMb: z.number(), networkMb: z.number() });
const Sizes = z.object({ run: Size, all: Size, node: Size });

const read = <T>(schema: z.ZodType<T>, ...path: readonly string[]): T =>
  schema.parse(JSON.parse(readFileSync(join(ROOT, ...path), "utf8")));

const { packages } = read(Lockfile, "package-lock.json");

describe("the lockfile", () => {
  it("names the optional packages of every platform, so that `npm ci` takes it wherever the project is cloned", () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.entries(optionalDependencies)
        .filter(([, range]) => /^\d/.test(range))
        .map(([name]) => name)
        .filter((name) => packages[`node_modules/${name}`] === undefined && packages[`${path}/node_modules/${name}`] === undefined),
    );
    expect(missing).toEqual([]);
  });
});

/** As `du -m` counts. */
const MEGABYTE = 1_048_576;
const BLOCK = 512;

/** What the files of installed packages take on the disk, MB; packages that lie within them apart. */
const megabytesOf = (paths: readonly string[]): number => {
  const blocks = paths.flatMap((path) =>
    globSync("**/*", { cwd: join(ROOT, path), exclude: (name) => name === "node_modules" }).map(
      (file) => lstatSync(join(ROOT, path, file)).blocks,
    ),
  );
  return (blocks.reduce((sum, each) => sum + each, 0) * BLOCK) / MEGABYTE;
};

describe.skipIf(process.platform !== "linux" || process.arch !== "x64")("what an installation says of its size", () => {
  const { run, all, node } = read(Sizes, "infra", "setup", "sizes.json");
  const installed = Object.entries(packages).filter(([path, { link }]) => path.startsWith("node_modules/") && link !== true);
  const isNode = (path: string): boolean => path.startsWith("node_modules/node-linux-");
  const paths = (of: (path: string, dev: boolean) => boolean): readonly string[] =>
    installed.filter(([path, { dev = false }]) => of(path, dev)).map(([path]) => path);

  it("is true to a tenth", () => {
    const [forRun, more] = [megabytesOf(paths((path, dev) => !dev && !isNode(path))), megabytesOf(paths((_, dev) => dev))];
    expect(Math.abs(forRun / run.diskMb - 1)).toBeLessThan(0.1);
    expect(Math.abs((forRun + more) / all.diskMb - 1)).toBeLessThan(0.1);
    const ofNode = megabytesOf(paths(isNode));
    if (ofNode > 0) expect(Math.abs(ofNode / node.diskMb - 1)).toBeLessThan(0.1);
  });

  it("is at most 250 MB for trying the platform, beside a Node that is new enough", () => {
    expect(run.diskMb).toBeLessThanOrEqual(250);
  });
});
