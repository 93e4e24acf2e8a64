import { once } from "../core/once.ts";
import { Unavailable } from "../core/unavailable.ts";
import type { Engine, Limits, Rows } from "../engine/engine.ts";
import { QueryError } from "../hogql/errors.ts";
import type { LoweredQuery, Scan } from "../hogql/lowered-query.ts";
import type { PinnedState } from "../lake/catalogue.ts";
import type { Config } from "../ports/config.ts";
import type { Counts } from "../ports/counts.ts";
import type { Clock, Log } from "../ports/system.ts";
import { openReach } from "./choice/reach.ts";
import { Unreachable } from "./http/unreachable.ts";
import { Unprintable } from "./printer/unprintable.ts";

/** What a ClickHouse does of an engine's work; segments and compaction are the embedded engine's alone. */
export type ClickHouse = Pick<Engine, "run" | "write" | "close">;

export interface EnginesParts {
  readonly embedded: Engine;
  readonly clickhouse: ClickHouse;
  /** Bytes of the column chunks that these scans have to fetch of a pinned state; above `enough` it may stop counting. */
  readonly neededBytes: (pinned: PinnedState, scans: readonly Scan[], enough: number) => Promise<number>;
  readonly config: Pick<Config, "clickhouseAboveMb">;
  readonly clock: Clock;
  readonly log: Log;
  readonly counts: Counts;
}

/** The limits that both ways of asking an engine have. */
type Bounds = Pick<Limits, "timeMs" | "engine">;

/** The same question put to either engine, within so many milliseconds. */
interface Question<T> {
  readonly scans: readonly Scan[];
  readonly pinned: PinnedState;
  readonly bounds: Bounds;
  readonly ask: (engine: Pick<Engine, "run" | "write">, timeMs: number) => Promise<T>;
}

const BYTES_OF_MB = 1_000_000;

/**
 * Both engines as one: a query goes to ClickHouse where it has to read more than `clickhouseAboveMb`, or is asked to, and to the embedded
 * engine otherwise. What ClickHouse cannot take goes to the embedded engine, too, unless it is too large for it: then it throws
 * `Unavailable` while ClickHouse is away, and `QueryError` where its language has no form of the query.
 */
export const openEngines = ({ embedded, clickhouse, neededBytes, config, clock, log, counts }: EnginesParts): Engine => {
  const aboveBytes = config.clickhouseAboveMb * BYTES_OF_MB;
  const reach = openReach({ clock, log, counts });

  const answer = async <T extends Pick<Rows, "cost">>({ scans, pinned, bounds, ask }: Question<T>): Promise<T> => {
    const { engine = "auto", timeMs } = bounds;
    const isLarge = once(async () => (await neededBytes(pinned, scans, aboveBytes)) > aboveBytes);
    if (engine === "embedded" || !readsLake(scans) || (engine === "auto" && !(await isLarge()))) return ask(embedded, timeMs);
    const until = clock.now() + timeMs;
    try {
      const found = await reach(() => ask(clickhouse, timeMs));
      const { engineMs, fetchedBytes, neededBytes: needed } = found.cost;
      const bytes = { needed_bytes: needed, fetched_bytes: fetchedBytes };
      log.line("info", "clickhouse.query", { project: pinned.project, ...bytes, engine_ms: Math.round(engineMs) });
      return found;
    } catch (thrown) {
      if (!(thrown instanceof Unreachable || thrown instanceof Unprintable)) throw thrown;
      const left = until - clock.now();
      if (left <= 0 || (await isLarge())) throw refusal(thrown, config.clickhouseAboveMb);
      return ask(embedded, left);
    }
  };

  return {
    run: (query, pinned, limits) =>
      answer({ ...question(query, pinned, limits), ask: (engine, timeMs) => engine.run(query, pinned, { ...limits, timeMs }) }),
    write: (query, pinned, limits, key) =>
      answer({ ...question(query, pinned, limits), ask: (engine, timeMs) => engine.write(query, pinned, { ...limits, timeMs }, key) }),
    rowFiles: embedded.rowFiles,
    async close() {
      await Promise.all([embedded.close(), clickhouse.close()]);
    },
  };
};

const question = ({ scans }: LoweredQuery, pinned: PinnedState, bounds: Bounds) => ({ scans, pinned, bounds });

/** The table of a version is one small file, which the embedded engine has at hand, and a list comes with the query. */
const readsLake = (scans: readonly Scan[]): boolean => scans.some(({ kind }) => kind !== "table" && kind !== "list");

const refusal = (thrown: Unreachable | Unprintable, aboveMb: number): Error =>
  thrown instanceof Unreachable
    ? new Unavailable("ClickHouse is not reachable, and the platform's own engine has no room or no time for the query.", { cause: thrown })
    : new QueryError(
        "query_too_large",
        `This query reads more than ${aboveMb} MB, and ClickHouse, which runs what is so large, has no form of it (${thrown.message}). Shorten its dates, select fewer columns, or write it otherwise.`,
      );
