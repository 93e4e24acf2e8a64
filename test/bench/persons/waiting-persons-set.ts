import type { EventRow } from "../../../lib/event/event.ts";
import { HOT } from "../../../lib/event/hot-properties.ts";
import { derivePersonId, identityHash } from "../../../lib/event/identity.ts";
import { utcDay } from "../../../lib/event/time-partitions.ts";
import { commitDrain } from "../../../lib/lake/commit.ts";
import { segmentFiles } from "../../../lib/lake/row-files.ts";
import type { RowChange } from "../../../lib/lake/rows.ts";
import type { Item } from "../../../lib/ports/table.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { diskObjects } from "../engine/engine-set.ts";

export const PROJECT = 9;
export const PERSONS = 1_000_000;
/** As many of the persons are other ids of some of the rest. */
export const MERGED = 20_000;

/** Rows of a drain, as ingest would cut it. */
const DRAIN_ROWS = 50_000;
const START_US = BigInt(Date.UTC(2025, 2, 1)) * 1_000n;
const SECOND_US = 1_000_000n;

/** An item of the table as text. */
export type StoredItem = readonly [item: Item, body: string];

/** An import of persons of whom most are only seen, a tenth gets properties and some are merged; nothing of it is gathered. */
export const waitingPersons = async (root: string): Promise<readonly StoredItem[]> => {
  const table = memoryTable();
  let ulids = 0;
  const clock = { now: () => Date.UTC(2026, 0, 1) };
  const ids = { uuid: () => "", ulid: () => String(ulids++).padStart(26, "0"), secret: () => new Uint8Array() };
  const parts = { table, objects: diskObjects(root), segments: segmentFiles(countUsage), clock, ids };
  for (let from = 0; from < PERSONS; from += DRAIN_ROWS) {
    const changes = new Map<EventRow, RowChange>();
    const rows = Array.from({ length: DRAIN_ROWS }, (_, place) => rowOf(from + place));
    for (const [place, row] of rows.entries()) {
      const change = changeOf(from + place);
      if (change) changes.set(row, { person: change, group: null });
    }
    await commitDrain(parts, { project: PROJECT, lane: "historical", rows, changes });
  }
  return table
    .everything()
    .map(({ body, ...item }): StoredItem => [item, body instanceof Uint8Array ? Buffer.from(body).toString("base64") : ""]);
};

export const storedItem = ([item, body]: StoredItem): Item => ({ ...item, body: new Uint8Array(Buffer.from(body, "base64")) });

const idOf = (person: number): string => `person-${(person * 7919) % PERSONS}`;

const changeOf = (person: number): RowChange["person"] => {
  const isMerged = person % (PERSONS / MERGED) === 1;
  if (person % 10 !== 0 && !isMerged) return null;
  return {
    merge: isMerged ? { kind: "identify", source: idOf(person - 1) } : null,
    set: person % 10 === 0 ? { plan: person % 3 === 0 ? "team" : "free", email: `${idOf(person)}@example.com` } : null,
    setOnce: null,
    unset: null,
  };
};

const rowOf = (person: number): EventRow => {
  const timestamp = START_US + BigInt(person) * SECOND_US;
  const uuid = `00000000-0000-7000-8000-${person.toString(16).padStart(12, "0")}`;
  const distinct_id = idOf(person);
  const event = person % (PERSONS / MERGED) === 1 ? "$identify" : "signed up";
  return {
    ...{ uuid, event, distinct_id, timestamp, created_at: START_US, historical: true, person_mode: "full" },
    person_id: derivePersonId(PROJECT, distinct_id),
    identity: identityHash(utcDay(timestamp), event, distinct_id, uuid),
    ...{ session_id: null, window_id: null, groups: [], elements_chain: "", properties: "{}", hot: HOT.map(() => null) },
    ...{ request: "0".repeat(32), index: person % 1_000 },
  };
};
