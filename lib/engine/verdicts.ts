import type { FileFacts } from "../lake/catalogue.ts";
import type { Selecting } from "./databases.ts";
import { IncompleteFile } from "./engine-errors.ts";
import type { LocalFiles } from "./local-files.ts";
import type { Native } from "./native.ts";
import { readParquet, utcDay } from "./scan-sql.ts";

/** Which rows of waiting segments are duplicates: positions by segment key, ascending; segments without any are left out. */
export type Verdicts = ReadonlyMap<string, readonly number[]>;

/** Runs statements on the project's instance. */
export type WithDatabase = <T>(task: (database: Selecting) => Promise<T>) => Promise<T>;

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
  const busy = new Map<number, Promise<unknown>>();
  const judge = async (
    project: number,
    segments: readonly FileFacts[],
    files: readonly FileFacts[],
    run: WithDatabase,
  ): Promise<Verdicts> => {
    for (const pairs of pairsToFind(facts, segments, files)) await find(local, project, pairs, run, facts);
    forgetOldest(facts);
    return verdictsOf(facts, segments, files);
  };
  return {
    // One at a time for a project: what is being found out must not be taken for known, nor found out twice.
    of(project, segments, files, run) {
      if (segments.length === 0) return Promise.resolve(new Map());
      const result = (busy.get(project) ?? Promise.resolve()).then(() => judge(project, segments, files, run));
      const settled: Promise<unknown> = result.catch(() => undefined).then(() => busy.get(project) === settled && busy.delete(project));
      busy.set(project, settled);
      return result;
    },
  };
};

/** Every segment of the one list is to be held against the files of the other. */
interface Pairs {
  readonly segments: readonly FileFacts[];
  readonly others: readonly FileFacts[];
  /** Keys of those among `others` that are waiting segments themselves. */
  readonly waiting: ReadonlySet<string>;
}

/** New segments against everything, and known segments against files that are new; what cannot share an identity is left out. */
const pairsToFind = (facts: Facts, segments: readonly FileFacts[], files: readonly FileFacts[]): readonly Pairs[] => {
  const fresh = segments.filter(({ key }) => !facts.has(key));
  const known = segments.filter(({ key }) => facts.has(key));
  const waiting = new Set(segments.map(({ key }) => key));
  const unseen = (segment: FileFacts, file: FileFacts): boolean => !facts.get(segment.key)?.has(file.key) && mayShare(segment, file);
  const newFiles = files.filter((file) => known.some((segment) => unseen(segment, file)));
  const behind = known.filter((segment) => newFiles.some((file) => unseen(segment, file)));
  const others = [...segments, ...files].filter((other) => fresh.some((segment) => segment !== other && mayShare(segment, other)));
  for (const { key } of fresh) facts.set(key, new Map());
  return [
    { segments: fresh, others, waiting },
    { segments: behind, others: newFiles, waiting: new Set<string>() },
  ].filter((pairs) => pairs.segments.length > 0 && pairs.others.length > 0);
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
  try {
    const found = await matches(local, project, pairs, run).catch((thrown: unknown) => {
      if (!(thrown instanceof IncompleteFile)) throw thrown;
      return matches(wholeFiles(local), project, pairs, run);
    });
    const files = pairs.others.filter(({ key }) => !pairs.waiting.has(key));
    for (const segment of pairs.segments) for (const file of files) facts.get(segment.key)?.set(file.key, []);
    for (const { segment, other, rows } of found) facts.get(segment)?.set(other, rows);
  } catch (thrown) {
    // What was not found out must not be taken for known.
    for (const { key } of pairs.segments) facts.delete(key);
    throw thrown;
  }
};

const matches = async (local: LocalFiles, project: number, pairs: Pairs, run: WithDatabase): Promise<readonly Match[]> => {
  const meeting = await hashesMeet(local, project, pairs, run);
  return meeting.places.length === 0 ? [] : compare(local, project, pairs, meeting, run);
};

/** Whatever columns are wanted, files are fetched whole. */
const wholeFiles = (local: LocalFiles): LocalFiles => ({
  ...local,
  hold: (project, wanted) =>
    local.hold(
      project,
      wanted.map((one) => ({ ...one, columns: "all" as const })),
    ),
});

/** Where hashes meet: pairs of files by place in the two lists, and the hashes when they are few enough to be named. */
interface Meeting {
  readonly places: readonly (readonly [number, number])[];
  readonly identities: readonly bigint[] | null;
}

/** Up to this many hashes are named when rows are compared, so that only their rows are decoded. */
const MAX_NAMED = 2_000;

