import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle, ROOT } from "../../infra/bundle.ts";
import type { NativeRow } from "../../lib/engine/native.ts";
import type { QueryProcess } from "../../lib/engine/query/process/query-process.ts";

let folder = "";
beforeAll(async () => {
  // Inside the project, so that the native code is found, as it is beside a deployed function.
  await mkdir(join(ROOT, ".local"), { recursive: true });
  folder = await mkdtemp(join(ROOT, ".local", "engine-bundle-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a bundle with the engine", () => {
  it("starts the engine's process from beside its handler, and is answered", async () => {
    const out = join(folder, "function");
    await bundle(
      { name: "engine", handler: "lib/engine/query/process/query-process.ts", uses: { engine: true }, writesSegments: false },
      out,
    );
    await mkdir(join(folder, "files"));
    const { openQueryProcess }: { openQueryProcess: () => QueryProcess } = await import(join(out, "handler.mjs"));
    const queries = openQueryProcess();
    const options = { readable: `${folder}/files/`, temporary: join(folder, "spill"), memoryMb: 200, threads: 1, spillBytes: 1_000_000 };
    const found: NativeRow[] = [];
    await queries.open(options).select("SELECT 42", [], 10_000, (rows) => {
      found.push(...rows);
      return "more";
    });
    queries.close();
    expect(found).toEqual([[42]]);
  });
});
