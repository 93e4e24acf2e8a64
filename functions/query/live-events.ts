import type { World } from "../../lib/app/world.ts";
import { exactJson } from "../../lib/core/exact-json.ts";
import { DAY_MS, HOUR_MS, isYoung, MINUTE_MS } from "../../lib/core/time.ts";
import type { RunProject } from "../../lib/endpoints/run-request.ts";
import { runTrees, type TreeRun } from "../../lib/endpoints/tree-runs.ts";
import type { Cell } from "../../lib/engine/engine.ts";
import type { Expr, OrderItem } from "../../lib/hogql/ast.ts";
import { call, compare, constant, every, field, from, moment, select, tuple } from "../../lib/hogql/build.ts";
import { invalid } from "../../lib/http/errors.ts";
import { sqlFilters } from "../../lib/insight/sql-filters.ts";
import { type ArrivalMark, arrivalMark, arrivedSince, hasSeen, MARK_GOOD_MS } from "../../lib/lake/arrivals.ts";
import type { Commit } from "../../lib/lake/catalogue.ts";
import { cursorText, readCursor } from "./live-cursor.ts";
import type { LiveEvent, LiveEvents, LiveQuery } from "./live-wire.ts";

/** How far back the first answer looks where the last hour has no event. */
const QUIET_DAYS = 30;

/**
 * The events that came since a cursor, or the newest ones. What came is told by commits and not by a time of the events, so an event
 * with an older time, or one that waited long, is found when it shows. Throws 400, and 429 where no slot comes free.
 */
export const liveEvents = async (world: World, project: RunProject, query: LiveQuery): Promise<LiveEvents> => {
  const now = world.clock.now();
  const condition = matching(query, now);
  const mark = query.after === undefined ? undefined : readCursor(project.id, query.after);
  return mark === undefined || !isYoung(mark.at, MARK_GOOD_MS, now)
    ? newest(world, project, { now, condition, limit: query.limit })
    : since(world, project, mark, { now, condition, limit: query.limit });
};

interface EventsRequest {
  readonly now: number;
  readonly condition: Expr;
  readonly limit: number;
}

const newest = (world: World, project: RunProject, request: EventsRequest): Promise<LiveEvents> =>
  runTrees(world, project, async (run) => {
    const { now, condition } = request;
    const of = (spanMs: number) => every([timeFrom(now - spanMs), condition]);
    const inHour = await newestRows(run, of(HOUR_MS), request.limit);
    const rows = inHour.rows.length > 0 ? inHour : await newestRows(run, of(QUIET_DAYS * DAY_MS), request.limit);
    return {
      results: rows.rows.map(liveEvent),
      next: cursorText(project.id, arrivalMark(run.snapshot.commits, run.snapshot.at)),
      minutes: await minutesFrom(run, firstMinute(now), request),
      has_more: rows.hasMore,
    };
  });

const since = async (world: World, project: RunProject, mark: ArrivalMark, request: EventsRequest): Promise<LiveEvents> => {
  const { commits, mark: reached } = await arrivedSince(world.table, project.id, mark, request.now);
  const next = cursorText(project.id, reached);
  const arrived = commits.filter(({ segments }) => segments.length > 0);
  if (arrived.length === 0) return { results: [], next, minutes: [], has_more: false };
  return runTrees(world, project, async (run) => {
    const { rows, hasMore } = await newestRows(run, request.condition, request.limit, arrived);
    const shown = await withoutKnown(run, rows.map(liveEvent), run.snapshot.commits.filter(hasSeen(mark)));
    // What came and does not match, or came before, changes no number.
    const minutes =
      shown.length === 0 && !hasMore ? [] : await minutesFrom(run, Math.max(firstMinute(request.now), earliest(arrived)), request);
    return { results: [...shown], next, minutes, has_more: hasMore };
  });
};

/** Conditions on the events that are asked for: what the caller sent stands in them as constants. Throws 400. */
const matching = ({ event, distinct_id, person_id, property, value }: LiveQuery, now: number): Expr => {
  if (value !== undefined && property === undefined) throw invalid("value", "Send the name of the property with its value.");
  const equals = (name: string, wanted: string | undefined) =>
    wanted === undefined ? [] : [compare("==", call("toString", field(name)), constant(wanted))];
  const named = event === undefined ? [] : [compare("==", field("event"), constant(event))];
  const whose = distinct_id === undefined ? [] : [compare("==", field("distinct_id"), constant(distinct_id))];
  return every([...named, ...whose, ...equals("person_id", person_id?.toLowerCase()), ...propertyConditions(property, value, now)]);
};

const propertyConditions = (key: string | undefined, value: string | undefined, now: number): readonly Expr[] => {
  if (key === undefined) return [];
  const filter = value === undefined ? { operator: "is_set" as const } : { operator: "exact" as const, value: [value] };
  return [sqlFilters({ properties: [{ type: "event", key, ...filter }] }, { now, timezone: "UTC" }).condition];
};

const timeFrom = (ms: number): Expr => compare(">=", field("timestamp"), moment(micros(ms)));

const micros = (ms: number): bigint => BigInt(ms) * 1_000n;

