import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { GENERATION, NEXT_GENERATION } from "../../lib/core/formats.ts";
import { SymbolSets } from "../../lib/error-tracking/symbol-sets.ts";
import { encodeMessage } from "../../lib/event/message.ts";
import { headKey, readHead } from "../../lib/lake/head.ts";
import { lakePk, publishedSk, symbolsKey } from "../../lib/lake/paths.ts";
import * as store from "../../lib/table/store.ts";
import { type Aws, startAws } from "../../test/support/aws/aws.ts";
import { aTenant, eventually, itsOwnPlatform } from "../../test/support/processes/platform.ts";
import { SYMBOLS, storeSymbols } from "../../test/support/samples/stored-symbols.ts";
import { openData } from "../local/stores/open-data.ts";
import { type LocalStore, startStore } from "../local/stores/queue-and-objects.ts";

const COMMAND = join(import.meta.dirname, "main.ts");
const run = promisify(execFile);

const shop = itsOwnPlatform();
const fresh = itsOwnPlatform();
const second = itsOwnPlatform();
const third = itsOwnPlatform();
let folder = "";
let backups: LocalStore;
let aws: Aws;
let project = 0;
const operators = new Map<string, NodeJS.ProcessEnv>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "backups-"));
  backups = await startStore(join(folder, "bucket"));
  aws = await startAws(backups.endpoint);
  for (const [name, platform] of Object.entries({ shop, fresh, second, third }))
    operators.set(name, aws.addStage(name, platform().dataDir));
  project = (await aTenant(shop().world)).projectId;
  await storeSymbols(shop().world, project, "first");
});

afterEach(() => {
  aws.exports.taken = () => undefined;
  aws.exports.isRecoverable = true;
});

afterAll(async () => {
  await aws.stop();
  await backups.stop();
  await rm(folder, { recursive: true, force: true });
});

const removeSymbols = async (name: string) => {
  const { table } = shop().world;
  for await (const page of store.pages(table, SymbolSets, "key", { project }))
    for (const set of page) if (set.ref === name) await store.remove(table, SymbolSets, set);
};

/** Runs a command as the operator of a stage, in a process of its own. */
const as = async (operator: string, ...words: readonly string[]) => {
  const { stdout } = await run(process.execPath, [COMMAND, ...words, "--json"], { env: operators.get(operator) });
  return JSON.parse(stdout);
};
const backUp = (to = "s3://backups/shop") => as("shop", "backup", "--to", to, "--stack", "shop");
const restore = (stage: string, from = "s3://backups/shop") => as(stage, "restore", "--from", from, "--stack", stage);

test("a backup of a stage copies only what is new, and becomes a stage or a data directory", async () => {
  const first = await backUp();
  expect(first).toMatchObject({ objects: 1, copied: 1, messages: 0, dead_letters: 0, is_by_age: false });
  expect(Date.parse(first.began_at)).toBeLessThan(Date.parse(first.exported_at));
  expect(await backUp()).toMatchObject({ objects: 1, copied: 0 });
  expect(await aws.buckets.names("backups", "shop/exports/")).toEqual([]);

  expect(await restore("fresh")).toMatchObject({ objects: 1, verified: { ok: true, projects: 1 } });
  expect(await fresh().world.objects.get(symbolsKey(project, "first"))).toEqual(new Uint8Array(SYMBOLS));
  expect(await fresh().world.objects.get("restoring")).toBeUndefined();
  await expect(restore("fresh")).rejects.toThrow(/The stage fresh is not empty: its bucket holds symbols\/\d+\/first\. Deploy a new stage/);

  const directory = join(folder, "restored");
  const made = await as("shop", "restore", "--from", "s3://backups/shop", "--data-dir", directory);
  expect(made).toMatchObject({ objects: 1, verified: { ok: true, projects: 1 } });
  const { world, close } = await openData(directory);
  expect(await world.objects.get(symbolsKey(project, "first"))).toEqual(new Uint8Array(SYMBOLS));
  await close();
});

test("what is deleted while the backup runs is taken from the bucket's versions, and what is really gone makes none", async () => {
  await storeSymbols(shop().world, project, "deleted");
  aws.exports.taken = () => shop().world.objects.remove([symbolsKey(project, "deleted")]);
  expect(await backUp("s3://backups/deleted")).toMatchObject({ objects: 2, copied: 2 });
  expect(await aws.buckets.get("backups", `deleted/objects/${symbolsKey(project, "deleted")}`)).toEqual(SYMBOLS);
  const page = await aws.buckets.get("backups", "deleted/backup.json");

  await storeSymbols(shop().world, project, "lost-for-good");
  await shop().world.objects.remove([symbolsKey(project, "lost-for-good")]);
  await expect(backUp("s3://backups/deleted")).rejects.toThrow(
    /lacks 1 of the objects that the table names, such as symbols\/\d+\/lost-for-good/,
  );
  expect(await aws.buckets.get("backups", "deleted/backup.json")).toEqual(page);
  await removeSymbols("lost-for-good");
});

