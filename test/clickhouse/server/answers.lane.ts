import { setTimeout as pause } from "node:timers/promises";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Parameter } from "../../../lib/clickhouse/http/parameters.ts";
import { Unreachable } from "../../../lib/clickhouse/http/unreachable.ts";
import { Unavailable } from "../../../lib/core/unavailable.ts";
import { GoneFile } from "../../../lib/engine/gone-file.ts";
import { askAll, newId, type Served, serve, TIME_MS } from "./server.ts";

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

const ENDLESS = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1";

describe("values", () => {
  it("come back as they were sent, whatever is in them and however long they are", async () => {
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\\N", "\\", "'", "{p:String}", "\r\n--boundary--\r\n", "NULL", "\0", "a\tb\nc", "%00", "+&="),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(value), value, fc.constantFrom(1, 60_000), async (list, text, times) => {
        const long = text.repeat(times);
        const parameters = new Map<string, Parameter>([
          ["p1", { type: "Array(String)", value: [...list, long] }],
          ["p2", { type: "String", value: long }],
        ]);
        const { rows } = await askAll(served.client, "SELECT {p1:Array(String)}, {p2:String}", { parameters });
        expect(rows).toEqual([[[...list, long], long]]);
      }),
      { numRuns: 50 },
    );
  });

  it("of eight megabytes have room beside a query", async () => {
    const list = Array.from({ length: 200_000 }, (_, index) => String(index).padStart(40, "0"));
    const parameters = new Map<string, Parameter>([["p1", { type: "Array(String)", value: list }]]);
    const { rows } = await askAll(
      served.client,
      "SELECT count(), min(item), max(item) FROM (SELECT arrayJoin({p1:Array(String)}) AS item)",
      {
        parameters,
      },
    );
    expect(rows).toEqual([[200_000, list[0], list.at(-1)]]);
  });

  it("go beside a query that is longer than ClickHouse takes in a form", async () => {
    const sql = `SELECT {p1:String}, length('${"x".repeat(200_000)}')`;
    const parameters = new Map<string, Parameter>([["p1", { type: "String", value: "y".repeat(10_000) }]]);
    expect((await askAll(served.client, sql, { parameters, settings: { max_query_size: 1_000_000 } })).rows).toEqual([
      ["y".repeat(10_000), 200_000],
    ]);
  });
});

