import type { EarnedColumn } from "../event/earned-properties.ts";
import { RARE_COLUMNS, type RareFacts } from "../event/event.ts";
import type { RareSet } from "../event/hot-properties.ts";
import { QUARTER_HOUR } from "../event/quarter-hours.ts";
import type { StateScan } from "../hogql/lowered-query.ts";
import type { FileFacts, StateFile } from "../lake/catalogue.ts";
import type { OverlayKind } from "../lake/state-overlay.ts";

/** What the files of a pinned state hold, as any engine has to know it that reads them. */

/** Where the values of a set of rare columns are: in columns of their own, nowhere, or only in the JSON. */
type RarePlace = "columns" | "none" | "json";

/** Where the values of a file's rare columns are, by their sets. */
export type RarePlaces = Readonly<Record<RareSet, RarePlace>>;

export const rarePlaces = ({ rare, exceptions }: Partial<RareFacts>): RarePlaces => ({
  rare: rarePlace(rare),
  exceptions: rarePlace(exceptions),
});

const rarePlace = (has: boolean | undefined): RarePlace => (has === undefined ? "json" : has ? "columns" : "none");

/** What is read of events: columns of theirs, and properties that have earned one. */
export interface EventRead {
  readonly columns: readonly string[];
  readonly earned?: readonly EarnedColumn[] | undefined;
}

/** Where a file has what is read of it. */
export interface ReadPlaces extends RarePlaces {
  /** The earned columns, of those that are read, that it has: the others are in its JSON. */
  readonly earned: readonly string[];
  /** Whether it has the column of quarters of an hour: else the times stand for them. */
  readonly quarterHours: boolean;
}

/** The places of files that are read alike: only what is read tells files apart. */
export const alikePlaces = ({ columns, earned = [] }: EventRead, file: FileFacts): ReadPlaces => {
  const sets = new Set(columns.map((column) => RARE_COLUMNS.get(column)?.set));
  const places = rarePlaces(file);
  return {
    rare: sets.has("rare") ? places.rare : "columns",
    exceptions: sets.has("exceptions") ? places.exceptions : "columns",
    earned: earnedIn(earned, file),
    quarterHours: columns.includes(QUARTER_HOUR) && file.quarterHours === true,
  };
};

/** The columns, of these of earned properties, that a file has. */
const earnedIn = (earned: readonly EarnedColumn[], file: Pick<FileFacts, "earned">): readonly string[] =>
  earned.map(({ column }) => column).filter((column) => file.earned?.includes(column));

/** The columns to have of a file, for what is to be read of it. */
export const storedColumns = (read: EventRead, places: ReadPlaces): readonly string[] => {
  const stored = new Set<string>();
  for (const column of read.columns) {
    if (column === QUARTER_HOUR) {
      stored.add(places.quarterHours ? column : "timestamp");
      continue;
    }
    const rare = RARE_COLUMNS.get(column);
    const place = rare === undefined ? "columns" : places[rare.set];
    if (place !== "none") stored.add(place === "json" ? "properties" : column);
  }
  for (const { column } of read.earned ?? []) stored.add(places.earned.includes(column) ? column : "properties");
  return [...stored];
};

/** Whether some properties in a file may hold whole numbers beyond 64 bits. Files of the version before do not say. */
export const mayHoldBigIntegers = ({ bigIntegers }: Pick<FileFacts, "bigIntegers">): boolean => bigIntegers !== false;

/** Files of one kind of the state that are read alike. */
export interface AlikeStateFiles {
  readonly files: readonly StateFile[];
  readonly layer: number;
  /** Files of higher layers: whatever has a row there has none in these. */
  readonly above: readonly StateFile[];
  /** The columns of earned properties, of those that are read, that they have: the others are in their JSON. */
  readonly earned: readonly string[];
}

/** The files of a kind by their layers, and those of a layer by what they have of these columns; the lowest layer first. */
export const alikeStateFiles = (files: readonly StateFile[], earned: readonly EarnedColumn[]): readonly AlikeStateFiles[] => {
  const layers = [...Map.groupBy(files, ({ layer = 0 }) => layer)].sort(([a], [b]) => a - b);
  return layers.flatMap(([layer, own]) => {
    const above = files.filter((file) => (file.layer ?? 0) > layer);
    const alike = Map.groupBy(own, (file) => earnedIn(earned, file).join());
    return [...alike].map(([names, some]) => ({ files: some, layer, above, earned: names === "" ? [] : names.split(",") }));
  });
};

/** The state's own names of what queries scan. */
export const STATE_KINDS = { persons: "persons", person_distinct_ids: "distinctIds", groups: "groups" } as const satisfies Record<
  StateScan["kind"],
  OverlayKind
>;

/** The columns that identify a row of a kind. */
export const STATE_KEYS: Readonly<Record<StateScan["kind"], readonly string[]>> = {
  persons: ["person_id"],
  person_distinct_ids: ["distinct_id"],
  groups: ["index", "key"],
};
