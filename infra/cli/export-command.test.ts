import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readParquet } from "../../lib/lake/parquet.ts";
import { apiClient } from "../../test/support/api-client.ts";
import { type ATenant, aTenant, eventually } from "../../test/support/processes/platform.ts";
import { type Platform, startPlatform } from "../local/platform.ts";
import { run } from "./run.ts";

let folder = "";
let platform: Platform;
let tenant: ATenant;

const uuidOf = (number: number) => `0198a5b2-4b7e-7c3e-9d51-${String(number).padStart(12, "0")}`;
const LONG = "12345678901234567890";

/** Events of three days with an empty one in between, of long ago and far ahead, with all that JSON can hold. */
const EVENTS = [
  ...Array.from({ length: 30 }, (_, index) => ({
    event: index % 3 === 0 ? "bought" : "seen",
    distinct_id: `person-${index % 4}`,
    timestamp: `2026-06-0${[1, 2, 4][index % 3]}T0${index % 10}:00:00.${String(index).padStart(6, "0")}Z`,
    properties: {
      index,
      account: "LONG",
      text: 'line\nbreak, "quote", 日本 \\',
      nested: { list: [1, "2", null, 0.1] },
      $set: { plan: "free" },
    },
  })),
  { event: "seen", distinct_id: "old", timestamp: "1969-12-31T23:59:59.999999Z", properties: {} },
  { event: "seen", distinct_id: "old", timestamp: "0001-01-01T00:00:00.000001Z", properties: {} },
].map((event, index) => ({ ...event, uuid: uuidOf(index) }));

const admin = (...words: readonly string[]) => run([...words, "--data-dir", join(folder, "data")], {});
const exported = (...words: readonly string[]) => admin("export", "--project", String(tenant.projectId), ...words);
const at = (name: string) => join(folder, name);

interface Line {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: string;
}

