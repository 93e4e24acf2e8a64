import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { sweeping } from "../../../functions/sweep/schedule.ts";
import { erase } from "../../../infra/cli/erase-command.ts";
import { unpack } from "../../../lib/core/pack.ts";
import { readColumns } from "../../../lib/lake/parquet.ts";
import { PARTITIONS, partitionNames } from "../../../lib/table/partitions.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const HOUR_MS = 3_600_000;
const MARK = "erased-person";
const EMAIL = "ana.doe@example.test";

const objects = memoryObjects();
const engine = anEngine(objects);
let one: Awaited<ReturnType<typeof endpointWorld>>;

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
});

/** All that can be read of an object: its bytes, what is packed in them, and the columns of a file of rows. */
const texts = async (bytes: Uint8Array): Promise<readonly string[]> => {
  const plain = Buffer.from(bytes).toString("utf8");
  if (plain.startsWith("PAR1"))
    return [plain, ...[...(await readColumns(bytes)).values()].map((column) => Array.from(column, String).join("\n"))];
  const tried = [gunzipSync, zstdDecompressSync, (packed: Uint8Array) => Buffer.from(JSON.stringify(unpack(packed)))].flatMap((read) => {
    try {
      return [read(bytes).toString("utf8")];
    } catch {
      return [];
    }
  });
  return [plain, ...tried];
};

/** Keys of all objects, and of all items of the project, that show one of the texts. */
const showing = async (wanted: readonly string[]): Promise<readonly string[]> => {
  const isShown = (text: string): boolean => wanted.some((each) => text.includes(each));
  const found: string[] = [];
  for (const { key } of (await objects.list("", null)).objects)
    if ((await texts((await objects.get(key)) ?? new Uint8Array())).some(isShown)) found.push(key);
  for (const pk of partitionKeys()) {
    const { items } = await one.world.table.query({ pk, consistent: true });
    for (const item of items) {
      const packed = Object.values(item).filter((value) => value instanceof Uint8Array);
      const all = [JSON.stringify(item), ...(await Promise.all(packed.map(texts))).flat()];
      if (all.some(isShown)) found.push(`${item.pk} ${item.sk}`);
    }
  }
  return found;
};

/** The partitions of the one project and of its organization. */
const partitionKeys = (): readonly string[] =>
  partitionNames
    .map((name) => PARTITIONS[name].pk.replace("{project}", "1").replace("{organization}", one.organization.id))
    .filter((pk) => !pk.includes("{"));

const exception = (distinct_id: string, message: string, type = "Error") => ({
  event: "$exception",
  distinct_id,
  at: one.time.now,
  properties: { $exception_list: [{ type, value: message, stacktrace: { type: "raw", frames: [] } }] },
});

it("a day after an erasure no byte of the store shows an id of the person, or their address", async () => {
  const at = one.time.now;
  const seen = (event: string, distinct_id: string, properties = {}) => ({ event, distinct_id, at, properties });
  await one.send([seen("$identify", MARK, { $anon_distinct_id: `anon-${MARK}`, $set: { email: EMAIL } }), seen("seen", "bob")]);
  await one.send([seen("seen", `anon-${MARK}`), exception(MARK, `no account for ${EMAIL}`), exception("bob", "no account for bob")]);
  await one.send([exception(MARK, "lives at the mill", "OnlyHers")]);
  const text = "SELECT distinct_id, count() FROM events WHERE event != {variables.e} GROUP BY distinct_id";
  expect((await one.call("POST", "", { name: "people", query: sqlQuery(text, { e: "none" }) })).status).toBe(201);
  one.time.now += 2 * HOUR_MS;
  const run = async () => (await one.run("people", { variables: { e: "none" } })).json;
  expect(JSON.stringify(await run())).toContain(MARK);
  const settle = async (hours: number): Promise<void> => {
    for (let hour = 0; hour < hours; hour += 1) {
      one.time.now += HOUR_MS;
      await sweeping.run(one.world, { remainingMs: () => 60_000 });
      await one.work();
    }
  };
  await settle(2);
  const wanted = [MARK, EMAIL];
  expect((await showing(wanted)).length).toBeGreaterThan(2);

  const target = { world: one.world, forgetKeys: () => undefined, close: async () => undefined };
  await erase(target, { words: [], flags: { project: "1", "distinct-id": MARK }, switches: new Set(["yes"]) });
  expect(JSON.stringify(await run())).not.toContain(MARK);
  await settle(24);
  expect(await showing(wanted)).toEqual([]);
  const { items } = await one.world.table.query({ pk: "errors#1#issues", consistent: true });
  // Of the issue that others have, too, the name goes; of hers alone all that was said.
  expect(new Map(items.map(({ name, description }) => [name, description]))).toEqual(
    new Map([
      ["Error", "no account for [erased]"],
      ["OnlyHers", null],
    ]),
  );
  expect(JSON.stringify(await run())).toContain("bob");
});
