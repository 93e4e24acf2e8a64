import { jsonText } from "../../event/hot-properties.ts";
import type { Person } from "./person-replay.ts";
import type { PersonRow } from "./state-rows.ts";

/** A person as queries see it. */
export const personRow = ({ root, createdAt, lastSeen, isIdentified, properties }: Person): PersonRow => ({
  distinct_id: root,
  created_at: createdAt,
  properties: jsonText(Object.fromEntries([...properties].sort(([a], [b]) => (a < b ? -1 : 1)))),
  is_identified: isIdentified,
  last_seen_at: lastSeen,
});
