import { exactJson } from "../../core/exact-json.ts";
import { type Fields, isFields } from "../../event/fields.ts";
import type { GroupTypes } from "../group-types.ts";
import { groupSide } from "../intake/group-events.ts";
import { personSide } from "../intake/person-events.ts";
import type { At, GroupOp, PersonOp } from "../persons/deltas.ts";
import type { ProfileRow } from "../row-files.ts";

/** What a stored row changes of persons and groups, as ingest derived it from the event. */
export interface RowDelta {
  readonly at: At;
  readonly person: PersonOp | null;
  readonly group: GroupOp | null;
}

/** Derives the changes from a stored row; null where it was stored without person processing. */
export const readRowDelta = (row: ProfileRow, groupTypes: GroupTypes): RowDelta | null => {
  if (row.person_mode !== "full") return null;
  const at: At = { time: row.timestamp, index: row.index, uuid: row.uuid };
  const properties = fieldsOf(row.properties);
  const { op } = personSide({ event: row.event, properties }, row.distinct_id, properties);
  const side = groupSide({ event: row.event, properties });
  const slot = side === null || side === "drop" ? -1 : groupTypes.indexOf(side.type);
  return {
    at,
    person: op && { at, id: row.distinct_id, ...op },
    group: side === null || side === "drop" || slot < 0 ? null : { at, slot, key: side.key, set: side.set },
  };
};

const fieldsOf = (text: string): Fields => {
  const value = exactJson(text);
  return isFields(value) ? value : {};
};
