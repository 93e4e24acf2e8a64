import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as bodyText } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { heldSecrets } from "../../../test/support/held-secrets.ts";
import { Unavailable } from "../../core/unavailable.ts";
import { Defect } from "../../core/unreachable.ts";
import { GoneFile } from "../../engine/gone-file.ts";
import { QueryError } from "../../hogql/errors.ts";
import { fixedSecret } from "../../ports/secret.ts";
import { type Answer, type Client, type ClientOptions, openClient, type Question } from "./client.ts";
import type { Parameter } from "./parameters.ts";
import { Unreachable } from "./unreachable.ts";

/** A request as a stand-in for ClickHouse's server sees it. */
interface Asked {
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Reply = (asked: Asked, response: ServerResponse) => unknown;

let server: Server | undefined;
let client: Client | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await client?.close();
  server?.close();
});

/** A client of a server that replies so, and what that was asked. */
const serving = async (reply: Reply, options: Partial<Pick<ClientOptions, "graceMs" | "password">> = {}): Promise<readonly Asked[]> => {
  const asked: Asked[] = [];
  server = createServer(async (request, response) => {
    const one = { url: new URL(request.url ?? "", "http://server"), headers: request.headers, body: await bodyText(request) };
    asked.push(one);
    reply(one, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  client = openClient({ url: `http://127.0.0.1:${port}`, user: "platform", password: fixedSecret("secret"), ...options });
  return asked;
};

const opened = (): Client => client ?? expect.fail("no client");

const QUESTION: Question = { sql: "SELECT 1", parameters: new Map(), queryId: "q1", timeMs: 60_000 };

const ask = async (more: Partial<Question> = {}): Promise<Answer & { readonly all: readonly unknown[] }> => {
  const answer = await opened().query({ ...QUESTION, ...more });
  const all: unknown[] = [];
  for await (const rows of answer.rows) all.push(...rows);
  return { ...answer, all };
};

const headersOf = (asked: Asked, rows: number): Record<string, string> => ({
  "X-ClickHouse-Query-Id": asked.url.searchParams.get("query_id") ?? "",
  "X-ClickHouse-Summary": JSON.stringify({ read_rows: "7", read_bytes: "70", result_rows: String(rows) }),
});

const bytesOf = async (bytes: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const HEADER = '["a","b"]\n["UInt64","String"]\n';

/** An answer that announces so many rows. */
const rows =
  (count: number, body: string): Reply =>
  (asked, response) =>
    response.writeHead(200, headersOf(asked, count)).end(body);

const failing =
  (status: number, body: string): Reply =>
  (_, response) =>
    response.writeHead(status).end(body);

/** A refusal in the words of ClickHouse. */
const said = (code: number, words: string, name = "SOME_ERROR"): string =>
  `Code: ${code}. DB::Exception: ${words}: secret. (${name}) (version 26.7.2.1)\n`;

describe("an answer", () => {
  it("has columns, rows with every digit, and what was read", async () => {
    await serving(rows(2, `${HEADER}[18446744073709551615,"x"]\n[1,"\\n"]\n`));
    const { columns, all, summary } = await ask();
    expect(columns).toEqual([
      { name: "a", type: "UInt64" },
      { name: "b", type: "String" },
    ]);
    expect(JSON.stringify(all)).toBe('[[18446744073709551615,"x"],[1,"\\n"]]');
    expect(summary).toEqual({ readRows: 7, readBytes: 70, resultRows: 2 });
  });

  it("may have no rows, and a summary without what is zero", async () => {
    await serving((asked, response) => response.writeHead(200, { ...headersOf(asked, 0), "X-ClickHouse-Summary": "{}" }).end(HEADER));
    expect((await ask()).all).toEqual([]);
  });

  it.each<Partial<Question>>([{ maxRows: 1 }, { maxBytes: 10 }])("is too large beyond %o", async (limit) => {
    await serving(rows(2, `${HEADER}[1,"x"]\n[2,"x"]\n`));
    await expect(ask(limit)).rejects.toMatchObject({ name: "QueryError", code: "query_too_large" });
  });
});

describe("a question", () => {
  it("carries who asks, its limits and its dialect", async () => {
    const asked = await serving(rows(0, HEADER));
    await ask({ timeMs: 1_500, maxRows: 10, maxBytes: 100, memoryBytes: 1_000, settings: { join_use_nulls: 1, max_execution_time: 9 } });
    const [{ url, headers, body }] = asked as [Asked];
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      query_id: "q1",
      join_use_nulls: "1",
      max_execution_time: "1.5",
      timeout_before_checking_execution_speed: "0",
      max_result_rows: "10",
      max_result_bytes: "800",
      result_overflow_mode: "throw",
      max_memory_usage: "1000",
      wait_end_of_query: "1",
      http_write_exception_in_output_format: "0",
      cancel_http_readonly_queries_on_client_close: "1",
    });
    expect(headers.authorization).toBe(`Basic ${btoa("platform:secret")}`);
    expect(body).toMatch(/^SELECT 1\s+FORMAT JSONCompactEachRowWithNamesAndTypes$/);
  });

  it("carries parameters beside its text, and those that are long in its body, in parts that ClickHouse takes", async () => {
    const asked = await serving(rows(0, HEADER));
    const long = "é".repeat(100_000);
    const list = Array.from({ length: 30_000 }, (_, index) => `item ${index}`);
    const parameters = new Map<string, Parameter>([
      ["p1", { type: "String", value: "it's\t\\N" }],
      ["p2", { type: "String", value: long }],
      ["p3", { type: "Array(String)", value: list }],
    ]);
    await ask({ sql: "SELECT {p1:String}", parameters: new Map([...parameters].slice(0, 1)) });
    await ask({ sql: "SELECT {p1:String}, {p2:String}, {p3:Array(String)}", parameters });
    const [short, full] = asked as [Asked, Asked];
    expect(short.url.searchParams.get("param_p1")).toBe("it\\'s\\t\\\\N");
    expect(full.url.search.length).toBeLessThan(1_000);
    const form = await new Response(full.body, { headers: { "Content-Type": full.headers["content-type"] ?? "" } }).formData();
    const parts = [...form].map(([name, value]) => [name, String(value)] as const);
    for (const [, value] of parts) expect(Buffer.byteLength(value)).toBeLessThan(131_072);
    const texts = parts.filter(([name]) => name.startsWith("param_p2"));
    expect(texts.map(([, value]) => value).join("")).toBe(long);
    const lists = parts.filter(([name]) => name.startsWith("param_p3"));
    expect(lists.flatMap(([, value]) => JSON.parse(value.replaceAll("'", '"')))).toEqual(list);
    const named = (some: typeof parts, type: string): string => some.map(([name]) => `{${name.slice("param_".length)}:${type}}`).join(",");
    expect(form.get("query")).toContain(
      `SELECT {p1:String}, concat(${named(texts, "String")}), arrayConcat(${named(lists, "Array(String)")})`,
    );
  });
});

const EXCEPTION = "Code: 241. DB::Exception: Memory limit exceeded for SELECT 'secret'. (MEMORY_LIMIT_EXCEEDED) (version 26.7.2.1)";

describe("an answer that is cut off, or lies, is an error and no rows", () => {
  it.each<[string, Reply]>([
    ["fewer rows than announced", rows(2, `${HEADER}[1,"x"]\n`)],
    ["more rows than announced", rows(1, `${HEADER}[1,"x"]\n[2,"x"]\n`)],
    ["a last row without its end", rows(2, `${HEADER}[1,"x"]\n[2,"x`)],
    ["a row of fewer values", rows(1, `${HEADER}[1]\n`)],
    ["a row that is two", rows(2, `${HEADER}[1,"x"],[2,"x"]\n`)],
    ["rows that are no lists", rows(1, `${HEADER}{"a":1,"b":2}\n`)],
    ["names without types", rows(0, '["a","b"]\n')],
    ["garbage", rows(1, "\u0000\u0001\n\u0002\n\u0003\n")],
    ["nothing", rows(0, "")],
    ["an exception behind its rows", rows(2, `${HEADER}[1,"x"]\n${EXCEPTION}\n`)],
    ["a page of something between", (_, response) => response.writeHead(200).end("<html>Welcome</html>")],
    [
      "no summary",
      (asked, response) => response.writeHead(200, { "X-ClickHouse-Query-Id": asked.url.searchParams.get("query_id") ?? "" }).end(HEADER),
    ],
    ["a broken summary", (asked, response) => response.writeHead(200, { ...headersOf(asked, 0), "X-ClickHouse-Summary": "{" }).end(HEADER)],
    [
      "the answer to another query",
      (asked, response) => response.writeHead(200, { ...headersOf(asked, 0), "X-ClickHouse-Query-Id": "q7" }).end(HEADER),
    ],
    [
      "a connection that is closed early",
      (asked, response) => {
        response.writeHead(200, headersOf(asked, 2));
        response.write(`${HEADER}[1,"x"]\n`, () => response.destroy());
      },
    ],
    [
      "an exception that begins behind its rows",
      (asked, response) =>
        response
          .writeHead(200, { ...headersOf(asked, 2), "X-ClickHouse-Exception-Tag": "tagtagtagtagtagt" })
          .end(`${HEADER}[1,"x"]\n__exception__\r\ntagtagtagtagtagt\r\n${EXCEPTION}\n101 tagtagtagtagtagt\r\n__exception__\r\n`),
    ],
  ])("%s", async (_, reply) => {
    await serving(reply);
    const thrown = await ask().catch((error: unknown) => error);
    expect(thrown).toSatisfy((error) => error instanceof Unreachable || error instanceof QueryError);
    expect(String(thrown)).not.toContain("secret");
  });

  it.each<[string, Reply]>([
    ["that never begins, while nothing else is answered either", () => undefined],
    [
      "that stops amid its rows",
      (asked, response) => {
        if (asked.body.startsWith("KILL")) response.end();
        else response.writeHead(200, headersOf(asked, 2)).write(`${HEADER}[1,"x"]\n`);
      },
    ],
  ])("one %s", async (_, reply) => {
    await serving(reply, { graceMs: 20 });
    await expect(ask({ timeMs: 30 })).rejects.toThrow(Unreachable);
  });

  it("one that takes too long, while ClickHouse answers else, is the query's fault", async () => {
    const asked = await serving(({ body }, response) => body.startsWith("KILL") && response.end(), { graceMs: 500 });
    await expect(ask({ timeMs: 30 })).rejects.toMatchObject({ code: "query_timeout" });
    expect(asked).toHaveLength(2);
  });

  it.each(["", "PAR1", "PAR1....", "....PAR1"])("a file of Parquet that is %j", async (body) => {
    await serving(rows(0, body));
    const { bytes } = await opened().parquet(QUESTION);
    await expect(bytesOf(bytes)).rejects.toThrow(Unreachable);
  });
});

it("hands a file of Parquet on as it is", async () => {
  const asked = await serving(rows(3, "PAR1-file-PAR1"));
  const { bytes, summary } = await opened().parquet(QUESTION);
  expect((await bytesOf(bytes)).toString()).toBe("PAR1-file-PAR1");
  expect(summary.resultRows).toBe(3);
  expect(asked[0]?.body).toMatch(/FORMAT Parquet$/);
});

describe("an error of ClickHouse", () => {
  it.each([
    [159, "query_timeout"],
    [241, "query_memory_limit"],
    [396, "query_too_large"],
    [306, "query_too_large"],
    [6, "cannot_parse_text"],
    [72, "cannot_parse_text"],
    [427, "cannot_compile_regexp"],
    [69, "invalid_input"],
    [43, "type_mismatch"],
    [386, "type_mismatch"],
    [153, "illegal_division"],
    [125, "incorrect_result_of_scalar_subquery"],
  ])("%i is the contract's %s", async (code, expected) => {
    await serving(failing(500, said(code, "It failed")));
    const thrown = await ask().catch((error: unknown) => error);
    expect(thrown).toMatchObject({ name: "QueryError", code: expected });
    expect(String(thrown)).not.toContain("secret");
  });

  it.each([
    [
      "a file that is gone",
      500,
      said(499, "Failed to get object info: No response body.. HTTP response code: 404: while reading 'events/a'", "S3_ERROR"),
      GoneFile,
    ],
    ["the store", 500, said(499, "Forbidden. HTTP response code: 403", "S3_ERROR"), Unreachable],
    ["a wrong password", 403, said(516, "platform: Authentication failed", "AUTHENTICATION_FAILED"), Unreachable],
    ["a missing right", 500, said(497, "platform: Not enough privileges", "ACCESS_DENIED"), Unreachable],
    ["too many queries", 500, said(202, "Too many simultaneous queries", "TOO_MANY_SIMULTANEOUS_QUERIES"), Unreachable],
    ["somebody who ended it", 500, said(394, "Query was cancelled", "QUERY_WAS_CANCELLED"), Unavailable],
    ["SQL of ours", 404, said(47, "Unknown identifier", "UNKNOWN_IDENTIFIER"), Defect],
    ["something between us", 502, "<html>secret</html>", Unreachable],
    ["nobody knows what", 500, "", Unreachable],
  ])("about %s", async (_, status, body, kind) => {
    await serving(failing(status, body));
    const thrown = await ask().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(kind);
    expect(String(thrown)).not.toContain("secret");
  });
});

describe("a connection", () => {
  it("that nobody takes is said at once", async () => {
    await serving(failing(500, ""));
    server?.close();
    await expect(ask()).rejects.toThrow(/ECONNREFUSED/);
    expect(await opened().ping()).toBe(false);
  });

  it("by a password that is refused makes the next one ask for the password anew", async () => {
    const { store, time, secretOf } = heldSecrets("of old");
    const refusal = failing(403, said(516, "platform: Authentication failed", "AUTHENTICATION_FAILED"));
    const answer = rows(0, HEADER);
    const isKnown = ({ headers }: Asked) => headers.authorization === `Basic ${btoa("platform:new")}`;
    await serving((asked, response) => (isKnown(asked) ? answer : refusal)(asked, response), { password: secretOf("clickhousePassword") });
    await expect(ask()).rejects.toThrow(Unreachable);
    store.text = "new";
    time.now += 10_000;
    expect((await ask()).all).toEqual([]);
    expect(await opened().ping()).toBe(true);
    expect(store.asked).toBe(2);
  });

  it("is not made while the password cannot be read", async () => {
    const { secretOf } = heldSecrets(new Error("AccessDeniedException"));
    const asked = await serving(rows(0, HEADER), { password: secretOf("clickhousePassword") });
    await expect(ask()).rejects.toThrow(Unreachable);
    expect(await opened().ping()).toBe(false);
    expect(asked).toEqual([]);
  });

  it("that is reset before anything was answered is made once more", async () => {
    let tries = 0;
    const asked = await serving((one, response) => {
      tries += 1;
      if (tries === 1) response.destroy();
      else rows(1, `${HEADER}[1,"x"]\n`)(one, response);
    });
    expect((await ask()).all).toEqual([[1, "x"]]);
    expect(asked.map(({ url }) => url.searchParams.get("query_id"))).toEqual(["q1", "q1-2"]);
  });

  it("that is reset each time is given up", async () => {
    const asked = await serving((_, response) => response.destroy());
    await expect(ask()).rejects.toThrow(Unreachable);
    expect(asked).toHaveLength(2);
  });
});

describe("a query that nobody waits for any more", () => {
  const killed = (asked: readonly Asked[]): readonly (string | null)[] =>
    asked.filter(({ body }) => body.startsWith("KILL QUERY")).map(({ url }) => url.searchParams.get("param_ids"));

  /** A server that says when it was asked, and answers nothing but the wish to end a query. */
  const waiting = async () => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const asked = await serving(({ body }, response) => {
      if (!body.startsWith("KILL QUERY")) return begun.resolve();
      response.end();
      ended.resolve();
    });
    return { asked, begun: begun.promise, ended: ended.promise };
  };

  it("is ended by its id", async () => {
    const { asked, begun, ended } = await waiting();
    const caller = new AbortController();
    const answer = ask({ signal: caller.signal }).catch((error: unknown) => error);
    await begun;
    caller.abort(new Error("the caller is gone"));
    expect(await answer).toEqual(new Error("the caller is gone"));
    await ended;
    expect(killed(asked)).toEqual(["['q1','q1-2']"]);
  });

  it("is ended when the platform stops, which waits until ClickHouse knows", async () => {
    const { asked, begun } = await waiting();
    const answer = ask().catch((error: unknown) => error);
    await begun;
    await opened().close();
    expect(await answer).toBeInstanceOf(Unavailable);
    expect(killed(asked)).toHaveLength(1);
  });

  it("is not even begun", async () => {
    const asked = await serving(rows(0, HEADER));
    await expect(ask({ signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
    expect(asked.filter(({ body }) => body.startsWith("SELECT"))).toEqual([]);
  });
});
