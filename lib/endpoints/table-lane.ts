import { hasPlace, type LaneLimits, nextWaiting, type Waiting, withBegun } from "../core/fair-schedule.ts";
import { changeSchedule, endWork, readSchedule } from "../lanes/lane-schedules.ts";
import type { Ports } from "../ports/ports.ts";
import type { Table } from "../ports/table.ts";
import { Projects } from "../projects/projects.ts";
import { getMany } from "../table/store.ts";
import { dueTables, findMaterialisation, isDue, type MaterialisationKey, materialisationKey } from "./materialisations.ts";
import { runTimeMs } from "./run-time.ts";

/** Runs of tables at once, in functions of their own: one of a project, and never all of them of one organization. */
export const TABLE_LANE: LaneLimits = { atOnce: 3, ofGroup: 2, ofOwner: 1 };

/** How much longer than its time a run may hold its place: while files are fetched, and until the engine is ended. */
const AROUND_MS = 60_000;

/** A table that waits for its turn: its project owns it, and its organization is the group. */
interface WaitingTable extends Waiting {
  readonly place: MaterialisationKey;
}

/** The turn of a table under its name in the lane, which may run until then. */
export interface TableTurn {
  readonly name: string;
  readonly place: MaterialisationKey;
  readonly until: number;
}

type LaneParts = Pick<Ports, "table" | "clock">;
type StartParts = LaneParts & Pick<Ports, "invocations">;

/** The tables that are due, the one that is so for longest first. */
const waitingTables = async (table: Table, now: number): Promise<readonly WaitingTable[]> => withGroups(table, await dueTables(table, now));

const withGroups = async (table: Table, due: readonly MaterialisationKey[]): Promise<readonly WaitingTable[]> => {
  const projects = [...new Set(due.map(({ project }) => project))];
  const found = await getMany(
    table,
    Projects,
    projects.map((id) => ({ id })),
  );
  const organizations = new Map(found.map(({ id, organization_id }) => [id, organization_id]));
  return due.map((place) => ({ place, owner: String(place.project), group: organizations.get(place.project) ?? "" }));
};

/** Starts a function for each table whose turn it is. Those that are started already take their turns themselves, so this is asked again and again. */
export const startDueTables = async ({ table, clock, invocations }: StartParts): Promise<void> => {
  const now = clock.now();
  const waiting = await waitingTables(table, now);
  if (waiting.length === 0) return;
  let schedule = await readSchedule(table, "tables", now);
  for (let next = nextWaiting(schedule, waiting, TABLE_LANE); next !== undefined; next = nextWaiting(schedule, waiting, TABLE_LANE)) {
    schedule = withBegun(schedule, next, { name: "", began: now, until: now + AROUND_MS });
    await invocations.start("tables");
  }
};

/** Starts a function for a table that was just asked for, so that it need not wait for the sweep; a start that is lost is made up for there. */
export const startTable = async ({ table, clock, invocations }: StartParts, asked: MaterialisationKey): Promise<void> => {
  const [schedule, waiting] = await Promise.all([
    readSchedule(table, "tables", clock.now()),
    withGroups(table, [materialisationKey(asked)]),
  ]);
  if (waiting.some((one) => hasPlace(schedule, one, TABLE_LANE))) await invocations.start("tables");
};

/** Whose turn it is, and until when; without that nothing was begun. */
interface Taken {
  readonly next: WaitingTable | undefined;
  readonly until?: number;
}

/** Begins the turn of the next table that is due; undefined where there is none, or no place for any. */
export const takeTurn = async ({ table, clock, ids }: LaneParts & Pick<Ports, "ids">): Promise<TableTurn | undefined> => {
  const now = clock.now();
  const name = ids.ulid();
  let waiting = await waitingTables(table, now);
  for (;;) {
    let begun: Taken = { next: undefined };
    begun = await changeSchedule<Taken>(table, "tables", now, async (schedule) => {
      // The answer of the write was lost.
      if (schedule.running.some((one) => one.name === name)) return { result: begun };
      const next = nextWaiting(schedule, waiting, TABLE_LANE);
      const found = next && (await findMaterialisation(table, next.place));
      if (next === undefined || found === undefined || !isDue(found, now)) return { result: { next } };
      const until = now + runTimeMs(found) + AROUND_MS;
      begun = { next, until };
      return { schedule: withBegun(schedule, next, { name, began: now, until }), result: begun };
    });
    const { next, until } = begun;
    if (next === undefined) return undefined;
    if (until !== undefined) return { name, place: next.place, until };
    // The index lags: another run made it meanwhile, or nobody wants it any more.
    waiting = waiting.filter((one) => one !== next);
  }
};

/** Ends a turn, and has its project wait for as long as it took until the others have had as much. */
export const endTurn = ({ table, clock }: LaneParts, { name }: TableTurn): Promise<void> => endWork(table, "tables", clock.now(), name);