const hashesMeet = async (local: LocalFiles, project: number, pairs: Pairs, run: WithDatabase): Promise<Meeting> => {
  const { segments, others } = pairs;
  const files = distinct([...segments, ...others]);
  const held = await local.hold(
    project,
    files.map((file) => ({ ...file, columns: ["identity"] })),
  );
  const number = new Map(files.map(({ key }, at) => [key, at]));
  const numbers = (list: readonly FileFacts[]): string => `[${list.map(({ key }) => number.get(key) ?? -1).join(", ")}]`;
  const relation = (list: readonly FileFacts[]): string =>
    `(SELECT identity, file_index::BIGINT AS file FROM ${readParquet(list.map(({ key }) => held.path(key)))})`;
  const sql = `
    SELECT s.file, o.file, CASE WHEN count(*) <= ${MAX_NAMED} THEN list(identity) END
    FROM ${relation(segments)} s JOIN ${relation(others)} o USING (identity)
    WHERE ${numbers(segments)}[s.file + 1] <> ${numbers(others)}[o.file + 1]
    GROUP BY 1, 2`;
  const places: [number, number][] = [];
  const identities = new Set<bigint>();
  let named = true;
  try {
    await run((database) =>
      database.select(sql, [], FIND_MS, (rows) => {
        for (const [s, o, found] of rows) {
          places.push([Number(s), Number(o)]);
          if (typeof found === "object" && found !== null && "items" in found)
            for (const item of found.items) identities.add(BigInt(String(item)));
          else named = false;
        }
        return "more";
      }),
    );
  } finally {
    held.release();
  }
  return { places, identities: named && identities.size <= MAX_NAMED ? [...identities] : null };
};

interface Match {
  readonly segment: string;
  /** The key of the file, or `asSegment` of the other segment. */
  readonly other: string;
  readonly rows: readonly number[];
}

/** The rows with one identity in two files, as the row that is a duplicate: a segment's when the other is a file, else the later one's. */
const compare = async (
  local: LocalFiles,
  project: number,
  pairs: Pairs,
  meeting: Meeting,
  run: WithDatabase,
): Promise<readonly Match[]> => {
  const segments = pick(pairs.segments, new Set(meeting.places.map(([s]) => s)));
  const others = pick(pairs.others, new Set(meeting.places.map(([, o]) => o)));
  const files = distinct([...segments, ...others]);
  const held = await local.hold(
    project,
    files.map((file) => ({ ...file, columns: EXACT })),
  );
  // Which are segments, and how keys order, is known here and not in the files: both travel as small lists.
  const order = new Map(
    files
      .map(({ key }) => key)
      .sort()
      .map((key, at) => [key, at]),
  );
  const ranks = (list: readonly FileFacts[]): string => `[${list.map(({ key }) => order.get(key) ?? 0).join(", ")}]`;
  const isFile = `[${others.map(({ key }) => !pairs.waiting.has(key)).join(", ")}]`;
  const named = meeting.identities === null ? "" : ` WHERE identity IN (${meeting.identities.join(", ")})`;
  const columns = EXACT.map((column) => `"${column}"`).join(", ");
  const relation = (list: readonly FileFacts[]): string =>
    `(SELECT ${columns}, file_index::BIGINT AS file, file_row_number AS row FROM ${readParquet(list.map(({ key }) => held.path(key)))}${named})`;
  const sql = `
    SELECT s.file, o.file, s.row, o.row,
      ${isFile}[o.file + 1] OR (o.created_at, o.request, o."index", ${ranks(others)}[o.file + 1])
        < (s.created_at, s.request, s."index", ${ranks(segments)}[s.file + 1])
    FROM ${relation(segments)} s JOIN ${relation(others)} o
      ON s.identity = o.identity AND s.uuid = o.uuid AND s.event = o.event AND s.distinct_id = o.distinct_id
      AND ${utcDay("s.timestamp")} = ${utcDay("o.timestamp")}
    WHERE ${ranks(segments)}[s.file + 1] <> ${ranks(others)}[o.file + 1]`;
  const found = new Map<string, Map<string, number[]>>();
  const add = (segment: string, other: string, row: Native): void => {
    const byOther = found.get(segment) ?? new Map<string, number[]>();
    found.set(segment, byOther);
    const rows = byOther.get(other) ?? [];
    byOther.set(other, rows);
    rows.push(Number(row));
  };
  try {
    await run((database) =>
      database.select(sql, [], FIND_MS, (batch) => {
        for (const [s, o, row, otherRow, otherFirst] of batch) {
          const segment = segments[Number(s)]?.key ?? "";
          const other = others[Number(o)]?.key ?? "";
          if (otherFirst === true) add(segment, pairs.waiting.has(other) ? asSegment(other) : other, row ?? null);
          else add(other, asSegment(segment), otherRow ?? null);
        }
        return "more";
      }),
    );
  } finally {
    held.release();
  }
  return [...found].flatMap(([segment, byOther]) => [...byOther].map(([other, rows]) => ({ segment, other, rows })));
};

const pick = (files: readonly FileFacts[], places: ReadonlySet<number>): FileFacts[] => files.filter((_, at) => places.has(at));

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
