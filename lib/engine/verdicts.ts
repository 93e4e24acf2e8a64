import type { FileFacts } from "../lake/catalogue.ts";
import type { Database } from "./duckdb.ts";
import type { LocalFiles } from "./local-files.ts";
import { readParquet, utcDay } from "./scan-sql.ts";

/** Which rows of waiting segments are duplicates: positions by segment key, ascending; segments without any are left out. */
export type Verdicts = ReadonlyMap<string, readonly number[]>;

/** Runs statements on the project's instance. */
export type WithDatabase = <T>(task: (database: Database) => Promise<T>) => Promise<T>;

/**
 * Finds and remembers duplicates. What it remembers are facts about pairs of immutable files: the rows of a segment that another
 * file also has (of two segments: those whose other copy comes first). So a new commit or a new manifest only asks for the
 * pairs that are new.
 */
export interface Judge {
  of(project: number, segments: readonly FileFacts[], files: readonly FileFacts[], run: WithDatabase): Promise<Verdicts>;
}

/** By segment key, by role and key of the other file: the positions. */
type Facts = Map<string, Map<string, readonly number[]>>;

/** Segments remembered per process; the oldest go first. */
const MAX_SEGMENTS = 20_000;

export const openJudge = (local: LocalFiles): Judge => {
  const facts: Facts = new Map();
  return {
    async of(project, segments, files, run) {
      const pairs = pairsToFind(facts, segments, files);
      if (pairs.segments.length > 0) await find(local, project, pairs, run, facts);
      forgetOldest(facts);
      return verdictsOf(facts, segments, files);
    },
  };
};

interface Pairs {
  /** Keys of all waiting segments, so that another segment is never taken for a file. */
  readonly waiting: ReadonlySet<string>;
  readonly segments: readonly FileFacts[];
  readonly others: readonly FileFacts[];
  readonly wanted: readonly (readonly [FileFacts, FileFacts])[];
}

const pairsToFind = (facts: Facts, segments: readonly FileFacts[], files: readonly FileFacts[]): Pairs => {
  const wanted: [FileFacts, FileFacts][] = [];
  for (const segment of segments) {
    const known = facts.get(segment.key);
    for (const other of segments) {
      if (other !== segment && !known?.has(asSegment(other.key)) && mayShare(segment, other)) wanted.push([segment, other]);
    }
    for (const other of files) if (!known?.has(other.key) && mayShare(segment, other)) wanted.push([segment, other]);
  }
  const waiting = new Set(segments.map(({ key }) => key));
  return { waiting, segments: distinct(wanted.map(([segment]) => segment)), others: distinct(wanted.map(([, other]) => other)), wanted };
};

/** Another segment is remembered apart from a file: what stays of two copies depends on which it is. */
const asSegment = (key: string): string => `waiting:${key}`;

const distinct = (files: readonly FileFacts[]): FileFacts[] => [...new Map(files.map((file) => [file.key, file])).values()];

/** Whether two files can hold rows of one identity, which names the UTC day, the event and the distinct_id. */
const mayShare = (a: FileFacts, b: FileFacts): boolean => {
  if (a.days[0] > b.days[1] || b.days[0] > a.days[1]) return false;
  if (a.ids[0] > b.ids[1] || b.ids[0] > a.ids[1]) return false;
  if (a.events === null || b.events === null) return true;
  const names = new Set(a.events);
  return b.events.some((name) => names.has(name));
};

/** Waiting rows are few beside the files: no statement of theirs takes this long unless something is wrong. */
const FIND_MS = 60_000;

/** Columns of the exact comparison, fetched only where hashes meet. */
const EXACT = ["identity", "uuid", "event", "distinct_id", "timestamp", "created_at", "request", "index"];

const find = async (local: LocalFiles, project: number, pairs: Pairs, run: WithDatabase, facts: Facts): Promise<void> => {
  const meeting = await hashesMeet(local, project, pairs, run);
  const found = meeting.size === 0 ? [] : await compare(local, project, pairs, meeting, run);
  for (const [segment, other] of pairs.wanted) {
    const known = facts.get(segment.key) ?? new Map<string, readonly number[]>();
    facts.set(segment.key, known);
    known.set(pairs.waiting.has(other.key) ? asSegment(other.key) : other.key, []);
  }
  for (const { segment, other, rows } of found) {
    const known = facts.get(segment);
    if (known?.get(other)?.length === 0) known.set(other, rows);
  }
};

