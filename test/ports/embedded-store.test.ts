import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalStore, startStore, storeDirectory } from "../../infra/local/stores/queue-and-objects.ts";
import { BUCKET, objectFile } from "../../infra/local/stores/store-names.ts";
import { embedded, openLocal } from "../../infra/local/world.ts";
import { s3Objects } from "../../lib/aws/aws-objects.ts";
import type { Objects } from "../../lib/ports/objects.ts";
import { keptLog } from "../support/kept-log.ts";
import { objectsSuite } from "./objects.suite.ts";
import { queuesSuite } from "./queues.suite.ts";

let folder = "";
let store: LocalStore | undefined;
let opened: ReturnType<typeof openLocal> | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "store-"));
  store = await startStore(storeDirectory(folder));
  opened = openLocal({ dynamodb: "", store: store.endpoint, dataDir: folder, baseUrl: "", ingestUrl: "" }, "suite", keptLog());
});

afterAll(async () => {
  await store?.stop();
  await rm(folder, { recursive: true, force: true });
});

const parts = () => {
  if (!opened) throw new Error("the store has not started");
  return opened;
};

queuesSuite("the embedded queues", () => ({
  queues: parts().world.queues,
  source: parts().source,
  depths: parts().world.queueDepths,
  pass: (ms) => pause(ms),
}));
const PAGE = 20;
const objects = (): Objects => {
  const { world } = parts();
  const client = new S3Client({ ...embedded(store?.endpoint ?? ""), forcePathStyle: true });
  return s3Objects(client, BUCKET, { localPath: world.objects.localPath, pageSize: PAGE });
};
objectsSuite("the embedded object store", objects, { pageSize: PAGE });

test("a file that is offered can be fetched by its address alone, under its name and as what it is", async () => {
  const path = join(folder, "offered");
  await writeFile(path, "a,b\r\n");
  const address = await parts().world.objects.offer("exports/acme/1.csv", path, { name: "usage.csv", mediaType: "text/csv" });
  const reply = await fetch(address);
  expect([reply.status, reply.headers.get("content-type"), reply.headers.get("content-disposition"), await reply.text()]).toEqual([
    200,
    "text/csv",
    'attachment; filename="usage.csv"',
    "a,b\r\n",
  ]);
});

test("whoever has the addresses puts a large file into its place, by form and by address", async () => {
  const { objects } = parts().world;
  const bytes = new Uint8Array(12 * 1024 * 1024).fill(7);
  const { form, put = "" } = await objects.admit("symbols/1/a", { most: bytes.length, exact: bytes.length });
  const body = new FormData();
  for (const [name, value] of Object.entries(form.fields)) body.set(name, value);
  body.set("file", new Blob([bytes]), "file");
  const posted = await fetch(form.url, { method: "POST", body });
  const asPosted = await objects.get("symbols/1/a");
  const replaced = await fetch(put, { method: "PUT", body: bytes.fill(8) });
  expect([posted.status, asPosted?.length, asPosted?.at(-1), replaced.status]).toEqual([204, bytes.length, 7, 200]);
  expect((await objects.get("symbols/1/a"))?.at(-1)).toBe(8);
  expect((await fetch(await objects.address("symbols/1/a"))).headers.get("content-length")).toBe(String(bytes.length));
  expect((await objects.admit("symbols/1/a", { most: 1, exact: undefined })).put).toBeUndefined();
});

test("what a killed process left half written is not there, and everything else is", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "torn-"));
  const directory = storeDirectory(dataDir);
  const open = async () => {
    const started = await startStore(directory);
    const { world } = openLocal({ dynamodb: "", store: started.endpoint, dataDir, baseUrl: "", ingestUrl: "" }, "torn", keptLog());
    return { ...started, objects: world.objects };
  };
  try {
    const before = await open();
    for (const key of ["events/whole", "events/torn", "events/again"]) await before.objects.put(key, Buffer.from(key));
    await before.objects.put("events/again", Buffer.from("anew"));
    await before.stop();
    const factsOf = (key: string): string => objectFile(directory)(key).replace(/data$/, "meta.json");
    await writeFile(factsOf("events/torn"), "");
    await mkdir(join(directory, "objects", "_multipart", "u"), { recursive: true });
    await writeFile(join(directory, "objects", "_multipart", "u", ".upload.json"), '{"uploadId":');
    const after = await open();
    expect(await after.objects.get("events/torn")).toBeUndefined();
    expect(Buffer.from((await after.objects.get("events/whole")) ?? []).toString()).toBe("events/whole");
    expect(Buffer.from((await after.objects.get("events/again")) ?? []).toString()).toBe("anew");
    await after.objects.put("events/torn", Buffer.from("whole now"));
    expect((await after.objects.list("events/", null)).objects).toHaveLength(3);
    await after.stop();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
