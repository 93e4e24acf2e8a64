import type { FileFacts } from "../../lake/catalogue.ts";
import { skippedPlaces } from "../../lake/skipped-rows.ts";
import type { Databases } from "../duckdb/databases.ts";
import { readParquet } from "../duckdb/sql-text.ts";
import type { Native, NativeRow } from "../native.ts";
import { IncompleteFile } from "../query/process/engine-errors.ts";
import { utcDay } from "../query/scans/scan-sql.ts";
import type { Candidate, Comparison, SharedRows } from "./compared-pairs.ts";
import type { CompareRows } from "./duplicates.ts";
import type { LocalFiles } from "./local-files.ts";

interface Parts {
  readonly local: Pick<LocalFiles, "hold">;
  readonly databases: Pick<Databases, "use">;
}

/** Compares rows of Parquet files: by their hashes first, and where these meet by what they are. */
export const compareParquet =
  (parts: Parts): CompareRows =>
  (project, comparison) =>
    sharedRows(parts, project, comparison).catch((thrown: unknown) => {
      if (!(thrown instanceof IncompleteFile)) throw thrown;
      return sharedRows({ ...parts, local: wholeFiles(parts.local) }, project, comparison);
    });

const sharedRows = async (parts: Parts, project: number, comparison: Comparison): Promise<readonly SharedRows[]> => {
  const meeting = await hashesMeet(parts, project, comparison);
  return meeting.places.length === 0 ? [] : compare(parts, project, comparison, meeting);
};

/** Whatever columns are wanted, files are fetched whole. */
const wholeFiles = (local: Parts["local"]): Parts["local"] => ({
  hold: (project, wanted) =>
    local.hold(
      project,
      wanted.map((one) => ({ ...one, columns: "all" as const })),
    ),
});

/** Waiting rows are few beside the files: no statement of theirs takes this long unless something is wrong. */
const FIND_MS = 60_000;

/** Runs a statement over files that have these columns, for as long as it takes. */
const selectFrom = async (
  { local, databases }: Parts,
  project: number,
  files: readonly FileFacts[],
  columns: readonly string[],
  statement: (path: (file: FileFacts) => string) => string,
  take: (row: NativeRow) => void,
): Promise<void> => {
  const held = await local.hold(
    project,
    files.map((file) => ({ ...file, columns })),
  );
  try {
    const sql = statement(({ key }) => held.path(key));
    await databases.use(project, (database) =>
      database.select(sql, [], FIND_MS, (rows) => {
        for (const row of rows) take(row);
        return "more";
      }),
    );
  } finally {
    held.release();
  }
};

/** The files of both sides, and the place of each in the order of keys: what the engine is told of them travels as small lists. */
const bothSides = ({ segments, others }: Comparison) => {
  const files = [...new Map([...segments, ...others.map(({ file }) => file)].map((file) => [file.key, file])).values()];
  const order = new Map(
    files
      .map(({ key }) => key)
      .sort()
      .map((key, at) => [key, at]),
  );
  const ranks = (list: readonly FileFacts[]): string => `[${list.map(({ key }) => order.get(key) ?? -1).join(", ")}]`;
  return { files, segmentRanks: ranks(segments), otherRanks: ranks(others.map(({ file }) => file)) };
};

/** Where hashes meet: pairs of files by place in the two lists, and the hashes when they are few enough to be named. */
interface Meeting {
  readonly places: readonly (readonly [number, number])[];
  readonly identities: readonly bigint[] | null;
}

/** Up to this many hashes are named when rows are compared, so that only their rows are decoded. */
const MAX_NAMED = 2_000;

