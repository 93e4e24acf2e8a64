import { alikePlaces, type EventRead, mayHoldBigIntegers, type ReadPlaces, storedColumns } from "../../engine/pinned-files.ts";
import type { EarnedColumn } from "../../event/earned-properties.ts";
import { type EventColumn, RARE_COLUMNS } from "../../event/event.ts";
import type { HotProperty } from "../../event/hot-properties.ts";
import { RECORDINGS } from "../../event/recordings.ts";
import type { PinnedState } from "../../lake/catalogue.ts";
import { parquetFile } from "../../lake/parquet.ts";
import { type EventRange, planEvents } from "../../lake/pin.ts";
import { seenSources } from "../../lake/removals.ts";
import type { RowFiles, RowSource } from "../../lake/row-files.ts";
import { countsRecordings } from "../../usage/day-counts.ts";
import { quoteName, quoteText } from "../sql/quote.ts";
import { unmarked } from "../sql/readable-json.ts";
import { EVENT_TYPES, emptyRelation, pickTypes } from "./columns.ts";
import { earnedTypes, ownOrEarned, textFromJson } from "./earned-column.ts";
import { type ColumnTypes, fileName, type LakeReader, readFiles, withReadableJson } from "./lake-files.ts";
import { type Relation, unionAll } from "./relation.ts";
import type { StateRelations } from "./state-relation.ts";
import type { PutWaiting } from "./waiting-objects.ts";

export interface EventParts {
  readonly reader: LakeReader;
  readonly seen: Pick<RowFiles, "duplicates" | "matching">;
  readonly state: StateRelations;
  readonly putWaiting: PutWaiting;
}

/** Up to this many rows that are left out stand in a query's text; more are put in an object beside the files. */
const MOST_LISTED = 1_000;

/** Events of the pinned state, of all files that may hold rows of a range: without duplicates, with the persons that they belong to now. */
export const eventRelation = async (parts: EventParts, pinned: PinnedState, asked: EventColumns, range: EventRange): Promise<Relation> => {
  const { project } = pinned;
  const { columns, earned = [] } = asked;
  const plan = planEvents(pinned, range);
  const seen = await seenSources(parts.seen, project, plan, pinned.removals);
  const sources = seen.filter(({ file, skip }) => skip.length < file.rows);
  if (sources.length === 0) return { sql: emptyRelation(readTypes(columns, earned)), counts: [] };
  const identities = columns.includes("person_id") ? await parts.state.identities(pinned) : null;
  const read = identities === null ? asked : { columns: [...new Set<EventColumn>([...columns, "distinct_id"])], earned };
  const skipped = await skippedRows(parts, project, sources);
  const mayShow = range.events === null || range.events.some((name) => RECORDINGS.includes(name));
  const kinds = Map.groupBy(sources, ({ file, skip }) => {
    const places = alikePlaces(read, file);
    const kind: Kind = {
      places,
      bigIntegers: mayHoldBigIntegers(file) && storedColumns(read, places).includes("properties"),
      isDirty: skip.length > 0,
      countsRecordings: mayShow && countsRecordings(file),
    };
    return JSON.stringify(kind);
  });
  const relations = [...kinds].map(([kind, some]) => readAlike(parts.reader, JSON.parse(kind), some, read, skipped));
  const rows = unionAll(relations.map(({ sql }) => sql));
  const counts = relations.flatMap((relation) => relation.counts);
  if (identities === null) return { sql: rows, counts };
  const listed = [...columns, ...earned.map(({ column }) => column)];
  return { sql: withPersons(rows, listed, identities.sql), counts: [...counts, ...identities.counts] };
};

/** What decides how a source is read. */
interface Kind {
  readonly places: ReadPlaces;
  /** Whether properties are read that may hold whole numbers beyond 64 bits. */
  readonly bigIntegers: boolean;
  readonly isDirty: boolean;
  readonly countsRecordings: boolean;
}

