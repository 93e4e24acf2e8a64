import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../../lib/clickhouse/http/client.ts";
import { Unreachable } from "../../../lib/clickhouse/http/unreachable.ts";
import { openClickHouse } from "../../../lib/clickhouse/open.ts";
import { printStatement } from "../../../lib/clickhouse/printer/print.ts";
import { Unprintable } from "../../../lib/clickhouse/printer/unprintable.ts";
import { Defect } from "../../../lib/core/unreachable.ts";
import type { Engine } from "../../../lib/engine/engine.ts";
import type { Ast } from "../../../lib/hogql/ast.ts";
import { QueryError } from "../../../lib/hogql/errors.ts";
import { check, lower } from "../../../lib/hogql/lower.ts";
import type { LowerOptions } from "../../../lib/hogql/options.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import type { PinnedState } from "../../../lib/lake/catalogue.ts";
import { queries } from "../../fuzz/grammar.ts";
import { HOSTILE_TABLES, REACHING } from "../../fuzz/pieces.ts";
import { newPool } from "../../fuzz/variants.ts";
import { randomOf } from "../../simulation/random.ts";
import { clientAs } from "../../support/clickhouse-client.ts";
import { CORPUS } from "../corpus/corpus.ts";
import { type GoldenCase, PARTS, readGolden, treeOf } from "../golden.ts";
import { LIMITS, OPTIONS } from "../lake/checks.ts";
import { question } from "../question.ts";
import { type ServedLake, serveLake } from "./lake.ts";
import { askAll } from "./server.ts";

const TEXTS = 60;
const VARIANTS = 3;
/** Most of them cannot even be saved. */
const LEAST_SAVED = 5;
const TIME_MS = 2_000;

/** In objects of another project, in a folder that the user may read, and in a file of this machine. */
const SECRETS = ["harbour-lantern-7431", "copper-meadow-2208", "root:x:"];

/** Table functions that read the lake, and make numbers. */
const SOURCES = new Set(["s3", "s3Cluster", "numbers", "values"]);

/** What ClickHouse reads where a query reads nothing. */
const NOTHING = "system.one";

/** Functions that reach beyond the rows: files, dictionaries, models, what the server is and who asks it. */
const BEYOND_CATEGORIES = ["AI", "Dictionary", "Embedded Dictionary", "Introspection", "Machine Learning"];
const BEYOND =
  /^(file|url|remote|catboostEvaluate|joinGet.*|get(Setting|Macro|ServerPort|ServerSetting|MergeTreeSetting|ClientHTTPHeader|OSKernelVersion|MaxTableNameLengthForDatabase|Subcolumn)|hasColumnInTable|hasThreadFuzzer|hostName|FQDN|fqdn|serverUUID|uptime|version|revision|build[A-Z].*|tcpPort|current[A-Z].*|default(Profiles|Roles)|enabled(Profiles|Roles)|user|initialQuery.*|query(ID|_id)|connection_?[iI]d|filesystem.*|showCertificate|sleep.*|structureTo.*|shard(Num|Count)|isConnectionLost|zookeeper.*|transaction.*|executable|eval.*|partition[iI][dD]|meiliMatch|chdb|throwIf|logTrace|displayName|server.*|block.*|replicate.*Lock)$/;

let lake: ServedLake;
let pinned: PinnedState;
let engine: Pick<Engine, "run" | "close">;
let operator: Client;
/** Every text that ClickHouse was asked. */
const asked = new Set<string>();
let file = "";

beforeAll(async () => {
  lake = await serveLake();
  const { world, server } = lake;
  file = join(world.directory, "private.csv");
  await writeFile(file, `a,b\n1,${SECRETS[1]}\n`);
  for (const folder of ["events", "state", "tables", "messages"])
    await world.objects.put(`${folder}/project=2/secret.csv`, Buffer.from(`a,b\n1,${SECRETS[0]}\n`));
  pinned = await world.pinned();
  operator = clientAs(server.url, server.operator);
  const client = clientAs(server.url, server.platform);
  const recording: Client = {
    ...client,
    query(question) {
      asked.add(question.sql);
      return client.query(question);
    },
  };
  engine = openClickHouse({ ...world, client: recording, cluster: "", directory: join(world.directory, "written") });
});
afterAll(async () => {
  await engine.close();
  await operator.close();
  await lake.close();
});

