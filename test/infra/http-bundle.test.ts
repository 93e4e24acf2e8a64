import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundle } from "../../infra/bundle.ts";
import { entries } from "../../infra/functions.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "http-bundle-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(["capture", "quota-limits"])("%s starts without the second client that node:http shows as one of its names", async (name) => {
  const entry = entries.find((each) => each.name === name);
  if (entry === undefined) throw new Error(`there is no ${name}`);
  const { outputs } = await bundle(entry, join(folder, name));
  const imports = Object.values(outputs).flatMap((output) => output.imports.filter(({ external }) => external));
  expect(imports.map(({ path, kind }) => `${kind} ${path}`)).toContain("require-call node:http");
  expect(imports.filter(({ path, kind }) => kind !== "require-call" && /^(?:node:)?http$/.test(path))).toEqual([]);
});
