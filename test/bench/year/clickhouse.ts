import { fork } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { fetchLibrary } from "../../../infra/local/clickhouse/library.ts";
import type { YearSet } from "./year-set.ts";

const THREADS = 2;

/** What a statement answered and how long it took inside ClickHouse's process, its JSON included. */
export interface Answered {
  readonly ms: number;
  /** Processor time of all its threads, milliseconds. */
  readonly cpu: number;
  readonly rows: readonly (readonly unknown[])[];
}

export interface ClickHouse {
  /** Makes the tables of a database of this name: views of the set's files, with properties as plain text. */
  define(database: string, set: YearSet): Promise<void>;
  ask(database: string, sql: string): Promise<Answered>;
  close(): void;
}

/** ClickHouse as a library in a process of its own, two threads. */
export const openClickHouse = async (): Promise<ClickHouse> => {
  const child = fork(join(import.meta.dirname, "clickhouse-case.cjs"), [join(await fetchLibrary(), "chdb")]);
  const answer = async (): Promise<{ readonly ms: number; readonly cpu: number; readonly text: string }> => {
    const [message] = await once(child, "message");
    const { ms = 0, cpu = 0, text, error } = answered(message);
    if (text === undefined) throw new Error(`ClickHouse: ${error}`);
    return { ms, cpu, text };
  };
  const send = (sql: string): ReturnType<typeof answer> => {
    const answering = answer();
    child.send(sql);
    return answering;
  };
  await answer();
  for (const setting of SETTINGS) await send(`SET ${setting}`);
  return {
    async define(database, set) {
      const path = (key: string): string => resolve(set.objects.localPath(key) ?? key);
      const table = async (name: string, keys: readonly string[], columns: string): Promise<void> => {
        const files = keys.map(path);
        const root = commonStart(files);
        const list = `${root}{${files.map((file) => file.slice(root.length)).join(",")}}`;
        await send(`CREATE VIEW ${database}.${name} AS SELECT * FROM file('${list}', Parquet, '${columns}')`);
      };
      await send(`CREATE DATABASE ${database}`);
      await table(
        "events",
        set.files.map(({ key }) => key),
        [EVENTS, ...set.earned.map(({ column, type }) => `${column} Nullable(${type === "text" ? "String" : "Float64"})`)].join(", "),
      );
      await table(
        "persons",
        set.persons.map(({ key }) => key),
        PERSONS,
      );
      await table(
        "groups",
        set.groups.map(({ key }) => key),
        GROUPS,
      );
    },
    async ask(database, sql) {
      await send(`USE ${database}`);
      const { ms, cpu, text } = await send(sql);
      const { data }: { data: unknown[][] } = JSON.parse(text);
      return { ms, cpu, rows: data };
    },
    close() {
      child.disconnect();
    },
  };
};

const SETTINGS = [
  `max_threads = ${THREADS}`,
  "use_hive_partitioning = 0",
  "output_format_json_quote_64bit_integers = 0",
  "session_timezone = 'UTC'",
  "join_use_nulls = 1",
];

const HOT = ["current_url", "pathname", "os", "browser", "utm_source"].map((name) => `hot_${name} Nullable(String)`);

const EVENTS = [
  "uuid UUID",
  "event String",
  "distinct_id String",
  "person_id UUID",
  "timestamp DateTime64(6, \\'UTC\\')",
  "session_id Nullable(String)",
  "group_0 Nullable(String)",
  ...HOT,
  "properties String",
].join(", ");
const PERSONS = "person_id UUID, distinct_id String, properties String";
const GROUPS = "index Int32, key String, properties String";

const commonStart = (texts: readonly string[]): string => {
  const [first = ""] = texts;
  let length = first.lastIndexOf("/") + 1;
  while (texts.some((text) => text.slice(0, length) !== first.slice(0, length))) length--;
  return first.slice(0, length);
};

/** Guarantee of the cast: only `clickhouse-case.cjs` sends these. */
const answered = (message: unknown): { readonly ms?: number; readonly cpu?: number; readonly text?: string; readonly error?: string } =>
  message as { readonly ms?: number; readonly cpu?: number; readonly text?: string; readonly error?: string };
