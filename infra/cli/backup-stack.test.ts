import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SymbolSets } from "../../lib/error-tracking/symbol-sets.ts";
import { symbolsKey } from "../../lib/lake/paths.ts";
import * as store from "../../lib/table/store.ts";
import { type Aws, startAws } from "../../test/support/aws/aws.ts";
import { aPlatform, aTenant } from "../../test/support/processes/platform.ts";
import { openData } from "../local/stores/open-data.ts";
import { type LocalStore, startStore } from "../local/stores/queue-and-objects.ts";

const COMMAND = join(import.meta.dirname, "main.ts");
const run = promisify(execFile);

const stage = aPlatform();
const empty = aPlatform();
let folder = "";
let backups: LocalStore;
let aws: Aws;
let project = 0;
const environments = new Map<string, NodeJS.ProcessEnv>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "backups-"));
  backups = await startStore(join(folder, "bucket"));
  aws = await startAws(backups.endpoint);
  environments.set("shop", aws.addStage("shop", stage().dataDir));
  environments.set("new", aws.addStage("new", empty().dataDir));
  project = (await aTenant(stage().world)).projectId;
  await addSymbols("first");
});

afterAll(async () => {
  await aws.stop();
  await backups.stop();
  await rm(folder, { recursive: true, force: true });
});

const BYTES = Buffer.from("a file of symbols");

const addSymbols = async (name: string) => {
  const { table, objects } = stage().world;
  const key = symbolsKey(project, name);
  await objects.put(key, BYTES);
  const id = `0190d0aa-0000-7000-8000-${name.length.toString().padStart(12, "0")}`;
  const times = { created_at: "2026-11-28T00:00:00Z", uploaded_at: null };
  await store.put(table, SymbolSets, {
    ...{ project, id, ref: name, ...times, release_id: null, content_hash: null, object: key, bytes: BYTES.length, pending: null },
  });
};

const admin = async (name: string, ...words: readonly string[]) => {
  const { stdout } = await run(process.execPath, [COMMAND, ...words, "--stack", name, "--json"], { env: environments.get(name) });
  return JSON.parse(stdout);
};

const PLACE = "s3://backups/shop";

test("a backup of a stage goes on from what is there, and is restored into an empty stage or a data directory", async () => {
  const first = await admin("shop", "backup", "--to", PLACE);
  expect(first).toMatchObject({ objects: 1, copied: 1, messages: 0, dead_letters: 0 });
  expect(Date.parse(first.began_at)).toBeLessThan(Date.parse(first.exported_at));
  expect(await admin("shop", "backup", "--to", PLACE)).toMatchObject({ objects: 1, copied: 0 });
  expect(await admin("new", "restore", "--from", PLACE)).toMatchObject({ objects: 1, verified: { ok: true, projects: 1 } });
  expect(await empty().world.objects.get(symbolsKey(project, "first"))).toEqual(new Uint8Array(BYTES));
  const [{ stdout }] = [
    await run(process.execPath, [COMMAND, "restore", "--from", PLACE, "--data-dir", join(folder, "restored"), "--json"], {
      env: environments.get("new"),
    }),
  ];
  expect(JSON.parse(stdout)).toMatchObject({ objects: 1, verified: { ok: true, projects: 1 } });
  const { world, close } = await openData(join(folder, "restored"));
  expect(await world.objects.get(symbolsKey(project, "first"))).toEqual(new Uint8Array(BYTES));
  await close();
});