const newestFirst = (name: string): OrderItem => ({ expr: field(name), descending: true, nulls: "last" });

const COLUMNS = ["uuid", "event", "timestamp", "created_at", "distinct_id", "person_id", "properties"] as const;

interface FoundRows {
  readonly rows: readonly (readonly Cell[])[];
  readonly hasMore: boolean;
}

/** The newest rows by their arrival. Where they end is found first, in one column: the properties of all others are not read for it. */
const newestRows = async (run: TreeRun, where: Expr, limit: number, commits?: readonly Commit[]): Promise<FoundRows> => {
  const parts = { from: from("events"), where, limit: constant(limit + 1) };
  const times = await run.rows(
    select([call("toUnixTimestamp64Micro", field("created_at"))], { ...parts, orderBy: [newestFirst("created_at")] }),
    commits,
  );
  const last = times.at(-1)?.[0];
  if (last === undefined) return { rows: [], hasMore: false };
  const rows = await run.rows(
    select(
      COLUMNS.map((name) => field(name)),
      {
        ...parts,
        where: every([compare(">=", field("created_at"), moment(BigInt(String(last)))), where]),
        orderBy: [newestFirst("created_at"), newestFirst("timestamp"), newestFirst("uuid")],
      },
    ),
    commits,
  );
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
};

const liveEvent = ([uuid, event, timestamp, created_at, distinct_id, person_id, properties]: readonly (Cell | undefined)[]): LiveEvent => ({
  uuid: String(uuid),
  event: String(event),
  timestamp: String(timestamp),
  created_at: String(created_at),
  distinct_id: String(distinct_id),
  person_id: String(person_id),
  properties: Object(exactJson(String(properties))),
});

/**
 * Those of the events that are no copies of one in these commits: what was delivered twice came in a commit of its own, too. Only files of
 * the events' own days are read for it, however much else came or is being imported.
 */
const withoutKnown = async (run: TreeRun, events: readonly LiveEvent[], commits: readonly Commit[]): Promise<readonly LiveEvent[]> => {
  if (events.length === 0 || commits.length === 0) return events;
  const among = (name: "uuid" | "event" | "distinct_id") =>
    compare(
      "in",
      name === "uuid" ? call("toString", field(name)) : field(name),
      tuple([...new Set(events.map((each) => each[name]))].map(constant)),
    );
  const days = events.map(({ timestamp }) => dayStart(timestamp));
  const [first, last] = [Math.min(...days), micros(Math.max(...days) + DAY_MS) - 1n];
  const copies = select([field("uuid"), field("event"), field("distinct_id"), field("timestamp")], {
    from: from("events"),
    where: every([timeFrom(first), compare("<=", field("timestamp"), moment(last)), among("event"), among("distinct_id"), among("uuid")]),
    limit: constant(MOST_COPIES),
  });
  const known = new Set(
    (await run.rows(copies, commits)).map(([uuid, event, distinct_id, timestamp]) => identity(uuid, event, distinct_id, timestamp)),
  );
  return events.filter(({ uuid, event, distinct_id, timestamp }) => !known.has(identity(uuid, event, distinct_id, timestamp)));
};

/** More than the copies of an answer's events on all of the days that they may be sent for. */
const MOST_COPIES = 10_000;

/** Two rows are one event where these are the same, of the time its UTC day. */
const identity = (uuid: unknown, event: unknown, distinctId: unknown, timestamp: unknown): string =>
  JSON.stringify([uuid, event, distinctId, utcDay(String(timestamp))]);

const utcDay = (timestamp: string): string => timestamp.slice(0, "yyyy-mm-dd".length);

const dayStart = (timestamp: string): number => Date.parse(utcDay(timestamp));

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

/** The first of the 60 minutes that end with this one. */
const firstMinute = (now: number): number => minuteOf(now) - HOUR_MS + MINUTE_MS;

const earliest = (commits: readonly Commit[]): number =>
  minuteOf(Math.min(...commits.flatMap(({ segments }) => segments.map(({ times }) => Number(BigInt(times[0]) / 1_000n)))));

/** How many events each minute from this one to the present one has, those without any included. */
const minutesFrom = async (run: TreeRun, first: number, { now, condition }: EventsRequest): Promise<LiveEvents["minutes"]> => {
  const end = minuteOf(now) + MINUTE_MS;
  if (first >= end) return [];
  const minute = call("toUnixTimestamp", call("toStartOfMinute", field("timestamp")));
  const rows = await run.rows(
    select([minute, call("count")], {
      from: from("events"),
      where: every([timeFrom(first), compare("<", field("timestamp"), moment(micros(end))), condition]),
      groupBy: [minute],
      limit: constant(HOUR_MS / MINUTE_MS),
    }),
  );
  const counts = new Map(rows.map(([at, events]) => [Number(at) * 1_000, Number(events)]));
  return Array.from({ length: (end - first) / MINUTE_MS }, (_, at) => {
    const start = first + at * MINUTE_MS;
    return { minute: new Date(start).toISOString(), events: counts.get(start) ?? 0 };
  });
};
