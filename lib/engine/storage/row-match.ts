import { type FileFacts, MAX_BOUND_LENGTH } from "../../lake/catalogue.ts";
import { GROUP_IDENTIFY } from "../../lake/group-types.ts";
import type { RowMatch } from "../../lake/row-files.ts";
import { literal } from "../duckdb/sql-text.ts";
import { hexText } from "../query/scans/scan-sql.ts";

export const IS_GROUP_EVENT = `event IN (${[...GROUP_IDENTIFY].map(literal).join(", ")})`;

/** What must hold of a row; null where none is meant. */
export const matchCondition = ({ ids = [], erased, imports = [], groupEvents }: RowMatch): string | null => {
  const any = [
    ...(ids.length > 0 ? [`distinct_id IN (${ids.map(hexText).join(", ")})`] : []),
    ...(erased && erased.digests.length > 0
      ? [
          `left(sha256(${hexText(erased.salt)} || distinct_id), ${erased.digests[0]?.length ?? 0}) IN (${erased.digests.map(hexText).join(", ")})`,
        ]
      : []),
    ...(imports.length > 0 ? [`left(request, ${imports[0]?.length ?? 0}) IN (${imports.map(hexText).join(", ")})`] : []),
    ...(groupEvents ? [IS_GROUP_EVENT] : []),
  ];
  return any.length === 0 ? null : `(${any.join(" OR ")})`;
};

/** The columns that this asks for. */
export const matchColumns = ({ ids = [], erased, imports = [], groupEvents }: RowMatch): readonly string[] => [
  ...(ids.length > 0 || erased ? ["distinct_id"] : []),
  ...(imports.length > 0 ? ["request"] : []),
  ...(groupEvents ? ["event"] : []),
];

/** Whether a file can have events that identify groups, by what its facts say. */
export const mayHaveGroupEvents = ({ events }: Pick<FileFacts, "events">): boolean =>
  events === null || events.some((name) => GROUP_IDENTIFY.has(name));

/** Whether a row of a file can match, by what its facts say. */
export const mayMatch = ({ ids: [least, most], events }: FileFacts, { ids = [], erased, imports = [], groupEvents }: RowMatch): boolean => {
  if (erased !== undefined || imports.length > 0) return true;
  if (groupEvents && mayHaveGroupEvents({ events })) return true;
  return ids.some((id) => {
    const cut = id.slice(0, MAX_BOUND_LENGTH);
    return least <= cut && cut <= most;
  });
};
