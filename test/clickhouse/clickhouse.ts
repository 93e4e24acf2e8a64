import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { PrintedStatement } from "../../lib/clickhouse/printer/print.ts";
import type { StatementParameter } from "../../lib/clickhouse/printer/statement.ts";

/** What ClickHouse answers: a type and a name for each column, and the rows as its JSON has them. */
export interface Answer {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly (readonly unknown[])[];
}

/** ClickHouse's own refusal, in its words. */
export class Refused extends Error {}

export interface ClickHouse {
  /** Rows of a query in a project of this time zone. Throws `Refused`, also when it ends the process, which then starts anew. */
  query(statement: Pick<PrintedStatement, "sql" | "parameters">, zone: string): Promise<Answer>;
  close(): void;
}

/** Longest time of one query; then the process is ended. */
const MAX_MS = 60_000;

/** SQL that makes ClickHouse ready: once for a process, and whenever another zone is asked for. */
export interface SetUp {
  readonly once: readonly string[];
  readonly zone: (zone: string) => readonly string[];
}

/** An embedded ClickHouse in a process of its own, and a new one with the same tables whenever a query ends it. */
export const startClickHouse = async (chdb: string, setUp: SetUp): Promise<ClickHouse> => {
  let child: ChildProcess | undefined;
  let current: string | undefined;
  const running = async (): Promise<ChildProcess> => {
    if (child?.connected) return child;
    child = fork(join(import.meta.dirname, "chdb-process.cjs"), [chdb], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    current = undefined;
    await answerOf(child);
    for (const sql of setUp.once) await ask(child, sql);
    return child;
  };
  const inZone = async (zone: string): Promise<ChildProcess> => {
    const process = await running();
    if (current !== zone) for (const sql of setUp.zone(zone)) await ask(process, sql);
    current = zone;
    return process;
  };
  try {
    await running();
  } catch (thrown) {
    child?.disconnect();
    throw thrown;
  }
  return {
    query: async ({ sql, parameters }, zone) => {
      const process = await inZone(zone);
      if (parameters.size > 0) await ask(process, `SET ${[...parameters].map(setting).join(", ")}`);
      const text = await ask(process, sql);
      return text === "" ? { meta: [], data: [] } : parsed(text);
    },
    close: () => child?.disconnect(),
  };
};

/** A parameter as a setting: a text stands in it as it does in a line of tab-separated values. */
const setting = ([name, { value }]: readonly [string, StatementParameter]): string => {
  const text =
    typeof value === "string" ? escaped(value) : `[${value.map((item) => `'${escaped(item).replaceAll("'", "\\'")}'`).join(",")}]`;
  return `param_${name} = '${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
};

const escaped = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r").replaceAll("\0", "\\0");

const ask = async (child: ChildProcess, sql: string): Promise<string> => {
  const answer = answerOf(child);
  child.send(sql);
  return await answer;
};

const answerOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), MAX_MS);
    const ended = (code: number | null, signal: string | null): void => {
      clearTimeout(timer);
      reject(new Refused(`the process ended with ${signal ?? code}`));
    };
    child.once("exit", ended);
    child.once("message", (message: { readonly text?: string; readonly error?: string }) => {
      clearTimeout(timer);
      child.off("exit", ended);
      if (message.error === undefined) resolve(message.text ?? "");
      else reject(new Refused(message.error));
    });
  });

/** The JSON is ClickHouse's own, in its format `JSONCompact`. */
const parsed = (text: string): Answer => JSON.parse(text) as Answer;
