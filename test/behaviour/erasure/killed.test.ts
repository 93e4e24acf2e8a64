import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../../infra/cli/run.ts";
import { readHead } from "../../../lib/lake/head.ts";
import { importKey } from "../../../lib/lake/paths.ts";
import { readRemovals } from "../../../lib/lake/removals-in-force.ts";
import { killAgain } from "../../support/processes/killed-command.ts";
import { aTenant, eventually, itsOwnPlatform } from "../../support/processes/platform.ts";

const platform = itsOwnPlatform();

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "erasure-killed-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A command is killed so often, if it does not end before. */
const KILLS = 4;
const PEOPLE = 7;

/** An event of the model, by its number. */
interface Sent {
  readonly file: string;
  readonly number: number;
}

/** Events of two files: the second half of the first, which is imported first and keeps it, is the first half of the second. */
const event = (number: number): string =>
  JSON.stringify({
    event: "seen",
    distinct_id: personOf(number),
    uuid: `0198a5b2-4b7e-7c3e-9d51-${String(number).padStart(12, "0")}`,
    timestamp: `2026-0${1 + (number % 6)}-10T10:00:00Z`,
    properties: { number, $set: { last_seen: number } },
  });
const personOf = (number: number): string => `person-${number % PEOPLE}`;

test("an import, its undoing and an erasure that are killed again and again leave what they leave otherwise", async () => {
  const { projectId } = await aTenant(platform().world);
  const project = ["--project", String(projectId), "--data-dir", platform().dataDir];
  const { table, objects } = platform().world;
  const half = 10_000;
  const files = { first: [0, 2 * half], second: [half, 3 * half] } as const;
  const path = (name: string): string => join(folder, `${name}.jsonl`);
  const model: Sent[] = [];
  for (const [name, [from, to]] of Object.entries(files)) {
    const numbers = Array.from({ length: to - from }, (_, at) => from + at);
    await writeFile(path(name), numbers.map(event).join("\n"));
    model.push(...numbers.map((number) => ({ file: name, number })));
  }

  /** All that a command writes down as it goes on. */
  const written = async (): Promise<string> => {
    const { objects: records } = await objects.list(importKey(projectId, ""), null);
    const contents = await Promise.all(records.map(({ key }) => objects.get(key)));
    const head = await readHead(table, projectId);
    return JSON.stringify([
      contents.map((bytes) => Buffer.from(bytes ?? []).toString()),
      head,
      await readRemovals(platform().world, projectId),
    ]);
  };
  let kills = 0;
  const through = async (...words: readonly string[]): Promise<void> => {
    kills += await killAgain([...words, ...project], written, KILLS);
    await run([...words, ...project], {});
  };
  const counts = async (): Promise<unknown> => {
    const query =
      "SELECT distinct_id, count(), count(DISTINCT uuid), uniq(person_id) FROM events GROUP BY distinct_id ORDER BY distinct_id";
    return JSON.parse(await run(["query", query, ...project, "--json"], {})).results;
  };
  /** What is there of the model's events, whichever file they came from. */
  const expected = (left: readonly Sent[]): unknown => {
    const people = Map.groupBy(new Set(left.map(({ number }) => number)), personOf);
    return [...people].map(([id, { length }]) => [id, length, length, 1]).sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  };

  await through("import", path("first"), "--import", "first");
  await through("import", path("second"), "--import", "second");
  // What is imported is stored soon.
  await eventually(async () => expect(await counts()).toEqual(expected(model)), { everyMs: 500 });
  await through("undo", "second", "--yes");
  const undone = model.filter(({ file }) => file !== "second");
  expect(await counts()).toEqual(expected(undone));
  await through("erase", "--distinct-id", "person-3", "--yes");
  const erased = undone.filter(({ number }) => personOf(number) !== "person-3");
  expect(await counts()).toEqual(expected(erased));
  expect(kills).toBeGreaterThanOrEqual(6);
});
