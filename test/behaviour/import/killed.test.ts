import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../../infra/cli/run.ts";
import { importKey } from "../../../lib/lake/paths.ts";
import { SHAPES } from "../../support/history/shapes.ts";
import { killAgain } from "../../support/processes/killed-command.ts";
import { aTenant, itsOwnPlatform } from "../../support/processes/platform.ts";

const platform = itsOwnPlatform();

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-killed-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const EVENTS = 60_000;
const KILLS = 4;

test("an import that is killed again and again goes on where it was, stores every event once and each reject once", async () => {
  const { projectId } = await aTenant(platform().world);
  const project = ["--project", String(projectId), "--data-dir", platform().dataDir];
  // Every hundredth line is none, and the files are long enough that several batches of each are done before it ends.
  const lines = Array.from({ length: EVENTS }, (_, number) =>
    number % 100 === 0 ? `{"line": ${number}` : JSON.stringify(SHAPES.events(number)),
  );
  const half = EVENTS / 2;
  const [plain, packed] = [join(folder, "plain.jsonl"), join(folder, "packed.jsonl.gz")];
  await writeFile(plain, lines.slice(0, half).join("\n"));
  await writeFile(packed, gzipSync(lines.slice(half).join("\n")));
  const { objects } = platform().world;
  const recorded = async (): Promise<string> => {
    const { objects: found } = await objects.list(importKey(projectId, ""), null);
    return Buffer.from((await objects.get(found[0]?.key ?? "")) ?? []).toString();
  };

  const kills = await killAgain(["import", plain, packed, ...project], recorded, KILLS);
  expect(kills).toBeGreaterThan(0);

  const answer = JSON.parse(await run(["import", plain, packed, ...project, "--verify", "--json"], {}));
  const rejected = EVENTS / 100;
  const accepted = EVENTS - rejected;
  expect(answer).toMatchObject({ read: EVENTS, accepted, rejected, stored: accepted, dead_letters: 0 });
  for (const { accepted: ofDay, stored } of answer.days) expect(stored).toBe(ofDay);
  const rejects = (await Promise.all([plain, packed].map((file) => readFile(`${file}.rejects.jsonl`, "utf8"))))
    .join("")
    .trimEnd()
    .split("\n");
  expect(rejects.map((line) => JSON.parse(line).record)).toEqual(lines.filter((_, number) => number % 100 === 0));
  const counted = await run(["query", "SELECT count(), count(DISTINCT uuid) FROM events", ...project, "--json"], {});
  expect(JSON.parse(counted).results).toEqual([[accepted, accepted]]);
});
