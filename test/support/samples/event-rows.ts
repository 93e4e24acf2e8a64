import { createHash } from "node:crypto";
import type { EventRow } from "../../../lib/event/event.ts";
import { HOT } from "../../../lib/event/hot-properties.ts";
import { utcDay } from "../../../lib/event/time-partitions.ts";
import type { DayCounts } from "../../../lib/usage/day-counts.ts";

/** A row with everything a test does not care about filled in; its identity hash is that of its identity. */
export const anEventRow = (changes: Partial<EventRow> = {}): EventRow => {
  const row = {
    uuid: "0190a1b2-c3d4-7e5f-8a9b-000000000001",
    event: "$pageview",
    distinct_id: "ann",
    person_id: "b4dd4e1b-568e-50e7-8cc1-a9ad3c7dadc0",
    timestamp: 1_750_000_000_123_456n,
    created_at: 1_750_000_001_000_000n,
    person_mode: "full" as const,
    historical: false,
    session_id: null,
    window_id: null,
    groups: [null, null, null, null, null],
    elements_chain: "",
    properties: "{}",
    hot: HOT.map(() => null),
    request: "0123456789abcdef0123456789abcdef",
    index: 0,
    ...changes,
  };
  return { identity: createHash("sha256").update(identityOf(row)).digest().readBigInt64LE(0), ...row };
};

/** The identity within a project, as text. */
export const identityOf = (row: Pick<EventRow, "timestamp" | "event" | "distinct_id" | "uuid">): string =>
  JSON.stringify([utcDay(row.timestamp), row.event, row.distinct_id, row.uuid]);

/** Counts rows per day, live and historical apart. */
export const countRows = (rows: readonly Pick<EventRow, "timestamp" | "historical">[]): DayCounts => {
  const days: Record<string, Record<string, number>> = {};
  for (const { timestamp, historical } of rows) {
    const types = days[utcDay(timestamp)] ?? {};
    days[utcDay(timestamp)] = types;
    const type = historical ? "historical" : "events";
    types[type] = (types[type] ?? 0) + 1;
  }
  return days;
};
