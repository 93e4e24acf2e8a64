import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type Aws, startAws } from "../../../test/support/aws/aws.ts";
import { aPlatform } from "../../../test/support/processes/platform.ts";
import { type LocalStore, startStore } from "../../local/stores/queue-and-objects.ts";
import { type BackupBucket, openBackupBucket, PLACE_HOLD } from "./backup-bucket.ts";
import { holdPlace } from "./place-hold.ts";
import { progress } from "./progress.ts";

const platform = aPlatform();
let folder = "";
let store: LocalStore;
let aws: Aws;
let place: BackupBucket;

const said: string[] = [];
const saying = progress({ isTTY: false, write: (text: string) => said.push(text) > 0 });
/** Whoever is waited for is waited for in vain. */
const NEVER = { renewMs: 3_600_000, silentMs: 3_600_000 };
const SOON = { renewMs: 50, silentMs: 500 };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hold-"));
  store = await startStore(folder);
  aws = await startAws(store.endpoint);
  for (const [name, value] of Object.entries(aws.addStage("shop", platform().dataDir))) vi.stubEnv(name, value);
  place = await openBackupBucket("s3://backups/shop");
});

afterEach(() => place.remove([PLACE_HOLD]));

afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
  await store.stop();
  await rm(folder, { recursive: true, force: true });
});

const held = () => aws.buckets.get("backups", `shop/${PLACE_HOLD}`);
const heldBy = (holder: object) =>
  aws.buckets.put("backups", `shop/${PLACE_HOLD}`, Buffer.from(JSON.stringify({ id: randomUUID(), host: hostname(), turn: 1, ...holder })));

test("a place is held by one program at a time, and is free when that leaves", async () => {
  const first = await holdPlace(place, saying, SOON);
  await expect(holdPlace(place, saying, SOON)).rejects.toThrow(
    "Another backup is written to s3://backups/shop just now: wait until it has ended.",
  );
  expect(said.join("")).toContain("a minute tells which");
  await first.check();
  await first.leave();
  expect(await held()).toBeUndefined();
  await (await holdPlace(place, saying, NEVER)).leave();
});

test("of those that come at once one has it", async () => {
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => holdPlace(place, saying, SOON)));
  const holds = all.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(holds.length).toBe(1);
  for (const hold of holds) await hold.leave();
});

test("whoever was killed on this machine holds nothing", async () => {
  await heldBy({ pid: spawnSync(process.execPath, ["--version"]).pid });
  await (await holdPlace(place, saying, NEVER)).leave();
});

test("what was written and not answered is written", async () => {
  const { client } = place;
  let sent = 0;
  // As the client does it where no answer comes.
  client.middlewareStack.add(
    (next) => async (args) => {
      sent += 1;
      await next(args);
      return next(args);
    },
    { step: "finalizeRequest", name: "again" },
  );
  const hold = await holdPlace(place, saying, NEVER);
  await hold.check();
  client.middlewareStack.remove("again");
  expect(sent).toBeGreaterThan(2);
  await hold.check();
  await hold.leave();
});

test("whoever says nothing has lost it, and is told so before it writes", async () => {
  const silent = await holdPlace(place, saying, NEVER);
  const other = await holdPlace(place, saying, SOON);
  await expect(silent.check()).rejects.toThrow("Another backup is written to s3://backups/shop");
  await silent.leave();
  await other.check();
  expect(await held()).toBeDefined();
  await other.leave();
});

test("a program elsewhere is waited for", async () => {
  await heldBy({ host: "another.example", pid: 1 });
  let isOver = false;
  const waiting = holdPlace(place, saying, SOON)
    .catch(String)
    .finally(() => {
      isOver = true;
    });
  for (let turn = 2; !isOver; turn += 1) {
    await heldBy({ host: "another.example", pid: 1, turn });
    await pause(SOON.renewMs);
  }
  expect(await waiting).toContain("Another backup is written");
});
