import { exactJson } from "../../core/exact-json.ts";
import { Defect } from "../../core/unreachable.ts";
import { derivePersonId } from "../../event/identity.ts";
import { ENTRY_KINDS } from "../catalogue.ts";
import type { Column } from "../parquet/parquet-pages.ts";
import { parquetFile, readParquet, type Value } from "../parquet.ts";
import type { At, Deltas, GroupOp, IdSighting, PersonOp } from "./deltas.ts";

/** Version of these files, kept in their metadata. */
const DELTA_FILE_FORMAT = 1;

/** One row per entry: queries read the sightings as columns, and only what changes somebody as objects. */
export interface Entry {
  readonly kind: number;
  /** Of a group its key. */
  readonly id: string;
  readonly at: At;
  readonly last: bigint;
  readonly body: string | null;
}

/** A Parquet file of deltas. `at` of a sighting is the first one. */
export const encodeDeltaFile = async (project: number, { seen, persons, groups }: Deltas): Promise<Uint8Array> => {
  const entries: readonly Entry[] = [
    ...seen.map(({ id, first, last }): Entry => ({ kind: ENTRY_KINDS.seen, id, at: first, last, body: null })),
    ...persons.map((op): Entry => ({ kind: ENTRY_KINDS.person, id: op.id, at: op.at, last: op.at.time, body: personBody(op) })),
    ...groups.map((op): Entry => ({ kind: ENTRY_KINDS.group, id: op.key, at: op.at, last: op.at.time, body: groupBody(op) })),
  ];
  const file = await parquetFile(entryColumns(project, entries), entries.length, { v: String(DELTA_FILE_FORMAT) });
  return file.content;
};

const entryColumns = (project: number, entries: readonly Entry[]): readonly Column[] => {
  const last = new BigInt64Array(entries.length);
  const time = new BigInt64Array(entries.length);
  for (const [place, entry] of entries.entries()) {
    last[place] = entry.last;
    time[place] = entry.at.time;
  }
  return [
    { name: "kind", kind: "int32", values: Int32Array.from(entries, ({ kind }) => kind) },
    { name: "distinct_id", kind: "utf8", values: entries.map(({ id }) => id), nullable: false, repeats: false },
    {
      name: "person_id",
      kind: "uuid",
      values: entries.map(({ kind, id }) => (kind === ENTRY_KINDS.group ? NOBODY : derivePersonId(project, id))),
      repeats: false,
    },
    { name: "time", kind: "timestamp", values: time },
    { name: "index", kind: "int32", values: Int32Array.from(entries, ({ at }) => at.index) },
    { name: "uuid", kind: "utf8", values: entries.map(({ at }) => at.uuid), nullable: false, repeats: false },
    { name: "last", kind: "timestamp", values: last },
    { name: "body", kind: "utf8", values: entries.map(({ body }) => body), nullable: true, repeats: false },
  ];
};

const NOBODY = "00000000-0000-0000-0000-000000000000";

type PersonBody = readonly [PersonOp["merge"], PersonOp["set"], PersonOp["setOnce"], PersonOp["unset"]];
type GroupBody = readonly [slot: number, set: GroupOp["set"]];

const personBody = ({ merge, set, setOnce, unset }: PersonOp): string => JSON.stringify([merge, set, setOnce, unset] satisfies PersonBody);
const groupBody = ({ slot, set }: GroupOp): string => JSON.stringify([slot, set] satisfies GroupBody);

/** The deltas of a file that `encodeDeltaFile` wrote. */
export const decodeDeltaFile = async (bytes: Uint8Array): Promise<Deltas> => {
  const rows = await readParquet(bytes, ["kind", "distinct_id", "time", "index", "uuid", "last", "body"]);
  return deltasOfEntries(rows.map(readEntry));
};

/** Entries in any order. */
export const deltasOfEntries = (entries: Iterable<Entry>): Deltas => {
  const seen: IdSighting[] = [];
  const persons: PersonOp[] = [];
  const groups: GroupOp[] = [];
  for (const { kind, id, at, last, body } of entries) {
    if (kind === ENTRY_KINDS.seen) seen.push({ id, first: at, last });
    else if (kind === ENTRY_KINDS.person) {
      const [merge, set, setOnce, unset] = parsePerson(body);
      persons.push({ at, id, merge, set, setOnce, unset });
    } else {
      const [slot, set] = parseGroup(body);
      groups.push({ at, slot, key: id, set });
    }
  }
  return { seen, persons, groups };
};

/** Only `personBody` and `groupBody` write these texts. */
const parsePerson = (body: string | null): PersonBody => exactJson(body ?? "") as PersonBody;
const parseGroup = (body: string | null): GroupBody => exactJson(body ?? "") as GroupBody;

const readEntry = ({ kind, distinct_id, time, index, uuid, last, body }: Readonly<Record<string, Value>>): Entry => {
  if (typeof distinct_id !== "string" || typeof time !== "bigint" || typeof last !== "bigint" || typeof uuid !== "string")
    throw new Defect("a file of deltas has other columns than this version writes");
  return {
    kind: Number(kind),
    id: distinct_id,
    at: { time, index: Number(index), uuid },
    last,
    body: typeof body === "string" ? body : null,
  };
};