/** The pairs of files, by place in the two lists, of which some identity hash is in both. */
const hashesMeet = async (local: LocalFiles, project: number, pairs: Pairs, run: WithDatabase): Promise<ReadonlySet<string>> => {
  const { segments, others } = pairs;
  const columns = ["identity"];
  const held = await local.hold(
    project,
    distinct([...segments, ...others]).map((file) => ({ ...file, columns })),
  );
  const meeting = new Set<string>();
  try {
    const sql = `
      SELECT DISTINCT s.file_index AS s, o.file_index AS o
      FROM (SELECT identity, file_index FROM ${readParquet(segments.map(({ key }) => held.path(key)))}) s
      JOIN (SELECT identity, file_index FROM ${readParquet(others.map(({ key }) => held.path(key)))}) o USING (identity)`;
    await run((database) =>
      database.select(sql, [], FIND_MS, (rows) => {
        for (const [s, o] of rows) if (segments[Number(s)]?.key !== others[Number(o)]?.key) meeting.add(`${s}/${o}`);
        return "more";
      }),
    );
  } finally {
    held.release();
  }
  return meeting;
};

interface Match {
  readonly segment: string;
  readonly other: string;
  readonly rows: readonly number[];
}

/** Rows of segments with an equal identity in another file; where that is a segment too, only if the other copy comes first. */
const compare = async (
  local: LocalFiles,
  project: number,
  pairs: Pairs,
  meeting: ReadonlySet<string>,
  run: WithDatabase,
): Promise<readonly Match[]> => {
  const places = [...meeting].map((pair) => pair.split("/").map(Number));
  const segments = pick(
    pairs.segments,
    places.map(([s]) => s ?? 0),
  );
  const others = pick(
    pairs.others,
    places.map(([, o]) => o ?? 0),
  );
  const held = await local.hold(
    project,
    distinct([...segments, ...others]).map((file) => ({ ...file, columns: EXACT })),
  );
  const rows = new Map<string, number[]>();
  const list = EXACT.map((column) => `"${column}"`).join(", ");
  const relation = (files: readonly FileFacts[]): string =>
    `(SELECT ${list}, file_index, file_row_number FROM ${readParquet(files.map(({ key }) => held.path(key)))})`;
  // Whether each is a segment, and how keys order, is known here and not in the files: both travel as small lists.
  const order = new Map(
    distinct([...segments, ...others])
      .map(({ key }) => key)
      .sort()
      .map((key, at) => [key, at]),
  );
  const numbers = (files: readonly FileFacts[], of: (key: string) => number): string => `[${files.map(({ key }) => of(key)).join(", ")}]`;
  const rank = (key: string): number => order.get(key) ?? 0;
  const sql = `
    SELECT s.file_index, o.file_index, s.file_row_number
    FROM ${relation(segments)} s JOIN ${relation(others)} o
      ON s.identity = o.identity AND s.uuid = o.uuid AND s.event = o.event AND s.distinct_id = o.distinct_id
      AND ${utcDay("s.timestamp")} = ${utcDay("o.timestamp")}
    WHERE ${numbers(others, (key) => (pairs.waiting.has(key) ? 1 : 0))}[o.file_index::BIGINT + 1] = 0
      OR (o.created_at, o.request, o."index", ${numbers(others, rank)}[o.file_index::BIGINT + 1])
       < (s.created_at, s.request, s."index", ${numbers(segments, rank)}[s.file_index::BIGINT + 1])
    ORDER BY 1, 2, 3`;
  try {
    await run((database) =>
      database.select(sql, [], FIND_MS, (batch) => {
        for (const [s, o, row] of batch) {
          const pair = `${s}/${o}`;
          const known = rows.get(pair);
          if (known) known.push(Number(row));
          else rows.set(pair, [Number(row)]);
        }
        return "more";
      }),
    );
  } finally {
    held.release();
  }
  const otherKey = (key: string): string => (pairs.waiting.has(key) ? asSegment(key) : key);
  return [...rows].map(([pair, found]) => {
    const [s = 0, o = 0] = pair.split("/").map(Number);
    return { segment: segments[s]?.key ?? "", other: otherKey(others[o]?.key ?? ""), rows: found };
  });
};

const pick = (files: readonly FileFacts[], places: readonly number[]): FileFacts[] => files.filter((_, at) => places.includes(at));

const verdictsOf = (facts: Facts, segments: readonly FileFacts[], files: readonly FileFacts[]): Verdicts => {
  const present = new Set([...segments.map(({ key }) => asSegment(key)), ...files.map(({ key }) => key)]);
  const verdicts = new Map<string, readonly number[]>();
  for (const { key } of segments) {
    const rows = new Set<number>();
    for (const [other, found] of facts.get(key) ?? []) if (present.has(other)) for (const row of found) rows.add(row);
    if (rows.size > 0)
      verdicts.set(
        key,
        [...rows].sort((a, b) => a - b),
      );
  }
  return verdicts;
};

const forgetOldest = (facts: Facts): void => {
  for (const key of facts.keys()) {
    if (facts.size <= MAX_SEGMENTS) return;
    facts.delete(key);
  }
};