/** What came of a query: its rows as JSON, the error, or undefined where it cannot even be saved. */
const outcome = async (query: string | Ast): Promise<string | Error | undefined> => {
  let lowered: ReturnType<typeof lower>;
  try {
    const ast = typeof query === "string" ? await parse(query) : query;
    check(ast, { ...OPTIONS, values: { value: 5 } });
    lowered = lower(ast, { ...OPTIONS, values: { value: 5 }, variables: { x: "own" }, defaultRows: 100 });
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
  return engine.run(lowered.lowered, pinned, { ...LIMITS, timeMs: TIME_MS }).then(
    ({ rows }) => JSON.stringify(rows),
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
};

const shows = (text: string): boolean => SECRETS.some((secret) => text.includes(secret));

/** Fails where a query shows what is not its project's, or ends in anything but rows and errors that its author may see. */
const examine = async (query: string | Ast): Promise<boolean> => {
  const text = typeof query === "string" ? query : JSON.stringify(query);
  const found = await outcome(query);
  if (found === undefined) return false;
  const said = typeof found === "string" ? found : found.message;
  if (!shows(text)) expect(shows(said), `${text} shows ${said.slice(0, 200)}`).toBe(false);
  if (typeof found === "string") return true;
  const isKnown = found instanceof QueryError || found instanceof Unprintable;
  // What ClickHouse refuses for its own reasons is a difference, which the other lane is about; that it is refused a right is not.
  if (!isKnown && !(found instanceof Defect)) expect.fail(`${text}: ${found.name} ${found.message}`);
  expect(found, text).not.toBeInstanceOf(Unreachable);
  return true;
};

describe("hostile queries", () => {
  it("that can be saved show nothing of another project, of the server or of this machine", async () => {
    const pool = newPool(randomOf(33));
    let saved = 0;
    for (const text of fc.sample(queries(file), { numRuns: TEXTS, seed: 33 })) {
      saved += Number(await examine(text));
      const ast = await parse(text).catch(() => undefined);
      if (ast === undefined || shows(JSON.stringify(ast))) continue;
      pool.add(ast);
      for (let times = 0; times < VARIANTS; times++) saved += Number(await examine(pool.variant(ast)));
    }
    expect(saved).toBeGreaterThan(LEAST_SAVED);
  });

  it("that name what they want are not saved, or find nothing of it", async () => {
    for (const reaching of REACHING(file)) await examine(`SELECT ${reaching} FROM events LIMIT 1`);
    for (const table of HOSTILE_TABLES(file)) await examine(`SELECT * FROM ${table} LIMIT 1`);
    for (const key of ["events/project=2/secret.csv", "*", "{events,state}/**"])
      await examine(`SELECT * FROM s3(lake, filename = '${key}', format = 'CSV', structure = 'a String, b String')`);
  });

  it("are understood by ClickHouse as reading the lake's files and nothing else", async () => {
    expect(asked.size).toBeGreaterThan(LEAST_SAVED);
    const beyond = await functionsBeyond();
    for (const sql of asked) await expectWithin(sql, beyond);
  });

  it("which would be seen where it was not so", async () => {
    const { sources, tables, functions } = await understood("SELECT file('/x'), 1 + 1 FROM url('a', 'CSV', 'b Int32') AS u, system.tables");
    expect({ sources, tables, functions }).toEqual({ sources: ["url"], tables: ["system.tables"], functions: ["file", "plus"] });
  });

  it("and so are those of the whole corpus", async () => {
    const beyond = await functionsBeyond();
    const golden: Readonly<Record<string, GoldenCase>> = Object.assign({}, ...(await Promise.all(PARTS.map(readGolden))));
    let printed = 0;
    for (const one of CORPUS.filter(({ refused }) => refused !== true)) {
      const kept = golden[one.name];
      const { queries: trees, options } = await question(one, kept && treeOf(kept));
      for (const tree of trees) {
        const statement = overNothing(tree, options);
        if (statement === undefined) continue;
        await expectWithin(statement, beyond);
        printed += 1;
      }
    }
    expect(printed).toBeGreaterThan(500);
  });
});

/** A query's text over relations of nothing; undefined where the dialect has no form of it. */
const overNothing = (tree: Ast, options: LowerOptions): string | undefined => {
  try {
    const { sql, needs } = printStatement(tree, options);
    const relations = needs.map(({ name }) => `\`${name}\` AS (SELECT 1)`);
    return relations.length === 0 ? sql : `WITH ${relations.join(", ")} ${sql}`;
  } catch (error) {
    if (error instanceof Unprintable || error instanceof QueryError) return undefined;
    throw error;
  }
};

/** The names of the functions of some kinds, as ClickHouse sorts them. */
const functionsBeyond = async (): Promise<ReadonlySet<string>> => {
  const categories = BEYOND_CATEGORIES.map((category) => `'${category}'`).join(", ");
  const found = `SELECT name FROM system.functions WHERE hasAny(splitByString(', ', categories), [${categories}])`;
  const { rows } = await askAll(operator, found);
  expect(rows.length).toBeGreaterThan(50);
  return new Set(rows.map(([name]) => String(name)));
};

const expectWithin = async (sql: string, beyond: ReadonlySet<string>): Promise<void> => {
  const { sources, tables, functions } = await understood(sql);
  const strange = [
    ...sources.filter((name) => !SOURCES.has(name)),
    ...tables.filter((name) => name !== NOTHING && !isDefined(sql, name)),
    ...functions.filter((name) => beyond.has(name) || BEYOND.test(name)),
  ];
  expect(strange, sql).toEqual([]);
};

/** What ClickHouse's own parser makes of a query: its table functions, tables and functions. */
const understood = async (sql: string) => {
  const { user, password } = lake.server.operator;
  const response = await fetch(
    `${lake.server.url}/?wait_end_of_query=1&max_query_size=16777216&max_ast_depth=100000&max_parser_depth=100000`,
    {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`${user}:${password}`)}` },
      body: `EXPLAIN AST ${withoutParameters(sql)}`,
    },
  );
  const lines = (await response.text()).split("\n");
  expect(response.status, `${lines[0]} ${sql}`).toBe(200);
  const named = (kind: string): readonly string[] =>
    lines.flatMap((line) => {
      const [, name] = new RegExp(`^ *${kind} (\\S+)`).exec(line) ?? [];
      return name === undefined ? [] : [name];
    });
  const sources = lines.flatMap((line, at) => {
    const [, name] = /^ *Function (\S+)/.exec(line) ?? [];
    return name !== undefined && /^ *TableExpression/.test(lines[at - 1] ?? "") ? [name] : [];
  });
  return { sources, tables: named("TableIdentifier"), functions: named("Function").filter((name) => !sources.includes(name)) };
};

/** To be understood it needs something in their places. */
const withoutParameters = (sql: string): string =>
  sql.replaceAll(/\{\w+:(String|Array\(String\))\}/g, (_, type) => (type === "String" ? "''" : "['']"));

/** A name that the query itself defines, also what is computed once. */
const isDefined = (sql: string, name: string): boolean => new RegExp(`(^|[\\s,(])\`?${name}\`? AS (MATERIALIZED )?\\(`).test(sql);
