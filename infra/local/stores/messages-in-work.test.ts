import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keptLog } from "../../../test/support/kept-log.ts";
import { eventually } from "../../../test/support/processes/platform.ts";
import { MAX_DELIVERIES } from "../../sizing.ts";
import { openLocal } from "../world.ts";
import { takeUp } from "./messages-in-work.ts";
import { type LocalStore, startStore, storeDirectory } from "./queue-and-objects.ts";

let folder = "";
let store: LocalStore | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "in-work-"));
  await start(join(folder, "0"));
});
afterEach(async () => {
  await store?.stop();
  await rm(folder, { recursive: true, force: true });
});

let dataDir = "";

const start = async (directory: string): Promise<LocalStore> => {
  dataDir = directory;
  store = await startStore(storeDirectory(dataDir));
  return store;
};

const queues = () => openLocal({ dynamodb: "", store: store?.endpoint ?? "", dataDir, baseUrl: "", ingestUrl: "" }, "test", keptLog());

const send = (...bodies: readonly string[]) =>
  queues().world.queues.send(
    "jobs",
    bodies.map((body) => ({ id: body, body })),
  );
const receive = () => queues().source.receive("jobs", { max: 10, waitMs: 0, visibilityMs: 600_000 });
/** What is delivered now, each with how often it has been. */
const delivered = async () => new Map((await receive()).map(({ body, attempts }) => [body, attempts]));

const stopAndStart = async (): Promise<LocalStore> => {
  await store?.stop();
  return start(dataDir);
};

let copies = 0;
/** The platform is killed: another begins with what lay on the disk at that moment. */
const killAndStart = async (): Promise<LocalStore> => {
  copies += 1;
  const before = dataDir;
  const after = join(folder, `copy-${copies}`);
  await cp(before, after, { recursive: true });
  await store?.stop();
  return start(after);
};

describe("a platform that is stopped while messages are in work", () => {
  test("gives them back as if they had never been handed out, however often that happens", async () => {
    await send("compaction", "fold");
    for (let stop = 0; stop < MAX_DELIVERIES.jobs + 2; stop += 1) {
      expect(await delivered()).toEqual(
        new Map([
          ["compaction", 1],
          ["fold", 1],
        ]),
      );
      expect((await stopAndStart()).inWork).toBe(0);
    }
    expect(store?.deadLetters()).toEqual({ live: 0, historical: 0, jobs: 0 });
  });

  test("counts what failed and waits for another try, which comes at once", async () => {
    await send("failing", "sound");
    const failing = (await receive()).filter(({ body }) => body === "failing");
    await queues().source.changeVisibility(
      "jobs",
      failing.map(({ receipt }) => ({ receipt, afterMs: 300_000 })),
    );
    await stopAndStart();
    expect(await delivered()).toEqual(
      new Map([
        ["failing", 2],
        ["sound", 1],
      ]),
    );
  });
});

describe("a platform that is killed while messages are in work", () => {
  test("is followed by one that knows how many, and takes them up again without counting", async () => {
    await send("compaction", "fold", "failing");
    const failing = (await receive()).filter(({ body }) => body === "failing");
    await queues().source.changeVisibility(
      "jobs",
      failing.map(({ receipt }) => ({ receipt, afterMs: 300_000 })),
    );
    expect((await killAndStart()).inWork).toBe(2);
    expect(await delivered()).toEqual(
      new Map([
        ["compaction", 1],
        ["fold", 1],
        ["failing", 2],
      ]),
    );
  });

  test("gives up on a message in the end that is in work each time", async () => {
    await send("poison");
    await store?.stop();
    const file = new DatabaseSync(join(storeDirectory(dataDir), "fauxqs.db"));
    const handOut = file.prepare("UPDATE sqs_messages SET receipt_handle = 'r', approximate_receive_count = approximate_receive_count + 1");
    const count = file.prepare("SELECT approximate_receive_count AS times FROM sqs_messages");
    const counts: unknown[] = [];
    for (let kill = 1; kill <= 10 + MAX_DELIVERIES.jobs; kill += 1) {
      handOut.run();
      expect(takeUp(file)).toBe(1);
      counts.push(count.get()?.times);
    }
    expect(counts).toEqual([...Array.from({ length: 10 }, () => 0), 1, 2, 3, 4]);
    file.close();

    await start(dataDir);
    expect(await delivered()).toEqual(new Map());
    await eventually(() => expect(store?.deadLetters()).toEqual({ live: 0, historical: 0, jobs: 1 }));
    expect((await stopAndStart()).deadLetters()).toEqual({ live: 0, historical: 0, jobs: 1 });
    const { deadLetters } = queues().world;
    const [dead] = await deadLetters.receive("jobs", { max: 1, waitMs: 0, visibilityMs: 60_000 });
    await deadLetters.acknowledge("jobs", [dead?.receipt ?? ""]);
    await eventually(() => expect(store?.deadLetters()).toEqual({ live: 0, historical: 0, jobs: 0 }));
  });
});