const readAlike = (
  reader: LakeReader,
  { places, bigIntegers, isDirty, countsRecordings: counting }: Kind,
  sources: readonly RowSource[],
  read: EventColumns,
  skipped: string,
): Relation => {
  const keys = sources.map(({ file }) => file.key);
  const stored = [...storedColumns(read, places), ...(counting ? ["event"] : [])];
  if (stored.length === 0) stored.push(CHEAPEST);
  const skips = isDirty ? [`NOT ((_file, _row_number) IN ${skipped})`] : [];
  const conditions = [...skips, ...(counting ? [NO_RECORDING] : [])];
  const there = read.earned?.filter(({ column }) => places.earned.includes(column)) ?? [];
  const from = readFiles(reader, keys, readTypes(new Set(stored.filter((column) => !places.earned.includes(column))), there));
  const list = eventList(read, places);
  const rows = from.map((files) => `${files}${where(conditions)}`);
  return {
    sql: unionAll(rows.map((some) => `SELECT ${list} FROM ${bigIntegers ? withReadableJson(some) : some}`)),
    counts: [
      {
        from: from.map((files) => `${files}${where(skips)}`),
        rows: sources.reduce((sum, { file, skip }) => sum + file.rows - skip.length, 0),
      },
    ],
  };
};

/** What is read of files that have none of the columns: their rows count all the same. */
const CHEAPEST = "person_mode";

const where = (conditions: readonly string[]): string => (conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`);

/** Rows that count recorded sessions are no events of anybody. */
const NO_RECORDING = `event NOT IN (${RECORDINGS.map(quoteText).join(", ")})`;

/** The rows to be left out, by the names of their files, which are unique, and their places: what stands behind IN. */
const skippedRows = async ({ reader, putWaiting }: EventParts, project: number, sources: readonly RowSource[]): Promise<string> => {
  const rows = sources.flatMap(({ file, skip }) => skip.map((row) => [fileName(file.key), row] as const));
  if (rows.length <= MOST_LISTED) return `(${rows.map(([file, row]) => `(${quoteText(file)}, ${row})`).join(", ")})`;
  const { content } = await parquetFile(
    [
      { name: "file", kind: "utf8", values: rows.map(([file]) => file), nullable: false, repeats: true },
      { name: "row", kind: "int64", values: BigInt64Array.from(rows, ([, row]) => BigInt(row)) },
    ],
    rows.length,
    {},
  );
  const from = readFiles(reader, [await putWaiting(project, content)], SKIPPED);
  return `(SELECT file, row FROM ${from.join()})`;
};

const SKIPPED: ColumnTypes = new Map([
  ["file", "String"],
  ["row", "Int64"],
]);

/** What is read of events: columns of theirs by their names, and columns of earned properties. */
interface EventColumns extends EventRead {
  readonly columns: readonly EventColumn[];
}

const readTypes = (columns: Iterable<string>, earned: readonly EarnedColumn[]): ColumnTypes =>
  new Map([...pickTypes(EVENT_TYPES, columns), ...earnedTypes(earned)]);

/** The select list over files that have what is read at these places. */
const eventList = ({ columns, earned = [] }: EventColumns, places: ReadPlaces): string =>
  [...columns.map((column) => ownOrRare(column, places)), ...earned.map((column) => ownOrEarned(column, places.earned))].join(", ");

const ownOrRare = (column: EventColumn, places: ReadPlaces): string => {
  const hot = RARE_COLUMNS.get(column);
  if (hot === undefined || places[hot.set] === "columns") return quoteName(column);
  const value = places[hot.set] === "json" ? hotFromJson(hot) : `CAST(NULL, ${quoteText(EVENT_TYPES.get(column) ?? "")})`;
  return `${value} AS ${quoteName(column)}`;
};

/** The value that the column of a hot property would hold. */
const hotFromJson = ({ property, type }: HotProperty): string => {
  if (type === "number") return `accurateCastOrNull(${unmarked(`JSONExtractRaw(properties, ${quoteText(property)})`)}, 'Float64')`;
  return textFromJson(quoteText(property));
};

/** Events with the person that the identity map gives for their distinct_id; most ids are their own person and not in it. */
const withPersons = (rows: string, columns: readonly string[], map: string): string => {
  const list = columns.map((column) =>
    column === "person_id"
      ? "if(m.person_id IS NULL, e.person_id, assumeNotNull(m.person_id)) AS person_id"
      : `e.${quoteName(column)} AS ${quoteName(column)}`,
  );
  return `SELECT ${list.join(", ")} FROM (${rows}) AS e LEFT ANY JOIN (${map}) AS m ON m.distinct_id = e.distinct_id`;
};
