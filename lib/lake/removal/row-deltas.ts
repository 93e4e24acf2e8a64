import { exactJson } from "../../core/exact-json.ts";
import { type Fields, isFields } from "../../event/fields.ts";
import type { GroupTypes } from "../group-types.ts";
import { groupSide } from "../intake/group-events.ts";
import { personSide } from "../intake/person-events.ts";
import type { At, GroupOp, PersonOp } from "../persons/deltas.ts";
import type { TellingRow } from "../row-files.ts";

/** What a stored row says of persons and groups, beyond that somebody was seen: as ingest read it of the event. */
export interface Told {
  readonly at: At;
  readonly person: PersonOp | null;
  readonly group: GroupOp | null;
}

/** Reads a stored row as ingest read its event; null for one that says nothing of anybody. */
export const toldBy = (row: TellingRow, groupTypes: GroupTypes): Told | null => {
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
