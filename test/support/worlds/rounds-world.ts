import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { openSegments } from "../../../lib/aws/parts/segments.ts";
import { makeDueTables } from "../../../lib/endpoints/make-due-tables.ts";
import type { Engine } from "../../../lib/engine/engine.ts";
import { commitDrain } from "../../../lib/lake/commit.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { withoutDownloads } from "../no-downloads.ts";
import { anEventRow } from "../samples/event-rows.ts";
import { fewest, type Rounds } from "../samples/rounds.ts";
import { sqlQuery } from "../samples/saved-query.ts";
import { aHousehold, apiWorld, aSecretKey, ask } from "./api-world.ts";

const PATH = "/api/projects/1/endpoints/";
const TABLE_READS: readonly string[] = ["table.get", "table.getMany", "table.query"];
const OBJECT_READS: readonly string[] = ["objects.get", "objects.getRange"];
const FRESH_SECONDS = 900;

/** What served a run, and the rounds of calls that it took. */
export interface RunRounds {
  readonly path: string | undefined;
  readonly rounds: number;
  /** Calls that read the table, and calls that read an object. */
  readonly reads: { readonly table: number; readonly objects: number };
}

type KeyKind = "personal" | "secret";

/** Parts of a world whose rounds are counted: the engine fetches through counted objects too. */
export interface CountedParts {
  readonly made: Rounds;
  readonly objects: Objects;
  readonly engine: Engine;
}

/** Each is the fewest of some attempts, by a process that knows keys, project, version and the last head: it has run before. */
export interface RoundsWorld {
  /** A run whose result nobody kept, over an event that has just come. */
  live(key: KeyKind): Promise<RunRounds>;
  forced(key: KeyKind): Promise<RunRounds>;
  kept(key: KeyKind): Promise<RunRounds>;
  /** A run from the version's table, with a value that nobody sent before. */
  materialised(key: KeyKind): Promise<RunRounds>;
  /** The same where the table was just made anew, so that the process has nothing of it. */
  renewed(key: KeyKind): Promise<RunRounds>;
  retrieved(): Promise<{ readonly rounds: number }>;
}

/** A project with an event, and an endpoint that counts events and takes a variable. */
export const roundsWorld = async ({ made, objects, engine }: CountedParts): Promise<RoundsWorld> => {
  const { world: quick, time } = apiWorld({ objects: withoutDownloads(objects), engine });
  const { key, project } = await aHousehold(quick, 1);
  const keys = { personal: key, secret: await aSecretKey(quick, project, ["endpoint:read"]) };
  const world: World = {
    ...quick,
    table: made.counting("table", quick.table),
    objects: withoutDownloads(made.counting("objects", objects)),
    engine,
  };
  let arrived = 0;
  const query = sqlQuery("SELECT count(), {variables.a} FROM events WHERE event = '$pageview'", { a: "" });
  const ofTable = sqlQuery("SELECT count() FROM events WHERE event = {variables.e}", { e: "$pageview" });
  for (const body of [
    { name: "counted", query },
    { name: "tabled", query: ofTable, is_materialized: true, data_freshness_seconds: FRESH_SECONDS },
  ]) {
    const saved = await ask(endpoints, quick, "POST", PATH, { key, body });
    if (saved.status !== 201) throw new Error("the endpoint was not saved");
  }
  time.now += 60_000;
  const run = async (kind: KeyKind, body: object, name = "counted"): Promise<RunRounds> => {
    made.take();
    const reply = await ask(endpointRuns, world, "POST", `${PATH}${name}/run/`, { key: keys[kind], body });
    if (reply.status !== 200) throw new Error(`the run was answered with ${reply.status}`);
    const { rounds, calls } = made.take();
    const count = (reads: readonly string[]): number => calls.filter((call) => reads.includes(call)).length;
    return { path: reply.headers["x-run-path"], rounds, reads: { table: count(TABLE_READS), objects: count(OBJECT_READS) } };
  };
  const arrive = async (): Promise<void> => {
    arrived += 1;
    const uuid = `0190a1b2-c3d4-7e5f-8a9b-${String(arrived).padStart(12, "0")}`;
    const rows = [anEventRow({ uuid, person_mode: "propertyless" })];
    const parts = { table: quick.table, objects, clock: quick.clock, ids: quick.ids, rowFiles: openSegments, segments: openSegments };
    await commitDrain(parts, { project: 1, lane: "live", rows, changes: new Map() });
  };
  let asked = 0;
  const fromTable = (kind: KeyKind): Promise<RunRounds> => {
    asked += 1;
    return run(kind, { variables: { e: `event ${asked}` } }, "tabled");
  };
  const makeTable = async (): Promise<void> => {
    await makeDueTables(quick, { remainingMs: () => 900_000 });
  };
  await arrive();
  await makeTable();
  for (const kind of ["personal", "secret"] as const) await run(kind, {});
  return {
    live: (kind) =>
      fewest(async () => {
        await arrive();
        return run(kind, { variables: { a: `new ${arrived}` } });
      }),
    forced: (kind) => fewest(() => run(kind, { refresh: "force" })),
    kept: (kind) => fewest(() => run(kind, {})),
    materialised: (kind) =>
      fewest(async () => {
        await run(kind, {});
        return fromTable(kind);
      }),
    async renewed(kind) {
      time.now += FRESH_SECONDS * 1_000;
      await makeTable();
      await run(kind, { variables: { e: "" }, refresh: "direct" }, "tabled");
      return fromTable(kind);
    },
    retrieved: () =>
      fewest(async () => {
        made.take();
        await ask(endpoints, world, "GET", `${PATH}counted/`, { key });
        return made.take();
      }),
  };
};
