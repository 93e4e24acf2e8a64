import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";

const Lockfile = z.object({
  packages: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() })),
});

describe("the lockfile", () => {
  it("names the optional packages of every platform, so that `npm ci` takes it wherever the project is cloned", () => {
    const { packages } = Lockfile.parse(JSON.parse(readFileSync(join(import.meta.dirname, "..", "..", "package-lock.json"), "utf8")));
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.entries(optionalDependencies)
        .filter(([, range]) => /^\d/.test(range))
        .map(([name]) => name)
        .filter((name) => packages[`node_modules/${name}`] === undefined && packages[`${path}/node_modules/${name}`] === undefined),
    );
    expect(missing).toEqual([]);
  });
});
