import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parquetFile } from "../../lib/lake/parquet.ts";
import { jsonLines, SHAPES } from "../../test/support/history/shapes.ts";
import { aPlatform, aTenant, eventually } from "../../test/support/processes/platform.ts";
import { readRunning } from "../local/stores/lock.ts";
import { run, runLine } from "./run.ts";

const platform = aPlatform();

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const admin = (...words: readonly string[]) => run([...words, "--data-dir", platform().dataDir], {});

/** A file of the folder with this content. */
const aFile = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};

const aProject = async () => {
  const tenant = await aTenant(platform().world);
  const project = ["--project", String(tenant.projectId)];
  const rows = async (select: string): Promise<readonly unknown[]> =>
    JSON.parse(await admin("query", select, ...project, "--json")).results;
  const importing = async (words: readonly string[]) => {
    const { text, exitCode } = await runLine(["import", ...words, ...project, "--json", "--data-dir", platform().dataDir], {});
    return { ...JSON.parse(text), exitCode };
  };
  return { ...tenant, project, rows, importing };
};

const COUNT = "SELECT count() FROM events";

describe.concurrent("admin import", () => {
  test("stores events of every product's files, plain and compressed, and says by day what the lake has of them", async () => {
    const { importing, rows } = await aProject();
    const files = [];
    for (const [name, shape] of Object.entries(SHAPES)) {
      const lines = jsonLines(shape, 60);
      const content = name === "events" ? gzipSync(lines) : name === "mixpanel" ? zstdCompressSync(lines) : lines;
      files.push(await aFile(`${name.replace(" ", "-")}.jsonl`, content));
    }
    const found = await importing([...files, "--verify"]);
    expect(found).toMatchObject({ read: 360, accepted: 360, rejected: 0, stored: 360, dead_letters: 0, exitCode: 0 });
    expect(found.files).toHaveLength(6);
    for (const { accepted, stored, duplicates } of found.days) expect({ stored, duplicates }).toEqual({ stored: accepted, duplicates: 0 });
    expect(await rows(COUNT)).toEqual([[360]]);
    // The id of an anonymous visitor of Segment's became that of a person.
    expect(await rows("SELECT count(DISTINCT person_id) FROM events WHERE distinct_id IN ('device-0', 'user-0')")).toEqual([[1]]);
  });

  test("the same command again sends nothing, and the same events in other files are duplicates", async () => {
    const { importing, rows } = await aProject();
    const lines = jsonLines(SHAPES.segment, 40);
    const file = await aFile("again.jsonl", lines);
    const first = await importing([file, "--verify"]);
    expect(first).toMatchObject({ accepted: 40, stored: 40 });
    expect(await importing([file, "--verify"])).toEqual(first);
    const turned = await aFile("turned.jsonl", lines.trimEnd().split("\n").toReversed().join("\n"));
    const other = await importing([turned, "--verify"]);
    expect(other).toMatchObject({ accepted: 40, stored: 0, exitCode: 0 });
    expect(other.import).not.toBe(first.import);
    expect(await rows(COUNT)).toEqual([[40]]);
  });

  test("is what a request with historical_migration would be, event by event", async () => {
    const events = [
      ...Array.from({ length: 30 }, (_, number) => JSON.parse(JSON.stringify(SHAPES.events(number)))),
      { event: "no uuid", distinct_id: 5, timestamp: "2024-01-01 05:00:00" },
      { event: "no uuid", distinct_id: 5, timestamp: "2024-01-01 05:00:00" },
      { event: "$identify", distinct_id: "ana", timestamp: "2024-01-02", properties: { $anon_distinct_id: "x", $set: { a: 1 } } },
      {
        event: "young",
        distinct_id: "b",
        timestamp: new Date(Date.now() - 3_600_000).toISOString(),
        uuid: "0190d0aa-0000-7000-8000-000000000001",
      },
    ];
    const sent = await aProject();
    const imported = await aProject();
    const reply = await fetch(`${platform().ingestUrl}/batch/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ api_key: sent.projectToken, historical_migration: true, batch: events }),
    });
    expect(reply.status).toBe(200);
    const file = await aFile("same.jsonl", events.map((event) => JSON.stringify(event)).join("\n"));
    await imported.importing([file, "--verify"]);
    const all =
      "SELECT event, distinct_id, timestamp, properties, $session_id FROM events ORDER BY timestamp, event, distinct_id, properties";
    const persons = "SELECT properties.a AS a, count() FROM persons GROUP BY a ORDER BY a";
    const expected = await eventually(async () => {
      expect(await sent.rows(COUNT)).toEqual([[events.length]]);
      return { all: await sent.rows(all), persons: await sent.rows(persons) };
    });
    await eventually(async () => expect({ all: await imported.rows(all), persons: await imported.rows(persons) }).toEqual(expected));
  });

  test("events of another project have their groups by the slots of this one", async () => {
    const { importing, rows } = await aProject();
    const properties = { $groups: { team: "blue" }, $group_1: "blue", $group_3: "a type that this project has not" };
    const event = { event: "e", distinct_id: "ana", timestamp: "2024-01-01", properties };
    await importing([await aFile("slots.jsonl", JSON.stringify(event)), "--verify"]);
    expect(await rows("SELECT $group_0, $group_1, properties FROM events")).toEqual([
      ["blue", "", JSON.stringify({ $groups: { team: "blue" }, $group_0: "blue" })],
    ]);
  });

  test("what is refused stands in a file with its line, the reason and itself, and the code is 2", async () => {
    const { importing, rows } = await aProject();
    const good = JSON.stringify(SHAPES.events(1));
    const long = JSON.stringify({ event: "a", distinct_id: "b", timestamp: "2024-01-01", properties: { text: "x".repeat(1024 * 1024) } });
    const lines = [
      good,
      "{",
      '{"event":"a","timestamp":"2024-01-01"}',
      '{"event":"a","distinct_id":"b"}',
      '{"event":"a","distinct_id":"b","timestamp":"some day"}',
      long,
      `{"event":"a","text":"${"y".repeat(9 * 1024 * 1024)}"}`,
      `{"event":"a","distinct_id":"b","timestamp":"2024-01-01","properties":{"deep":${"[".repeat(200)}${"]".repeat(200)}}}`,
      '{"event":"$performance_event","distinct_id":"b","timestamp":"2024-01-01"}',
      '{"event":"$groupidentify","distinct_id":"b","timestamp":"2024-01-01","properties":{"$group_type":"a","$group_key":"b","$group_set":1}}',
    ];
    const file = await aFile("bad.jsonl", lines.join("\n"));
    expect(await importing([file, "--verify"])).toMatchObject({ read: 10, accepted: 1, rejected: 8, left_out: 1, stored: 1, exitCode: 2 });
    const rejects = (await readFile(`${file}.rejects.jsonl`, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line): { line: number; reason: string; record: string } => JSON.parse(line));
    expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
      [2, "the record is not valid JSON, it ends too early (line 1, column 2)"],
      [3, "event submitted without a distinct_id"],
      [4, "the event has no timestamp"],
      [5, "timestamp is no time that can be read"],
      [6, "the event is larger than 1048576 bytes"],
      [7, "the record is longer than 8388608 bytes"],
      [8, "failed to parse request: nested deeper than 128 levels"],
      [10, "$group_key is longer than 400 characters, or $group_set is no object"],
    ]);
    expect(rejects[0]?.record).toBe("{");
    expect(rejects[5]?.record).toHaveLength(1024);
    expect(await rows(COUNT)).toEqual([[1]]);
  });

  test("the largest event that a client can send is exported and imported", async () => {
    const [sent, imported] = [await aProject(), await aProject()];
    const sized = (length: number): string =>
      JSON.stringify({ event: "long", distinct_id: "ana", timestamp: "2024-01-01", properties: { text: "x".repeat(length) } });
    const event = sized(1024 * 1024 - sized(0).length);
    const body = `{"api_key":"${sent.projectToken}","historical_migration":true,"batch":[${event}]}`;
    expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
    await eventually(async () => expect(await sent.rows(COUNT)).toEqual([[1]]));
    const out = join(folder, "largest.jsonl");
    await admin("export", "--out", out, ...sent.project);
    expect(await imported.importing([out, "--verify"])).toMatchObject({ accepted: 1, rejected: 0, stored: 1 });
    expect(await imported.rows("SELECT length(properties.text) FROM events")).toEqual([[1024 * 1024 - sized(0).length]]);
  });

  test("of a file that is damaged what stands before is brought in, and the rest with the repaired one", async () => {
    const { importing, rows } = await aProject();
    const whole = gzipSync(jsonLines(SHAPES.events, 40));
    const file = await aFile("damaged.jsonl.gz", whole.subarray(0, -8));
    await expect(importing([file])).rejects.toThrow("(unexpected end of file). An import takes what stands before that; repair the file");
    await eventually(async () => expect(await rows(COUNT)).toEqual([[40]]));
    await writeFile(file, whole);
    expect(await importing([file, "--verify"])).toMatchObject({ accepted: 40, stored: 0, exitCode: 0 });
    expect(await rows(COUNT)).toEqual([[40]]);
  });

  test("a dry run shows rows, types, times and refusals, and writes nothing", async () => {
    const { projectId, importing, rows, project } = await aProject();
    const own = join(folder, "dry");
    await mkdir(own);
    const path = await aFile(
      "dry/dry.csv",
      "event,distinct_id,timestamp,price,at\nbuy,ana,2024-05-01,3,2024-05-01\nbuy,bob,never,4,2024-05-02\n",
    );
    const { files } = await importing([path, "--dry-run"]);
    expect(files).toEqual([
      {
        file: path,
        form: "csv",
        read: 2,
        events: 1,
        left_out: 0,
        from: "2024-05-01T00:00:00.000Z",
        to: "2024-05-01T00:00:00.000Z",
        rows: [expect.objectContaining({ event: "buy", distinct_id: "ana", historical: true, properties: { price: 3, at: "2024-05-01" } })],
        types: [
          { of: "event", name: "price", type: "Numeric" },
          { of: "event", name: "at", type: "DateTime" },
        ],
        refused: [{ reason: "timestamp is no time that can be read", count: 1, line: 3 }],
      },
    ]);
    expect(await admin("import", path, "--dry-run", ...project)).toContain("Of the first 2 records 1 are events, 1 are refused.");
    expect(await readdir(own)).toEqual(["dry.csv"]);
    expect(await rows(COUNT)).toEqual([[0]]);
    expect((await platform().world.objects.list(`imports/${projectId}/`, null)).objects).toEqual([]);
  });

  test("a Parquet file's rows are events, with times to the microsecond and numbers to the last digit", async () => {
    const { importing, rows } = await aProject();
    const texts = (name: string, values: readonly string[]) => ({ name, kind: "utf8" as const, values, nullable: false, repeats: false });
    const { content } = await parquetFile(
      [
        texts("event", ["buy", "buy"]),
        texts("distinct_id", ["ana", "bob"]),
        { name: "timestamp", kind: "timestamp", values: BigInt64Array.of(1_704_067_200_123_456n, -1n) },
        texts("properties", ['{"n":12345678901234567890}', "{}"]),
      ],
      2,
      {},
    );
    const found = await importing([await aFile("rows.parquet", content), "--verify"]);
    expect(found).toMatchObject({ accepted: 2, stored: 2 });
    expect(
      await rows("SELECT distinct_id, toUnixTimestamp64Micro(timestamp), properties FROM events ORDER BY distinct_id LIMIT 1"),
    ).toEqual([["ana", 1_704_067_200_123_456, expect.stringContaining("12345678901234567890")]]);
  });

  test("objects of a bucket are read by ranges, one by its key or all below a prefix", async () => {
    const { importing, project } = await aProject();
    const { objects } = platform().world;
    const [endpoint = ""] = [readRunning(platform().dataDir)?.store];
    // The embedded store asks for no credentials, and the client insists on some.
    const access = { AWS_ENDPOINT_URL: endpoint, AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };
    Object.assign(process.env, access);
    await objects.put("exports/history/a.jsonl", Buffer.from(jsonLines(SHAPES.events, 30)));
    await objects.put("exports/history/b.jsonl.gz", gzipSync(jsonLines(SHAPES.mixpanel, 30)));
    const one = await importing(["s3://lake/exports/history/a.jsonl", "--verify"]);
    expect(one).toMatchObject({ accepted: 30, stored: 30, files: [{ file: "s3://lake/exports/history/a.jsonl" }] });
    expect(await importing(["s3://lake/exports/history/", "--verify"])).toMatchObject({ accepted: 60, stored: 30 });
    await expect(admin("import", "s3://lake/exports/none/", ...project)).rejects.toThrow("There is no object at s3://lake/exports/none/.");
  });

  test("is listed and undone as a whole, and what was undone is not brought in again under its name", async () => {
    const { importing, rows, project } = await aProject();
    const file = await aFile("undone.jsonl", jsonLines(SHAPES.events, 20));
    const other = await aFile("stays.jsonl", jsonLines(SHAPES.mixpanel, 20));
    await importing([other, "--import", "stays", "--verify"]);
    await importing([file, "--import", "goes", "--verify"]);
    expect(JSON.parse(await admin("imports", ...project, "--json"))).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: "goes", source: "files", read: 20, accepted: 20, rejected: 0, stored: 20 })]),
    );
    await admin("undo", "goes", ...project, "--yes");
    expect(await rows(COUNT)).toEqual([[20]]);
    await expect(importing([file, "--import", "goes"])).rejects.toThrow('The import "goes" was undone');
    expect(await importing([file, "--import", "goes again", "--verify"])).toMatchObject({ accepted: 20, stored: 20 });
    expect(await rows(COUNT)).toEqual([[40]]);
  });

  test("is undone with the events that another import brought after it, which it says", async () => {
    const { importing, rows, project } = await aProject();
    const [first, second] = [
      await aFile("first.jsonl", jsonLines(SHAPES.events, 20)),
      await aFile("both.jsonl", jsonLines(SHAPES.events, 30)),
    ];
    await importing([first, "--import", "first", "--verify"]);
    await importing([second, "--import", "second", "--verify"]);
    const sentence = 'Of 30 events that "second" brought, 10 are stored as its own: what "first" had brought before it goes, too.';
    await expect(admin("undo", "first", ...project)).rejects.toThrow(sentence);
    expect(await admin("undo", "first", ...project, "--yes")).toContain(sentence);
    await importing([second, "--import", "second again", "--verify"]);
    expect(await rows(COUNT)).toEqual([[30]]);
    expect(await admin("undo", "second", ...project, "--yes")).toContain('"second again" brought, 20 are');
  });

  test("what cannot be meant is one sentence, before anything is sent", async () => {
    const { project, projectId } = await aProject();
    const file = await aFile("one.jsonl", jsonLines(SHAPES.events, 1));
    const refused = async (words: readonly string[], sentence: string) =>
      expect(admin("import", ...words)).rejects.toMatchObject({ name: "UserError", message: expect.stringContaining(sentence) });
    await refused([file], "Give the project's id");
    await refused([join(folder, "none.jsonl"), ...project], "none.jsonl cannot be read");
    await refused([folder, ...project], "is no file: name the files in it");
    await refused(["/dev/null", ...project], "/dev/null is no file that lies on a disk");
    await refused([file, "--form", "heap", ...project], 'There is no form "heap"');
    await refused([file, "--import", "", ...project], "--import is empty: give a value, or leave it out.");
    await refused([file, "--import", "x".repeat(201), ...project], "--import takes 1 to 200 characters");
    await refused([await aFile("text.txt", "hello\nworld\n"), ...project], "Which column is the event?");
    await refused(["s3://", ...project], "is no address of an object");
    const damaged = gzipSync(jsonLines(SHAPES.events, 20_000));
    await refused([await aFile("half.jsonl.gz", damaged.subarray(0, damaged.length - 50_000)), ...project], "is damaged after");
    expect((await platform().world.objects.list(`imports/${projectId}/`, null)).objects).toHaveLength(1);
  });
});
