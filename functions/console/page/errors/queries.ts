import { type Call, post } from "../../calls/client.ts";

/** Days that issues are counted over. */
export const DAYS = 30;

/** What the events of the last days say of an issue. */
export interface Counts {
  readonly events: number;
  readonly users: number;
  readonly lastSeen: string;
  /** Events of each day, the oldest first. */
  readonly days: readonly number[];
}

/** The answer of a query as rows of values. */
interface Rows {
  readonly results: readonly unknown[];
}

/** A query with values that are sent beside its text. */
const query = (project_id: number, text: string, values: Readonly<Record<string, string>> = {}): Call<Rows> => {
  const variables = Object.entries(values).map(([code_name, value], place) => {
    const variableId = `01900000-0000-7000-8000-${String(place + 1).padStart(12, "0")}`;
    return [variableId, { variableId, code_name, value }] as const;
  });
  return post("/api/projects/{project_id}/query", {
    params: { path: { project_id } },
    body: { query: { kind: "HogQLQuery", query: text, ...(variables.length > 0 && { variables: Object.fromEntries(variables) }) } },
  });
};

const daysAgo = (days: number): string => `now() - INTERVAL ${days} DAY`;

const DAY_COUNTS = Array.from({ length: DAYS }, (_, day) => DAYS - day)
  .map((ago) => `countIf(timestamp >= ${daysAgo(ago)} AND timestamp < ${daysAgo(ago - 1)})`)
  .join(", ");

/** Rows of a count. */
const MOST = 1_000;

/** How often issues happened, and to how many: one query for all of them. */
export const countIssues = (project_id: number, issues: readonly string[]) => {
  const values = Object.fromEntries(issues.map((issue, place) => [`issue_${place}`, issue]));
  const named = Object.keys(values).map((name) => `{variables.${name}}`);
  return query(
    project_id,
    `SELECT toString(issue_id) AS issue, count() AS events, uniq(person_id) AS users, max(timestamp) AS last_seen, [${DAY_COUNTS}] AS days
FROM events
WHERE event = '$exception' AND timestamp >= ${daysAgo(DAYS)} AND issue_id IN (${named.join(", ")})
GROUP BY issue LIMIT ${MOST}`,
    values,
  );
};

/** The rows of a count by issue. */
export const readCounts = ({ results }: Rows): ReadonlyMap<string, Counts> =>
  new Map(
    results.map((row) => {
      const [issue, events, users, lastSeen, days] = row as readonly unknown[];
      return [
        String(issue),
        {
          events: Number(events),
          users: Number(users),
          lastSeen: String(lastSeen),
          days: (days as readonly unknown[]).map(Number),
        },
      ] as const;
    }),
  );

/** Where an exception comes from: the innermost frame of its own code. */
interface Place {
  readonly source?: string;
  readonly resolved_name?: string;
  readonly mangled_name?: string;
  readonly line?: number;
}

/** The innermost own frame of an exception of the list, from 1; an empty text where it has none. */
const innermost = (exception: number): string =>
  `arrayLast(frame -> JSONExtractBool(frame, 'in_app'), JSONExtractArrayRaw(toString(properties.$exception_list), ${exception}, 'stacktrace', 'frames'))`;

// Where the cause is, which comes last, or else where the exception was thrown that it became.
const PLACE = `coalesce(nullIf(${innermost(-1)}, ''), ${innermost(1)})`;

/** Where the newest event of each issue comes from, of those that were last seen at these times. */
export const findPlaces = (project_id: number, issues: readonly { readonly id: string; readonly seen: string }[]) => {
  const newest = issues.map((_, at) => `(issue_id = {variables.issue_${at}} AND timestamp >= toDateTime({variables.seen_${at}}))`);
  const values = issues.flatMap(({ id, seen }, at) => [
    [`issue_${at}`, id],
    [`seen_${at}`, new Date(Date.parse(seen) - ROUNDED_MS).toISOString()],
  ]);
  return query(
    project_id,
    `SELECT toString(issue_id) AS issue, argMax(${PLACE}, timestamp) FROM events
WHERE event = '$exception' AND (${newest.join(" OR ")})
GROUP BY issue LIMIT ${MOST}`,
    Object.fromEntries(values),
  );
};

/** Times are told less exactly than they are kept. */
const ROUNDED_MS = 1_000;