const hashesMeet = async (parts: Parts, project: number, comparison: Comparison): Promise<Meeting> => {
  const { files, segmentRanks, otherRanks } = bothSides(comparison);
  const statement = (path: (file: FileFacts) => string): string => {
    const relation = (list: readonly FileFacts[]): string =>
      `(SELECT identity, file_index::BIGINT AS file FROM ${readParquet(list.map(path))})`;
    return `
      SELECT s.file, o.file, CASE WHEN count(*) <= ${MAX_NAMED} THEN list(identity) END
      FROM ${relation(comparison.segments)} s JOIN ${relation(comparison.others.map(({ file }) => file))} o USING (identity)
      WHERE ${segmentRanks}[s.file + 1] <> ${otherRanks}[o.file + 1]
      GROUP BY 1, 2`;
  };
  const places: [number, number][] = [];
  const identities = new Set<bigint>();
  let named = true;
  await selectFrom(parts, project, files, ["identity"], statement, ([segment, other, found]) => {
    places.push([Number(segment), Number(other)]);
    if (typeof found === "object" && found !== null && "items" in found)
      for (const item of found.items) identities.add(BigInt(String(item)));
    else named = false;
  });
  return { places, identities: named && identities.size <= MAX_NAMED ? [...identities] : null };
};

/** Columns of the exact comparison, fetched only where hashes meet. */
const EXACT = ["identity", "uuid", "event", "distinct_id", "timestamp", "created_at", "request", "index"];

/** The rows with one identity in two files, as the row that does not count: a segment's when the other is a file, else the later one's. */
const compare = async (
  parts: Parts,
  project: number,
  { segments, others }: Comparison,
  meeting: Meeting,
): Promise<readonly SharedRows[]> => {
  const met: Comparison = {
    segments: pick(segments, new Set(meeting.places.map(([segment]) => segment))),
    others: pick(others, new Set(meeting.places.map(([, other]) => other))),
  };
  const { files, segmentRanks, otherRanks } = bothSides(met);
  const isFile = `[${met.others.map(({ waiting }) => !waiting).join(", ")}]`;
  const named = meeting.identities === null ? "" : ` WHERE identity IN (${meeting.identities.join(", ")})`;
  const columns = EXACT.map((column) => `"${column}"`).join(", ");
  const statement = (path: (file: FileFacts) => string): string => {
    const relation = (list: readonly FileFacts[]): string =>
      `(SELECT ${columns}, file_index::BIGINT AS file, file_row_number AS row FROM ${readParquet(list.map(path))}${named})`;
    return `
      SELECT s.file, o.file, s.row, o.row,
        ${isFile}[o.file + 1] OR (o.created_at, o.request, o."index", ${otherRanks}[o.file + 1])
          < (s.created_at, s.request, s."index", ${segmentRanks}[s.file + 1])
      FROM ${relation(met.segments)} s JOIN ${relation(met.others.map(({ file }) => file))} o
        ON s.identity = o.identity AND s.uuid = o.uuid AND s.event = o.event AND s.distinct_id = o.distinct_id
        AND ${utcDay("s.timestamp")} = ${utcDay("o.timestamp")}
      WHERE ${segmentRanks}[s.file + 1] <> ${otherRanks}[o.file + 1]`;
  };
  // A pair of segments that are on both sides is met twice, and told once.
  const mirrored = new Set(met.segments.map(({ key }) => key));
  const shared = new Map<string, Map<string, SharedRows & { readonly rows: number[] }>>();
  const share = (segment: string, other: string, waiting: boolean, row: Native | undefined): void => {
    const ofSegment = shared.get(segment) ?? new Map<string, SharedRows & { readonly rows: number[] }>();
    shared.set(segment, ofSegment);
    const pair = ofSegment.get(other) ?? { segment, other, waiting, rows: [] };
    ofSegment.set(other, pair);
    pair.rows.push(Number(row));
  };
  const skipped = new Map(files.filter(({ skip }) => skip !== undefined).map((file) => [file.key, new Set(skippedPlaces(file))]));
  await selectFrom(parts, project, files, EXACT, statement, ([s, o, row, otherRow, otherFirst]) => {
    const segment = met.segments[Number(s)]?.key ?? "";
    const other = met.others[Number(o)];
    // What is skipped is a copy of nothing.
    if (!other || skipped.get(segment)?.has(Number(row)) || skipped.get(other.file.key)?.has(Number(otherRow))) return;
    if (otherFirst === true) share(segment, other.file.key, other.waiting, row);
    else if (!mirrored.has(other.file.key)) share(other.file.key, segment, true, otherRow);
  });
  return [...shared.values()].flatMap((ofSegment) => [...ofSegment.values()]);
};

const pick = <T extends FileFacts | Candidate>(files: readonly T[], places: ReadonlySet<number>): readonly T[] =>
  files.filter((_, at) => places.has(at));
