import type { World } from "../../../lib/app/world.ts";
import { exactJson } from "../../../lib/core/exact-json.ts";
import { DAY_US } from "../../../lib/core/time.ts";
import type { RunProject } from "../../../lib/endpoints/run-request.ts";
import { runTrees, type TreeRun } from "../../../lib/endpoints/tree-runs.ts";
import type { Cell } from "../../../lib/engine/engine.ts";
import type { Expr, OrderItem } from "../../../lib/hogql/ast.ts";
import { call, compare, constant, every, field, from, select, some, tuple } from "../../../lib/hogql/build.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { moment } from "../../../lib/insight/dates.ts";
import { cursorText, type EventPlace, readCursor } from "./event-cursor.ts";
import { requirePerson, requireUuid } from "./find-persons.ts";
import { isAmong } from "./person-rows.ts";
import type { PersonEvent, PersonEventsQuery } from "./wire.ts";
import { withinBytes } from "./within-bytes.ts";

/** How far back an answer looks where the caller does not say. */
const SHOWN_DAYS = 30n;

/** In microseconds since 1970; `before` is not in it. */
export interface TimeRange {
  readonly after: bigint;
  readonly before: bigint;
}

export interface FoundEvents {
  readonly events: readonly PersonEvent[];
  /** Where these end, if there are more. */
  readonly cursor: string | null;
  readonly range: TimeRange;
}

/** A page of the events of all ids of a person, newest first. Throws 400, 404, and 429 where no slot comes free. */
export const personEvents = (world: World, project: RunProject, id: string, query: PersonEventsQuery): Promise<FoundEvents> => {
  const uuid = requireUuid(id);
  const place = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const range = rangeOf(query, world.clock.now());
  return runTrees(world, project, async (run) => {
    const { distinct_ids } = await requirePerson(run, uuid);
    const where = every([
      compare(">=", field("timestamp"), moment(range.after)),
      compare("<", field("timestamp"), moment(range.before)),
      ...(query.event === undefined ? [] : [compare("==", field("event"), constant(query.event))]),
      ...(place === undefined ? [] : [compare("<=", field("timestamp"), moment(place.time)), isBehind(place)]),
      ofPerson(uuid, distinct_ids),
    ]);
    return { ...(await newestRows(run, where, query.limit)), range };
  });
};

const rangeOf = (query: PersonEventsQuery, now: number): TimeRange => {
  const before = query.before === undefined ? BigInt(now) * 1_000n + DAY_US : BigInt(query.before);
  const after = query.after === undefined ? before - SHOWN_DAYS * DAY_US : BigInt(query.after);
  if (after >= before) throw invalid("after", "`after` has to be earlier than `before`.");
  return { after, before };
};

/** More ids than these are asked for by their person, which has to be looked up for each row. */
const FEW_IDS = 200;

/** Rows lie sorted by distinct id, so naming these leaves out most of what other persons did. */
const ofPerson = (uuid: string, distinctIds: readonly string[]): Expr =>
  distinctIds.length > FEW_IDS
    ? isAmong("person_id", [uuid])
    : compare("in", field("distinct_id"), tuple(distinctIds.map((each) => constant(each))));

const MICROS = call("toUnixTimestamp64Micro", field("timestamp"));
const UUID_TEXT = call("toString", field("uuid"));

/** The newest first, and one order among those of a time. */
const ORDER: readonly OrderItem[] = [
  { expr: field("timestamp"), descending: true, nulls: "last" },
  { expr: UUID_TEXT, descending: false, nulls: "last" },
  { expr: field("event"), descending: false, nulls: "last" },
  { expr: field("distinct_id"), descending: false, nulls: "last" },
];

/** Whether a row comes after a place in that order. */
const isBehind = ({ time, uuid, event, distinct_id }: EventPlace): Expr =>
  some([
    compare("<", field("timestamp"), moment(time)),
    compare(">", UUID_TEXT, constant(uuid)),
    every([compare("==", UUID_TEXT, constant(uuid)), compare(">", field("event"), constant(event))]),
    every([
      compare("==", UUID_TEXT, constant(uuid)),
      compare("==", field("event"), constant(event)),
      compare(">", field("distinct_id"), constant(distinct_id)),
    ]),
  ]);

const COLUMNS = [field("uuid"), field("event"), field("distinct_id"), field("timestamp"), field("created_at"), MICROS, field("properties")];

/** The first rows of a condition. Where they end is found first, in few columns: the properties of all others are not read for it. */
const newestRows = async (run: TreeRun, where: Expr, limit: number): Promise<Pick<FoundEvents, "events" | "cursor">> => {
  const parts = { from: from("events"), where, orderBy: ORDER };
  const times = await run.rows(select([MICROS], { ...parts, limit: constant(limit + 1) }));
  const last = times.slice(0, limit).at(-1)?.[0];
  if (last === undefined) return { events: [], cursor: null };
  const shown = { ...parts, where: every([compare(">=", field("timestamp"), moment(BigInt(String(last)))), where]) };
  const most = Math.min(times.length, limit);
  const lengths = await run.rows(select([call("length", call("toString", field("properties")))], { ...shown, limit: constant(most) }));
  const fitting = withinBytes(lengths.map(([length]) => Number(length)));
  const rows = await run.rows(select(COLUMNS, { ...shown, limit: constant(fitting) }));
  const end = rows.at(-1);
  return { events: rows.map(personEvent), cursor: rows.length < times.length && end !== undefined ? cursorText(placeOf(end)) : null };
};

type Row = readonly (Cell | undefined)[];

const placeOf = ([uuid, event, distinct_id, , , micros]: Row): EventPlace => ({
  time: BigInt(String(micros)),
  uuid: String(uuid),
  event: String(event),
  distinct_id: String(distinct_id),
});

const personEvent = ([uuid, event, distinct_id, timestamp, created_at, , properties]: Row): PersonEvent => ({
  id: String(uuid),
  uuid: String(uuid),
  event: String(event),
  distinct_id: String(distinct_id),
  timestamp: String(timestamp),
  created_at: String(created_at),
  properties: Object(exactJson(String(properties))),
});
