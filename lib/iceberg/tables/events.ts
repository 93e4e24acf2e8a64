import { DAY_MS } from "../../core/time.ts";
import { EVENT_COLUMNS, RARE_COLUMNS } from "../../event/event.ts";
import { EVENT_FIELD_IDS } from "../../event/field-ids.ts";
import { type FileFacts, MAX_BOUND_LENGTH, STATE_ENTRY } from "../../lake/catalogue.ts";
import { gatheredFiles } from "../../lake/gathered-files.ts";
import { skippedPlaces } from "../../lake/skipped-rows.ts";
import { DAY_FIELD } from "../avro/schemas.ts";
import { type Bounds, textBounds, timeBounds } from "../bounds.ts";
import { EVENT_FIELDS, QUARTER_HOUR_FIELD } from "../columns.ts";
import type { PartitionSpec } from "../metadata.ts";
import { writeDeletes } from "./deletes.ts";
import { type ColumnFacts, dataFile, earnedOf } from "./file-entry.ts";
import { type PublishedTable, WHOLE_SPEC } from "./tables.ts";

/**
 * Files of one day. Small days are put together in files of several, which lie in no day; that a table has files of several specs is
 * part of the format, and they are told apart by their bounds of time alone. So are those of days that are in no engine's calendar.
 */
const DAY_SPEC: PartitionSpec = {
  "spec-id": 1,
  fields: [{ name: DAY_FIELD.name, transform: "day", "source-id": EVENT_FIELD_IDS.timestamp, "field-id": DAY_FIELD.id }],
};

/** The gathered events: compacted and loose files, which hold no duplicates among them. */
export const eventsTable: PublishedTable = {
  name: "events",
  fields: EVENT_FIELDS,
  unlisted: [QUARTER_HOUR_FIELD],
  specs: [WHOLE_SPEC, DAY_SPEC],
  groups: ({ manifests }) =>
    Object.entries(manifests)
      .filter(([entry]) => entry !== STATE_ENTRY)
      .map(([entry, version]) => ({ entry, version })),
  async files(parts, project, { entry, version }) {
    const files = await gatheredFiles(parts.objects, project, entry, version);
    if (files === undefined) return undefined;
    const rows = files.map((file) => eventFile(parts.objects.uri(file.key), file));
    const skipped = files.filter(({ skip }) => skip !== undefined).map((file) => [file, skippedPlaces(file)] as const);
    const deletes = skipped.length === 0 ? [] : [await writeDeletes(parts, project, "events", new Map(skipped))];
    return { files: [...rows, ...deletes], columns: earnedOf(files) };
  },
};

const eventFile = (path: string, file: FileFacts) =>
  dataFile({
    path,
    bytes: file.bytes,
    rows: file.rows,
    ...(isOneDay(file) && { day: file.days[0] }),
    columns: EVENT_COLUMNS.map(({ name, kind }): ColumnFacts => {
      const nulls = knownNulls(file, name, kind === "optional" || kind === "number");
      const bounds = knownBounds(file, name);
      return { id: EVENT_FIELD_IDS[name], ...(nulls !== undefined && { nulls }), ...(bounds && { bounds }) };
    }),
  });

const isOneDay = ({ days: [first, last] }: FileFacts): boolean => first === last && first >= FIRST_DAY && first <= LAST_DAY;

/** The days for which ClickHouse, whose calendar is the shortest, finds the day of a time: 1900 to 2299. */
const FIRST_DAY = Date.UTC(1900, 0) / DAY_MS;
const LAST_DAY = Date.UTC(2300, 0) / DAY_MS - 1;

const knownNulls = (file: FileFacts, name: string, isNullable: boolean): number | undefined => {
  if (!isNullable) return 0;
  const rare = RARE_COLUMNS.get(name);
  return rare !== undefined && file[rare.set] !== true ? file.rows : undefined;
};

const knownBounds = ({ times, ids, events }: FileFacts, name: string): Bounds | undefined => {
  if (name === "timestamp") return timeBounds(times);
  if (name === "distinct_id") return textBounds(ids);
  const [least, most] = [events?.[0], events?.at(-1)];
  if (name !== "event" || least === undefined || most === undefined) return undefined;
  return textBounds([least.slice(0, MAX_BOUND_LENGTH), most.slice(0, MAX_BOUND_LENGTH)]);
};