const linesOf = (text: string): readonly Line[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const numbers = (lines: readonly Pick<Line, "uuid">[]) => lines.map(({ uuid }) => Number(uuid.slice(-12))).sort((a, b) => a - b);
const all = EVENTS.map((_, index) => index);

const send = async (batch: readonly object[]) => {
  const body = JSON.stringify({ api_key: tenant.projectToken, historical_migration: true, batch }).replaceAll('"LONG"', LONG);
  expect((await fetch(`${platform.ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
};

const untilStored = (count: number) =>
  eventually(async () => {
    const query = { kind: "HogQLQuery", query: "SELECT count() FROM events" };
    const { body } = await apiClient(platform.baseUrl, tenant.personalKey).post(`/api/projects/${tenant.projectId}/query/`, { query });
    expect(body).toMatchObject({ results: [[count]] });
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "export-"));
  platform = await startPlatform({ port: 0, host: "127.0.0.1", dataDir: at("data"), empty: true });
  tenant = await aTenant(platform.world);
  await send(EVENTS);
  await untilStored(EVENTS.length);
  // Copies, which wait while the first ones are gathered or not.
  await send(EVENTS.slice(0, 10));
  await send([{ ...EVENTS[0], uuid: uuidOf(EVENTS.length), properties: { last: true } }]);
  await untilStored(EVENTS.length + 1);
});

afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

test("writes every event once, an event a line, as it was sent", async () => {
  expect(await exported("--out", at("all.jsonl"))).toBe(`33 events of project ${tenant.projectId} were exported.\n`);
  const text = await readFile(at("all.jsonl"), "utf8");
  const lines = linesOf(text);
  expect(numbers(lines)).toEqual([...all, EVENTS.length]);
  expect(text).toContain(`"account":${LONG}`);
  for (const sent of EVENTS.map((event) => JSON.parse(JSON.stringify(event).replaceAll('"LONG"', LONG)))) {
    const line = lines.find(({ uuid }) => uuid === sent.uuid);
    expect(line).toEqual({ ...sent, properties: expect.objectContaining(sent.properties) });
  }
  expect(Object.keys(lines[0] ?? {})).toEqual(["uuid", "event", "distinct_id", "timestamp", "properties"]);
  expect((await readdir(folder)).filter((name) => name.includes("export"))).toEqual([]);
});

test("writes the events of some days and names", async () => {
  await exported("--out", at("june.jsonl"), "--from", "2026-06-02", "--to", "2026-06-04");
  expect(new Set(linesOf(await readFile(at("june.jsonl"), "utf8")).map(({ timestamp }) => timestamp.slice(0, 10)))).toEqual(
    new Set(["2026-06-02", "2026-06-04"]),
  );
  await exported("--out", at("named.jsonl"), "--event", "bought", "--event", "nothing");
  expect(linesOf(await readFile(at("named.jsonl"), "utf8")).length).toBe(11);
});

test("writes compressed files, and many into a directory", async () => {
  await exported("--out", at("all.jsonl.gz"), "--gzip");
  expect(numbers(linesOf(String(gunzipSync(await readFile(at("all.jsonl.gz"))))))).toEqual([...all, EVENTS.length]);

  const answer = JSON.parse(await exported("--out", at("folder/"), "--zstd", "--json"));
  const files = (await readdir(at("folder"))).sort();
  expect(answer).toEqual({
    project: tenant.projectId,
    out: at("folder/"),
    events: 33,
    bytes: expect.any(Number),
    files: files.length,
  });
  expect(files.every((name) => /^events-\d{6}-\d{4}-\d\d-\d\d\.jsonl\.zst$/.test(name))).toBe(true);
  const texts = await Promise.all(files.map(async (name) => String(zstdDecompressSync(await readFile(join(at("folder"), name))))));
  expect(numbers(texts.flatMap(linesOf))).toEqual([...all, EVENTS.length]);

  await exported("--out", at("tables/"), "--form", "parquet");
  const tables = await Promise.all(
    (await readdir(at("tables"))).map(async (name) => readParquet(await readFile(join(at("tables"), name)))),
  );
  expect(numbers(tables.flat().map(({ uuid }) => ({ uuid: String(uuid) })))).toEqual([...all, EVENTS.length]);
  expect(tables.flat().find(({ uuid }) => uuid === uuidOf(30))).toMatchObject({ event: "seen", timestamp: -1n, properties: "{}" });
});

test("goes on where it was broken off, and keeps what was written for good", async () => {
  await exported("--out", at("whole.jsonl"), "--from", "2026-06-01", "--to", "2026-06-04");
  const whole = await readFile(at("whole.jsonl"), "utf8");
  const days = { "2026-06-01": 0, "2026-06-02": 0 };
  for (const { timestamp } of linesOf(whole)) if (timestamp.startsWith("2026-06-01")) days["2026-06-01"] += 1;
  const lines = whole.split("\n");
  const kept = `${lines.filter((line) => line.includes('"timestamp":"2026-06-01')).join("\n")}\n`;
  const request = { project: tenant.projectId, days: [20_605, 20_608], events: null, form: "jsonl", compression: "none" };
  const progress = { next_day: 20_606, events: days["2026-06-01"], bytes: Buffer.byteLength(kept), files: 1 };
  // As a process that was killed within the second day leaves it.
  await writeFile(at("broken.jsonl"), `${kept}{"uuid":"half`);
  await writeFile(at("broken.jsonl.export.json"), JSON.stringify({ v: 1, request, progress }));
  expect(await exported("--out", at("broken.jsonl"), "--from", "2026-06-01", "--to", "2026-06-04")).toContain(
    `${days["2026-06-01"]} of them before it was broken off`,
  );
  const again = await readFile(at("broken.jsonl"), "utf8");
  expect(numbers(linesOf(again))).toEqual(numbers(linesOf(whole)));

  await writeFile(at("other.jsonl"), kept);
  await writeFile(at("other.jsonl.export.json"), JSON.stringify({ v: 1, request, progress }));
  await expect(exported("--out", at("other.jsonl"))).rejects.toThrow("Another export was begun there and broken off");
  await writeFile(at("other.jsonl.export.json"), "{");
  await expect(exported("--out", at("other.jsonl"))).rejects.toThrow("is not of an export that this release can go on with");
});

test("overwrites nothing", async () => {
  await writeFile(at("mine.jsonl"), "mine");
  await expect(exported("--out", at("mine.jsonl"))).rejects.toThrow("is there already, and is no export that was broken off");
  expect(await readFile(at("mine.jsonl"), "utf8")).toBe("mine");
  await mkdir(at("mine"));
  await writeFile(join(at("mine"), "events-000001-2026-06-01.jsonl"), "mine");
  await expect(exported("--out", `${at("mine")}/`)).rejects.toThrow("holds files of an export already");
});

// There is such a device on Linux.
test.skipIf(process.platform !== "linux")("promises nothing of standard output, which cannot go on", async () => {
  const full = await open("/dev/full", "w");
  const words = ["export", "--project", String(tenant.projectId), "--out", "-", "--data-dir", at("data")];
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), ...words], { stdio: ["ignore", full.fd, "pipe"] });
  const [said, [exitCode]] = await Promise.all([text(child.stderr ?? Readable.from([])), once(child, "exit")]);
  await full.close();
  expect([said, exitCode]).toEqual([expect.stringMatching(/^Standard output cannot be written to the end: ENOSPC[^.]*\.\n$/), 1]);
});

test.each([
  ["no place", [], "Say where to write with --out"],
  ["an unknown form", ["--out", "a", "--form", "csv"], 'There is no form "csv"'],
  ["a day that is none", ["--out", "a", "--from", "2026-02-30"], '"2026-02-30" is no day'],
  ["days the wrong way round", ["--out", "a", "--from", "2026-02-02", "--to", "2026-02-01"], "--from has to be a day before --to"],
  ["two compressions", ["--out", "a/", "--gzip", "--zstd"], "not both"],
  ["compressed Parquet", ["--out", "a/", "--form", "parquet", "--gzip"], "leave out --gzip"],
  ["one file of Parquet", ["--out", "a", "--form", "parquet"], "name a directory"],
  ["one file of zstd", ["--out", "a", "--zstd"], "name a directory"],
  ["a place that cannot be written", ["--out", "/proc/none/a.jsonl"], "cannot be written"],
] as const)("refuses %s", async (_, words, message) => {
  await expect(exported(...words)).rejects.toThrow(message);
});
