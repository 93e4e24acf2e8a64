import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundle } from "../../infra/bundle.ts";
import { entries } from "../../infra/functions.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "thread-bundle-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("the function that stores events brings the program that asks rules, which starts as a thread beside it", async () => {
  const entry = entries.find((each) => each.name === "ingest-live");
  if (entry === undefined) throw new Error("there is no ingest-live");
  await bundle(entry, folder);
  const thread = new Worker(join(folder, "rules-program.mjs"), { env: {} });
  const first = new Promise((resolve, reject) => thread.once("message", resolve).once("error", reject));
  // It says that it is there.
  expect(await first).toBeNull();
  await thread.terminate();
});