/** The places by issue, as `src/cart.ts:21 total`. */
export const readPlaces = ({ results }: Rows): ReadonlyMap<string, string> =>
  new Map(
    results.flatMap((row) => {
      const [issue, place] = row as readonly unknown[];
      return place ? [[String(issue), placeText(JSON.parse(String(place)))] as const] : [];
    }),
  );

const placeText = ({ source, line, resolved_name, mangled_name }: Place): string =>
  [source && (line === undefined ? source : `${source}:${line}`), resolved_name ?? mangled_name].filter(Boolean).join(" ");

/** One of an issue's events, without what it says. */
export interface EventLine {
  readonly uuid: string;
  readonly timestamp: string;
  readonly distinctId: string;
  readonly release: string | undefined;
  readonly url: string | undefined;
}

/** Events of an issue that can be stepped through, the newest. */
export const MOST_EVENTS = 100;

/** How far back an issue's events are looked for, days. */
export const EVENT_DAYS = 90;

export const listEvents = (project_id: number, issue: string) =>
  query(
    project_id,
    `SELECT uuid, timestamp, distinct_id, coalesce(JSONExtractString(toString(properties.$exception_release), 'version'), ''),
  toString(properties.$release), toString(properties.$current_url)
FROM events
WHERE event = '$exception' AND timestamp >= ${daysAgo(EVENT_DAYS)} AND issue_id = {variables.issue}
ORDER BY timestamp DESC, uuid DESC LIMIT ${MOST_EVENTS}`,
    { issue },
  );

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

export const readEventLines = ({ results }: Rows): readonly EventLine[] =>
  results.map((row) => {
    const [uuid, timestamp, distinctId, known, sent, url] = row as readonly unknown[];
    return {
      uuid: String(uuid),
      timestamp: String(timestamp),
      distinctId: String(distinctId),
      release: text(known) ?? text(sent),
      url: text(url),
    };
  });

/** All that one event says: the newest of an issue, or the one that is named. */
export const readEvent = (project_id: number, issue: string, event: string | undefined) =>
  query(
    project_id,
    `SELECT uuid, timestamp, distinct_id, properties FROM events
WHERE event = '$exception' AND timestamp >= ${daysAgo(EVENT_DAYS)} AND issue_id = {variables.issue}${event === undefined ? "" : " AND uuid = {variables.event}"}
ORDER BY timestamp DESC, uuid DESC LIMIT 1`,
    { issue, ...(event !== undefined && { event }) },
  );

/** What a fingerprint of an issue stands for, by its newest event. */
export interface FingerprintCount {
  readonly events: number;
  readonly type: string | undefined;
  readonly value: string | undefined;
}

export const countFingerprints = (project_id: number, issue: string) =>
  query(
    project_id,
    `SELECT toString(properties.$exception_fingerprint) AS fingerprint, count(),
  argMax(JSONExtractString(toString(properties.$exception_list), 1, 'type'), timestamp),
  argMax(JSONExtractString(toString(properties.$exception_list), 1, 'value'), timestamp)
FROM events
WHERE event = '$exception' AND timestamp >= ${daysAgo(EVENT_DAYS)} AND issue_id = {variables.issue}
GROUP BY fingerprint LIMIT ${MOST}`,
    { issue },
  );

export const readFingerprintCounts = ({ results }: Rows): ReadonlyMap<string, FingerprintCount> =>
  new Map(
    results.map((row) => {
      const [fingerprint, events, type, value] = row as readonly unknown[];
      return [String(fingerprint), { events: Number(events), type: text(type), value: text(value) }] as const;
    }),
  );

/** What exceptions name a release. */
export interface ReleaseCount {
  readonly issues: number;
  readonly events: number;
}

export const countReleases = (project_id: number) =>
  query(
    project_id,
    `SELECT JSONExtractString(toString(properties.$exception_release), 'id') AS release, uniq(issue_id), count() FROM events
WHERE event = '$exception' AND timestamp >= ${daysAgo(EVENT_DAYS)} AND properties.$exception_release IS NOT NULL
GROUP BY release LIMIT ${MOST}`,
  );

export const readReleaseCounts = ({ results }: Rows): ReadonlyMap<string, ReleaseCount> =>
  new Map(
    results.map((row) => {
      const [release, issues, events] = row as readonly unknown[];
      return [String(release), { issues: Number(issues), events: Number(events) }] as const;
    }),
  );
