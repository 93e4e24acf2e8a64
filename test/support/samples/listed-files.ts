import type { SharedRows } from "../../../lib/engine/storage/compared-pairs.ts";
import type { CompareRows } from "../../../lib/engine/storage/duplicates.ts";
import type { FileFacts } from "../../../lib/lake/catalogue.ts";

/** A file whose rows are numbers: two rows are copies when the numbers are equal, and of two waiting ones the lesser key's stays. */
export interface Listed {
  readonly facts: FileFacts;
  readonly rows: readonly number[];
}

export const listed = (key: string, given: ReadonlySet<number>): Listed => {
  const rows = [...given].sort((a, b) => a - b);
  const ids = rows.map(idOf).sort();
  const days = rows.map(dayOf).sort((a, b) => a - b);
  const events = [...new Set(rows.map(eventOf))].sort();
  const facts: FileFacts = {
    key,
    bytes: 1,
    rows: rows.length,
    days: [days[0] ?? 0, days.at(-1) ?? 0],
    times: ["0", "0"],
    ids: [ids[0] ?? "", ids.at(-1) ?? ""],
    events,
    usage: {},
    footerBytes: 0,
  };
  return { facts, rows };
};

/** What the catalogue says of a row: a third of the rows is on each day, and so on. */
const dayOf = (row: number): number => row % 3;
const eventOf = (row: number): string => `event-${row % 4}`;
const idOf = (row: number): string => `id-${row % 5}`;

/** What has to be found, from nothing but the lists. */
export const expected = (segments: readonly Listed[], files: readonly Listed[]): ReadonlyMap<string, readonly number[]> => {
  const inFiles = new Set(files.flatMap(({ rows }) => rows));
  const duplicates = new Map<string, readonly number[]>();
  for (const { facts, rows } of segments) {
    const earlier = new Set(segments.filter((other) => other.facts.key < facts.key).flatMap((other) => other.rows));
    const places = rows.flatMap((row, at) => (inFiles.has(row) || earlier.has(row) ? [at] : []));
    if (places.length > 0) duplicates.set(facts.key, places);
  }
  return duplicates;
};

/** Compares the lists, notes what it compared, and fails when it is told to. */
export const comparing = (all: readonly Listed[], fails: () => boolean) => {
  const rowsOf = new Map(all.map(({ facts, rows }) => [facts.key, rows]));
  const compared = new Map<string, number>();
  const compare: CompareRows = async (_project, { segments, others }) => {
    await Promise.resolve();
    if (fails()) throw new Error("a file cannot be read");
    const shared: SharedRows[] = [];
    for (const { key } of segments) {
      for (const { file, waiting } of others) {
        if (file.key === key) continue;
        const pair = [key, file.key].sort().join(" ");
        compared.set(pair, (compared.get(pair) ?? 0) + 1);
        const [segment, other] = waiting && key < file.key ? [file.key, key] : [key, file.key];
        const theirs = new Set(rowsOf.get(other));
        const rows = (rowsOf.get(segment) ?? []).flatMap((row, at) => (theirs.has(row) ? [at] : []));
        if (rows.length > 0) shared.push({ segment, other, waiting, rows });
      }
    }
    return shared;
  };
  return { compare, compared };
};

export const factsOf = (listed: readonly Listed[]): readonly FileFacts[] => listed.map(({ facts }) => facts);
