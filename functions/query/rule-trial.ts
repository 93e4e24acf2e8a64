import type { World } from "../../lib/app/world.ts";
import { exactJson } from "../../lib/core/exact-json.ts";
import type { RunProject } from "../../lib/endpoints/run-request.ts";
import { runUnsaved } from "../../lib/endpoints/unsaved-run.ts";
import { checkFilters } from "../../lib/error-tracking/filters.ts";
import { tryStored } from "../../lib/error-tracking/rule-trial.ts";
import type { RuleKind } from "../../lib/error-tracking/rules.ts";
import { type Fields, isFields } from "../../lib/event/fields.ts";
import { invalid } from "../../lib/http/errors.ts";
import type { RuleTrial } from "./rule-trial-wire.ts";

/** Exceptions that a trial looks at, and bytes of their properties: the newest that fit both. */
const MOST_EXCEPTIONS = 1_000;
const MOST_BYTES = 3_000_000;

const MOST_EXAMPLES = 5;

/** A row for each exception, the newest first; each says how many there are in all, up to one more than are looked at. */
const NEWEST = `SELECT uuid, timestamp, distinct_id, issue, sent, known FROM (
  SELECT uuid, timestamp, distinct_id, issue, sent, count() OVER () AS known,
    row_number() OVER (ORDER BY timestamp DESC, uuid DESC) AS place,
    sum(length(sent)) OVER (ORDER BY timestamp DESC, uuid DESC) AS bytes
  FROM (
    SELECT uuid, timestamp, distinct_id, toString(issue_id) AS issue, toString(properties) AS sent FROM events
    WHERE event = '$exception' AND timestamp >= now() - INTERVAL 7 DAY
    ORDER BY timestamp DESC, uuid DESC LIMIT ${MOST_EXCEPTIONS + 1}
  )
) WHERE place = 1 OR place <= ${MOST_EXCEPTIONS} AND bytes <= ${MOST_BYTES} ORDER BY place LIMIT ${MOST_EXCEPTIONS}`;

const NO_INPUT = { limit: undefined, offset: undefined, variables: {}, filtersOverride: undefined };

/** What filters would have matched of the newest exceptions. Throws 400 for filters that no rule can have, and 429. */
export const tryRule = async (world: World, project: RunProject, kind: RuleKind, filters: Fields): Promise<RuleTrial> => {
  const { fault } = checkFilters(filters, project.timezone);
  if (fault !== null) throw invalid(fault.kind === "meaning" ? null : "filters", fault.message);
  const rows = await newest(world, project);
  const exceptions = rows.map(storedException);
  const tried = await tryStored(
    { project: project.id, kind, filters, timezone: project.timezone },
    exceptions.map(({ properties }) => properties),
    world.clock.now(),
  );
  const matched = exceptions.filter((_, at) => tried[at] === "matched");
  const known = rows.length === 0 ? 0 : Number(Object.values(Object(rows[0])).at(-1));
  return {
    matched: matched.length,
    looked_at: tried.length,
    unasked: tried.filter((outcome) => outcome === "unasked").length,
    complete: tried.length === known,
    examples: matched.slice(0, MOST_EXAMPLES).map(exampleForm),
  };
};

type Rows = Awaited<ReturnType<typeof runUnsaved>>["result"]["rows"];

/** What is being read, by project. */
const readings = new WeakMap<World, Map<number, Promise<Rows>>>();

/** The newest exceptions; trials that come while they are read have the same. */
const newest = async (world: World, project: RunProject): Promise<Rows> => {
  const reading = readings.get(world) ?? new Map<number, Promise<Rows>>();
  readings.set(world, reading);
  const known = reading.get(project.id);
  if (known !== undefined) return known;
  const read = runUnsaved(world, project, { kind: "HogQLQuery", query: NEWEST }, NO_INPUT).then(({ result }) => result.rows);
  reading.set(project.id, read);
  try {
    return await read;
  } finally {
    reading.delete(project.id);
  }
};

interface StoredException {
  readonly uuid: string;
  readonly timestamp: string;
  readonly distinct_id: string;
  readonly issue_id: string | null;
  readonly properties: Fields;
}

const storedException = (row: unknown): StoredException => {
  const [uuid, timestamp, distinct_id, issue, sent] = Object.values(Object(row));
  const properties = exactJson(String(sent));
  return {
    uuid: String(uuid),
    timestamp: String(timestamp),
    distinct_id: String(distinct_id),
    issue_id: typeof issue === "string" ? issue : null,
    properties: isFields(properties) ? properties : {},
  };
};

const exampleForm = ({ properties, ...event }: StoredException): RuleTrial["examples"][number] => {
  const [first]: unknown[] = Array.isArray(properties.$exception_list) ? properties.$exception_list : [];
  const { type, value } = isFields(first) ? first : {};
  return { ...event, type: typeof type === "string" ? type : null, value: typeof value === "string" ? value : null };
};