describe("an answer", () => {
  it("of fifty megabytes comes whole", async () => {
    const { rows, summary } = await askAll(served.client, "SELECT number, repeat('x', 1000) FROM numbers(50000)");
    expect(rows).toHaveLength(50_000);
    expect(rows.at(-1)).toEqual([49_999, "x".repeat(1000)]);
    expect(summary).toMatchObject({ readRows: 50_000, resultRows: 50_000 });
  });

  it("that fails amid its rows has none", async () => {
    await expect(askAll(served.client, "SELECT throwIf(number = 900000) FROM numbers(1000000)")).rejects.toMatchObject({
      code: "type_mismatch",
    });
  });

  it("is a file of Parquet where one is asked for", async () => {
    const { bytes, summary } = await served.client.parquet({
      sql: "SELECT number AS c1 FROM numbers(100000)",
      parameters: new Map(),
      queryId: newId(),
      timeMs: TIME_MS,
    });
    const chunks: Buffer[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    await served.objects.put("tables/1/lane.parquet", Buffer.concat(chunks));
    expect(summary.resultRows).toBe(100_000);
    const { rows } = await askAll(served.client, "SELECT sum(c1) FROM s3(lake, filename = 'tables/1/lane.parquet')");
    expect(rows).toEqual([[4_999_950_000]]);
  });

  it("is right two thousand times", async () => {
    for (let from = 0; from < 2_000; from += 20) {
      const numbers = Array.from({ length: 20 }, (_, index) => from + index);
      const answers = await Promise.all(numbers.map((number) => askAll(served.client, `SELECT ${number} + 1`)));
      expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual(numbers.map((number) => number + 1));
    }
  });
});

describe("limits", () => {
  it.each([
    ["query_timeout", ENDLESS, { timeMs: 300 }],
    ["query_memory_limit", "SELECT groupArray(number) FROM numbers(100000000)", { memoryBytes: 50_000_000 }],
    ["query_too_large", "SELECT number FROM numbers(100)", { maxRows: 99 }],
    ["query_too_large", "SELECT number FROM numbers(50) UNION ALL SELECT number FROM numbers(50)", { maxRows: 99 }],
    ["query_too_large", "SELECT repeat('x', 1000) FROM numbers(10000)", { maxBytes: 1_000_000 }],
  ])("are %s for %s", async (code, sql, limits) => {
    await expect(askAll(served.client, sql, limits)).rejects.toMatchObject({ name: "QueryError", code });
  });

  it("that are not reached change nothing", async () => {
    const { rows } = await askAll(served.client, "SELECT number FROM numbers(100)", {
      maxRows: 100,
      maxBytes: 600,
      memoryBytes: 500_000_000,
    });
    expect(rows).toHaveLength(100);
  });
});

describe("a file", () => {
  const read = (names: string): Promise<unknown> =>
    askAll(served.client, `SELECT count() FROM s3(lake, filename = '${names}', format = 'CSV', structure = 'a Int32')`);

  it("that is gone is said", async () => {
    await served.objects.put("events/here.csv", Buffer.from("1\n2\n"));
    expect(await read("events/here.csv")).toMatchObject({ rows: [[2]] });
    await expect(read("events/{here,gone}.csv")).rejects.toThrow(GoneFile);
  });

  it("of another folder is not to be read", async () => {
    await served.objects.put("messages/here.csv", Buffer.from("1\n2\n"));
    await expect(read("messages/here.csv")).rejects.toThrow(Unreachable);
  });
});

/** What runs as the platform, as an operator sees it. */
const running = async (): Promise<readonly unknown[]> => {
  const operator = served.as(served.server.operator);
  try {
    const { rows } = await askAll(operator, "SELECT query_id FROM system.processes WHERE user = 'platform'");
    return rows.flat();
  } finally {
    await operator.close();
  }
};

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await pause(20);
};

describe("a query that runs", () => {
  it("is ended when nobody waits for it any more", async () => {
    const [queryId, caller] = [newId(), new AbortController()];
    const answer = askAll(served.client, ENDLESS, { queryId, signal: caller.signal }).catch((error: unknown) => error);
    await until(async () => (await running()).includes(queryId));
    caller.abort(new Error("gone"));
    expect(await answer).toEqual(new Error("gone"));
    await until(async () => !(await running()).includes(queryId));
  });

  it("is ended by its id", async () => {
    const queryId = newId();
    const answer = askAll(served.client, ENDLESS, { queryId }).catch((error: unknown) => error);
    await until(async () => (await running()).includes(queryId));
    await served.client.kill(queryId);
    expect(await answer).toBeInstanceOf(Unavailable);
  });

  it("is ended when the platform stops", async () => {
    const [queryId, client] = [newId(), served.as(served.server.platform)];
    const answer = askAll(client, ENDLESS, { queryId }).catch((error: unknown) => error);
    await until(async () => (await running()).includes(queryId));
    await client.close();
    expect(await answer).toBeInstanceOf(Unavailable);
    await until(async () => !(await running()).includes(queryId));
  });
});

it("knows a ClickHouse that does not know us", async () => {
  const stranger = served.as({ user: "platform", password: "wrong" });
  expect(await stranger.ping()).toBe(false);
  await expect(askAll(stranger, "SELECT 1")).rejects.toThrow(Unreachable);
  await stranger.close();
  expect(await served.client.ping()).toBe(true);
});

it("is answered clearly when the server is killed amid a query, and rightly by the one that takes its place", async () => {
  for (let kills = 0; kills < 3; kills++) {
    const [queryId, killed] = [newId(), served.server.nodes[0]?.pid() ?? expect.fail("no server runs")];
    const answer = askAll(served.client, ENDLESS, { queryId }).catch((error: unknown) => error);
    await until(async () => (await running()).includes(queryId));
    process.kill(killed, "SIGKILL");
    expect(await answer).toBeInstanceOf(Unreachable);
    await until(() => served.client.ping());
    expect((await askAll(served.client, "SELECT sum(number) FROM numbers(1000)")).rows).toEqual([[499_500]]);
  }
});
