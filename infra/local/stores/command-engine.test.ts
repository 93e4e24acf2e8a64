import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { engineDirectory } from "../world.ts";
import { commandEngine } from "./command-engine.ts";

test("commands beside each other have an engine's directory each, and what killed ones left is taken away", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "engines-"));
  const directory = (name: string): Promise<unknown> => mkdir(join(engineDirectory(dataDir, name), "1", "cache"), { recursive: true });
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  const first = await commandEngine(dataDir);
  // As a command left it that was killed, and as releases had it that knew one directory for all.
  for (const name of [first.name, `command/${ended}-1`, "command/1"]) await directory(name);
  const second = await commandEngine(dataDir);
  await directory(second.name);
  const kept = async (): Promise<readonly string[]> =>
    (await readdir(engineDirectory(dataDir, "command"))).map((name) => `command/${name}`);
  expect(await kept()).toEqual([first.name, second.name].toSorted());
  expect(first.name).not.toBe(second.name);
  await first.remove();
  expect(await kept()).toEqual([second.name]);
  await second.remove();
  await second.remove();
  expect(await kept()).toEqual([]);
  await rm(dataDir, { recursive: true, force: true });
});
