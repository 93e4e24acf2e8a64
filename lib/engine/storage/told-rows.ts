import { type FileFacts, MAX_BOUND } from "../../lake/catalogue.ts";
import { GROUP_IDENTIFY } from "../../lake/group-types.ts";
import type { RowFiles, RowMatch, TellingRow } from "../../lake/row-files.ts";
import type { Databases } from "../duckdb/databases.ts";
import { literal } from "../duckdb/duckdb.ts";
import type { Native } from "../native.ts";
import { hexText, readParquet } from "../query/scans/scan-sql.ts";
import type { LocalFiles } from "./local-files.ts";
import { STATEMENT_MS } from "./merge-pieces.ts";
import { openRelation } from "./relation.ts";
import { personMode } from "./source-usage.ts";

interface Parts {
  readonly local: LocalFiles;
  readonly databases: Databases;
}

/** `RowFiles.matching` and `RowFiles.tell` over Parquet: the engine finds the rows, of columns that are sorted or short. */
export const toldRows = ({ local, databases }: Parts): Pick<RowFiles, "matching" | "tell"> => ({
  async matching(project, files, match) {
    const found = new Map<string, number[]>();
    const condition = matchCondition(match);
    const some = files.filter((file) => mayMatch(file, match));
    if (condition === null || some.length === 0) return found;
    const held = await local.hold(
      project,
      some.map((file) => ({ ...file, columns: matchColumns(match) })),
    );
    try {
      const from = readParquet(some.map(({ key }) => held.path(key)));
      const sql = `SELECT file_index::BIGINT, file_row_number::BIGINT FROM ${from} WHERE ${condition}`;
      await databases.use(project, (database) =>
        database.select(sql, [], STATEMENT_MS, (rows) => {
          for (const [file, place] of rows) {
            const key = some[Number(file)]?.key ?? "";
            const places = found.get(key);
            if (places) places.push(Number(place));
            else found.set(key, [Number(place)]);
          }
          return "more";
        }),
      );
    } finally {
      held.release();
    }
    for (const places of found.values()) places.sort((a, b) => a - b);
    return found;
  },

  async tell(project, sources, match, { properties }, take) {
    const condition = matchCondition(match);
    const some = sources.filter(({ file, skip }) => skip.length < file.rows && mayMatch(file, match));
    if (condition === null || some.length === 0) return;
    const columns = [...TOLD, "properties"];
    const held = await local.hold(
      project,
      some.map(({ file }) => ({ ...file, columns: [...columns, ...matchColumns(match)] })),
    );
    try {
      const relation = await openRelation(local, project, some, held, columns, condition);
      try {
        const list = [...TOLD.map((column) => `"${column}"`), properties ? "properties" : `CASE WHEN ${IS_GROUP_EVENT} THEN properties ELSE '{}' END`];
        const sql = `SELECT ${list.join(", ")} FROM (${relation.selects.join(" UNION ALL ")})`;
        await databases.use(project, (database) =>
          database.select(sql, [], STATEMENT_MS, (rows) => {
            take(rows.map(tellingRow));
            return "more";
          }),
        );
      } finally {
        relation.release();
      }
    } finally {
      held.release();
    }
  },
});

const TOLD = ["event", "distinct_id", "timestamp", "index", "uuid", "person_mode"] as const;

const IS_GROUP_EVENT = `event IN (${[...GROUP_IDENTIFY].map(literal).join(", ")})`;

/** What must hold of a row; null where none is meant. */
const matchCondition = ({ ids = [], erased, imports = [], groupEvents }: RowMatch): string | null => {
  const any = [
    ...(ids.length > 0 ? [`distinct_id IN (${ids.map(hexText).join(", ")})`] : []),
    ...(erased && erased.digests.length > 0
      ? [`left(sha256(${hexText(erased.salt)} || distinct_id), ${erased.digests[0]?.length ?? 0}) IN (${erased.digests.map(hexText).join(", ")})`]
      : []),
    ...(imports.length > 0 ? [`left(request, ${imports[0]?.length ?? 0}) IN (${imports.map(hexText).join(", ")})`] : []),
    ...(groupEvents ? [IS_GROUP_EVENT] : []),
  ];
  return any.length === 0 ? null : `(${any.join(" OR ")})`;
};

const matchColumns = ({ ids = [], erased, imports = [], groupEvents }: RowMatch): readonly string[] => [
  ...(ids.length > 0 || erased ? ["distinct_id"] : []),
  ...(imports.length > 0 ? ["request"] : []),
  ...(groupEvents ? ["event"] : []),
];

/** Whether a row of a file can match, by what its facts say. */
const mayMatch = ({ ids: [least, most], events }: FileFacts, { ids = [], erased, imports = [], groupEvents }: RowMatch): boolean => {
  if (erased !== undefined || imports.length > 0) return true;
  if (groupEvents && (events === null || events.some((name) => GROUP_IDENTIFY.has(name)))) return true;
  return ids.some((id) => {
    const cut = id.slice(0, MAX_BOUND);
    return least <= cut && cut <= most;
  });
};

const tellingRow = ([event, id, time, index, uuid, mode, properties]: readonly Native[]): TellingRow => ({
  event: String(event),
  distinct_id: String(id),
  timestamp: typeof time === "object" && time !== null && "micros" in time ? time.micros : 0n,
  index: Number(index),
  uuid: String(uuid),
  person_mode: personMode(mode ?? null),
  properties: String(properties),
});
