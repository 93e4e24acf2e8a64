import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type Aws, startAws } from "../../../test/support/aws/aws.ts";
import { itsOwnPlatform } from "../../../test/support/processes/platform.ts";
import { type LocalStore, startStore } from "../../local/stores/queue-and-objects.ts";
import { type BackupBucket, LOCK_FILE, openBackupBucket } from "./backup-bucket.ts";
import { lockBackups } from "./backup-lock.ts";
import { progress } from "./progress.ts";

const platform = itsOwnPlatform();
let folder = "";
let store: LocalStore;
let aws: Aws;
let place: BackupBucket;

const said: string[] = [];
const saying = progress({ isTTY: false, write: (text: string) => said.push(text) > 0 });
/** Whoever is waited for is waited for in vain. */
const NEVER = { renewMs: 3_600_000, expiresMs: 3_600_000 };
const SOON = { renewMs: 50, expiresMs: 500 };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
  store = await startStore(folder);
  aws = await startAws(store.endpoint);
  for (const [name, value] of Object.entries(aws.addStage("shop", platform().dataDir))) vi.stubEnv(name, value);
  place = await openBackupBucket("s3://backups/shop");
});

afterEach(() => place.remove([LOCK_FILE]));

afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
  await store.stop();
  await rm(folder, { recursive: true, force: true });
});

const held = () => aws.buckets.get("backups", `shop/${LOCK_FILE}`);
const heldBy = (holder: object) =>
  aws.buckets.put("backups", `shop/${LOCK_FILE}`, Buffer.from(JSON.stringify({ id: randomUUID(), host: hostname(), turn: 1, ...holder })));

test("a place is held by one program at a time, and is free when that leaves", async () => {
  const first = await lockBackups(place, saying, SOON);
  await expect(lockBackups(place, saying, SOON)).rejects.toThrow(
    "Another backup is written to s3://backups/shop just now: wait until it has ended.",
  );
  expect(said.join("")).toContain("a minute tells which");
  await first.check();
  await first.release();
  expect(await held()).toBeUndefined();
  await (await lockBackups(place, saying, NEVER)).release();
});

test("of those that come at once one has it", async () => {
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => lockBackups(place, saying, SOON)));
  const locks = all.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(locks.length).toBe(1);
  for (const lock of locks) await lock.release();
});

test("whoever was killed on this machine holds no lock", async () => {
  await heldBy({ pid: spawnSync(process.execPath, ["--version"]).pid });
  await (await lockBackups(place, saying, NEVER)).release();
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
  const lock = await lockBackups(place, saying, NEVER);
  await lock.check();
  client.middlewareStack.remove("again");
  expect(sent).toBeGreaterThan(2);
  await lock.check();
  await lock.release();
});

test("whoever says nothing has lost it, and is told so before it writes", async () => {
  const silent = await lockBackups(place, saying, NEVER);
  const other = await lockBackups(place, saying, SOON);
  await expect(silent.check()).rejects.toThrow("Another backup is written to s3://backups/shop");
  await silent.release();
  await other.check();
  expect(await held()).toBeDefined();
  await other.release();
});

test("a program elsewhere is waited for", async () => {
  await heldBy({ host: "another.example", pid: 1 });
  let isOver = false;
  const waiting = lockBackups(place, saying, SOON)
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
