import { writeFile } from "node:fs/promises";
import { flushCompileCache } from "node:module";
import { lowerProcessPriority } from "../../../core/priority.ts";
import { type Database, loadBinding, openDatabase, type Take } from "../../duckdb/duckdb.ts";
import { type Answer, type Order, toFault } from "./process-messages.ts";

/**
 * The process that runs the queries of tenants, and nothing else: whoever started it ends it when a query cannot be interrupted
 * or takes too much memory. Goes when its starter goes.
 */
const databases = new Map<number, Promise<Database>>();
const enough = new Set<number>();

const answer = (message: Answer): void => {
  process.send?.(message);
};

const select = async ({ id, database, sql, parameters, timeMs, more }: Extract<Order, { kind: "select" }>): Promise<void> => {
  try {
    const opened = await databases.get(database);
    if (opened === undefined) throw new Error("the database is not open");
    answer({ kind: "began", id });
    const take: Take = (rows) => {
      if (enough.has(id)) return "enough";
      answer({ kind: "rows", id, rows });
      return "more";
    };
    await opened.select(sql, parameters, timeMs, take, more);
    answer({ kind: "done", id });
  } catch (thrown) {
    answer({ kind: "failed", id, fault: toFault(thrown) });
  } finally {
    enough.delete(id);
  }
};

const open = ({ database, options }: Extract<Order, { kind: "open" }>): void => {
  const opening = openDatabase(options);
  // The select that comes next tells why it could not be opened.
  opening.catch(() => undefined);
  databases.set(database, opening);
};

const close = async (database: number): Promise<void> => {
  const opened = await databases.get(database)?.catch(() => undefined);
  databases.delete(database);
  opened?.close();
};

/** Only `openQueryProcess` sends orders. */
const readOrder = (message: unknown): Order => message as Order;

process.on("message", (message) => {
  const order = readOrder(message);
  switch (order.kind) {
    case "open":
      return open(order);
    case "select":
      return void select(order);
    case "enough":
      return void enough.add(order.id);
    case "close":
      return void close(order.database);
  }
});

// Whoever answers everybody goes first; its own threads are started with the first database.
lowerProcessPriority();
// Whoever starts it will ask something soon.
loadBinding();
// Kept now, if at all: whoever starts it also kills it.
flushCompileCache();

// Where memory ends all the same, the system is to take this process and not its starter. Elsewhere than on Linux there is no such file.
writeFile("/proc/self/oom_score_adj", "1000").catch(() => undefined);

// Not `exit`, which would wait for a query that cannot be interrupted.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// An interrupt from the terminal goes to every process of the group; this one leaves with its starter.
process.on("SIGINT", () => undefined);