test("a restore that goes on once the stage is awake leaves what its workers did as it is, and another backup out", async () => {
  const { id } = JSON.parse(String(await aws.buckets.get("backups", "shop/backup.json")));
  const { table, objects } = fresh().world;
  await objects.put("restoring", Buffer.from(JSON.stringify({ id, is_waking: true })));
  const head = await table.update(headKey(project), { set: { "m:2026-11": "swapped-meanwhile" } });
  await expect(restore("fresh", "s3://backups/deleted")).rejects.toThrow("A restore of another backup was begun in the stage fresh");
  // The manifest of that swap is none: verifying says so, and that is all there is to be said.
  await expect(restore("fresh")).rejects.toMatchObject({
    stdout: expect.stringMatching(/"key":\s*"state\/\d+\/manifests\/2026-11\/swapped-meanwhile",\s*"says":\s*"is missing"/),
  });
  expect(await table.get(headKey(project))).toEqual(head);
});

test("what waited in a data directory is sent to the stage that it is restored into, and stored there", async () => {
  const [directory, copy] = [join(folder, "directory"), join(folder, "copy")];
  const { world, close } = await openData(directory);
  const tenant = await aTenant(world);
  const events = JSON.stringify({
    api_key: tenant.projectToken,
    batch: [{ event: "waited", distinct_id: "ana", properties: {}, timestamp: "2026-11-27T12:00:00Z" }],
  });
  const message = encodeMessage({
    ...{ v: 1, project: tenant.projectId, organization: tenant.organizationId, request: "0".repeat(32) },
    ...{ received: "1795780800000000", sentAt: null, historical: false, payload: "envelope", engage: false, first: 0, events: 1 },
    ...{ decodedBytes: events.length, body: { encoding: "none", inline: Buffer.from(events).toString("base64") } },
  });
  await world.queues.send("live", [{ id: "1", body: message }]);
  await close();
  await run(process.execPath, [COMMAND, "backup", "--to", copy, "--data-dir", directory], { env: operators.get("third") });
  expect(await restore("third", copy)).toMatchObject({ messages: 1, verified: { ok: true, projects: 1 } });
  const { table } = third().world;
  await eventually(async () => expect((await readHead(table, tenant.projectId)).manifests).toHaveProperty("2026-11"));
});

test("formats that the stage does not read are not restored into it", async () => {
  const page = String(await aws.buckets.get("backups", "shop/backup.json"));
  const newer = page.replace(`"generation": ${GENERATION}`, `"generation": ${NEXT_GENERATION + 1}`);
  await aws.buckets.put("backups", "shop/backup.json", Buffer.from(newer));
  await expect(restore("second")).rejects.toThrow(`formats of generation ${NEXT_GENERATION + 1}; this one reads up to ${NEXT_GENERATION}`);
  await aws.buckets.put("backups", "shop/backup.json", Buffer.from(page));
});

test("what is true of the stage alone is not in its backup: open tables, which name its bucket, and places that its workers hold", async () => {
  const { table } = shop().world;
  const items = [
    { pk: lakePk(project), sk: publishedSk("events"), metadata: "iceberg/nothing" },
    { pk: "lane#a-lane", sk: "turns", running: [{ name: "a message that is nowhere else", owner: String(project) }] },
  ];
  for (const item of items) await table.put(item);
  expect(await backUp("s3://backups/published")).toMatchObject({ messages: 0 });
  expect(await restore("second", "s3://backups/published")).toMatchObject({ verified: { ok: true } });
  for (const item of items) expect(await second().world.table.get(item)).toBeUndefined();
  for (const item of items) await table.remove(item);
});

test("a backup goes into a bucket that is not the stage's own and holds nothing else, of a table that can be exported", async () => {
  await expect(backUp(join(folder, "directory"))).rejects.toThrow("A stack is backed up into a bucket: --to s3://BUCKET/PREFIX");
  await expect(backUp("s3://shop-lake/backup")).rejects.toThrow("is the stage's own bucket");
  await aws.buckets.put("backups", "files/file", SYMBOLS);
  await expect(backUp("s3://backups/files")).rejects.toThrow(
    "s3://backups/files is not empty and holds no backup: name another place, such as s3://backups/files/backup.",
  );
  await expect(restore("shop", "s3://backups/nothing")).rejects.toThrow("There is no whole backup in s3://backups/nothing");
  aws.exports.isRecoverable = false;
  await expect(backUp("s3://backups/unrecoverable")).rejects.toThrow("Point-in-time recovery of the stage's table is off");
});
