import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingest } from "../../functions/ingest/ingest.ts";
import { systemIds } from "../../lib/app/system.ts";
import type { World } from "../../lib/app/world.ts";
import { openSegments } from "../../lib/aws/parts/segments.ts";
import { openEngine } from "../../lib/engine/open.ts";
import type { Ast } from "../../lib/hogql/ast.ts";
import { usedNames } from "../../lib/hogql/inspect.ts";
import { check, lower } from "../../lib/hogql/lower.ts";
import { parse } from "../../lib/hogql/parse.ts";
import { MAX_ROWS } from "../../lib/hogql/wanted-rows.ts";
import { readGroupTypes } from "../../lib/lake/group-types.ts";
import { initialHead } from "../../lib/lake/head.ts";
import { pin } from "../../lib/lake/pin.ts";
import { withPropertyTypes } from "../../lib/lake/query-types.ts";
import { countUsage } from "../../lib/usage/day-counts.ts";
import { memoryTable } from "../simulation/ports/table.ts";
import { keptLog } from "../support/kept-log.ts";
import { memoryObjects } from "../support/memory-objects.ts";
import { deliveryOf } from "../support/samples/capture-messages.ts";

/** Text that only the other project's rows hold, and text that only a file beside the engine's own holds. */
export const SECRET = "harbour-lantern-7431";
const FILE_SECRET = "copper-meadow-2208";

export const NOW = Date.UTC(2026, 0, 15, 12);
const OWN_EVENTS = 40;

/** A query has this long, and may take a little longer to be ended. */
export const TIME_MS = 400;
const MEMORY_MB = 300;

/** The platform's engine and lake with two projects, one of which asks. */
export interface Tenants {
  /** The rows of a query, a text or the tree of one, as the project's saved query would be parsed, checked and run. Throws what that throws. */
  ask(query: string | Ast): Promise<string>;
  /** Whether the engine still answers what it should. */
  isWell(): Promise<boolean>;
  /** A file that no query may read. */
  readonly file: string;
  /** Whether a text holds what its reader must not see. */
  leaks(text: string): boolean;
  close(): Promise<void>;
}

const eventsOf = (mark: string, count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({
    event: ["$identify", "$pageview", "purchase", `seen ${mark}`][at % 4],
    distinct_id: `someone ${mark} ${at % 7}`,
    timestamp: new Date(NOW - at * 5_400_000).toISOString(),
    properties: {
      mark,
      price: at * 1.5,
      plan: at % 3 === 0 ? "free" : "pro",
      active: at % 2 === 0,
      when: new Date(NOW - at * 86_400_000).toISOString(),
      $session_id: `0190a1b2-c3d4-7e5f-8a9b-00000000000${at % 5}`,
      $current_url: `https://example.com/${mark}/${at % 4}`,
      nested: { a: { b: [at, mark] } },
      $set: { mark, age: at },
      $groups: { company: mark },
    },
  }));

export const openTenants = async (): Promise<Tenants> => {
  const directory = await mkdtemp(join(tmpdir(), "fuzz-"));
  const file = join(directory, "private.csv");
  await writeFile(file, `a,b\n1,${FILE_SECRET}\n`);
  const [table, objects, clock] = [memoryTable(), memoryObjects(), { now: () => NOW }];
  const config = { engineDiskBytes: 100_000_000, engineMemoryMb: MEMORY_MB };
  const engine = await openEngine({ objects, directory: join(directory, "engine"), config, countUsage });
  const world: Pick<World, "table" | "objects" | "segments" | "clock" | "ids" | "log"> = {
    ...{ table, objects, clock },
    segments: openSegments,
    ids: systemIds(clock),
    log: keptLog(),
  };
  for (const [project, mark, count] of [
    [1, "own", OWN_EVENTS],
    [2, SECRET, 60],
  ] as const) {
    await table.put(initialHead(project, NOW));
    await ingest(
      [deliveryOf(eventsOf(mark, count), { project, received: `${NOW}000` })],
      whole(world),
      { remainingMs: () => 60_000 },
      "live",
    );
  }
  const pinned = await pin(world, 1, null, { events: true, state: true });
  const groupTypes = await readGroupTypes(table, 1);

  const ask = async (query: string | Ast): Promise<string> => {
    const ast = typeof query === "string" ? await parse(query) : query;
    const context = { timezone: "Europe/Berlin", now: NOW, values: { value: 5 }, groupTypes };
    const { made } = await withPropertyTypes(table, 1, NOW, usedNames([ast]).properties(groupTypes), (propertyType) => {
      check(ast, { ...context, propertyType });
      return lower(ast, { ...context, project: 1, variables: { x: "own" }, page: null, propertyType });
    });
    const limits = { timeMs: TIME_MS, maxRows: MAX_ROWS, maxReplyBytes: 5_500_000 };
    const { rows } = await engine.run(made.lowered, pinned, limits);
    return JSON.stringify(rows);
  };
  return {
    ask,
    isWell: async () =>
      (await ask("SELECT count(), uniq(distinct_id), countIf(properties.price > 10), any(person.properties.mark) FROM events")) ===
      JSON.stringify([[OWN_EVENTS, 7, 33, "own"]]),
    file,
    leaks: (text) => text.includes(SECRET) || text.includes(FILE_SECRET) || text.includes("root:x:"),
    close: async () => {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** Guarantee of the cast: ingest uses no other part. */
const whole = (world: Partial<World>): World => world as World;
