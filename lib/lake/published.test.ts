import { describe, expect, it } from "vitest";
import { mayBeNamed, type Publication } from "./published.ts";

const MINUTE_MS = 60_000;
const MADE = 1_800_000_000_000;
/** The ULID of that time. */
const ULID = "01MCC5RM00AAAAAAAAAAAAAAAA";
const DATA = `events/project=7/month=2026-10/${ULID}.parquet`;
const MANIFEST = `iceberg/project=7/events/metadata/manifest.2026-10.${ULID}.${ULID}.avro`;
const LIMITS = { swapWithinMs: 5 * MINUTE_MS };

const read = (...reads: number[]): Publication[] => [{ table: "events", metadata: "m", snapshot: 1, at: 0, state: "s", reads }];

describe("whether a published snapshot may name a retired object", () => {
  const retired = MADE + 60 * MINUTE_MS;
  it.each([
    ["before it was there", MADE - 3 * MINUTE_MS - 1, false],
    ["as it was made, by another clock and a minute on its way", MADE - 3 * MINUTE_MS, true],
    ["while it was there", MADE + 30 * MINUTE_MS, true],
    ["while the swap that retired it may not have taken place", retired + 7 * MINUTE_MS, true],
    ["after it was gone", retired + 7 * MINUTE_MS + 1, false],
  ])("of a head that was read %s", (_, at, is) => {
    expect(mayBeNamed(read(at), DATA, retired, LIMITS)).toBe(is);
    expect(mayBeNamed(read(0, at, retired + 90 * MINUTE_MS), DATA, retired, LIMITS)).toBe(is);
  });
  it("says yes of what does not say when it was made, from the beginning on, and no where nothing is published", () => {
    expect(mayBeNamed(read(1), "events/a", retired, LIMITS)).toBe(true);
    expect(mayBeNamed(read(), DATA, retired, LIMITS)).toBe(false);
    expect(mayBeNamed([], DATA, retired, LIMITS)).toBe(false);
  });
  it("counts that what describes a snapshot is written after the head was read", () => {
    expect(mayBeNamed(read(MADE - 17 * MINUTE_MS), MANIFEST, retired, LIMITS)).toBe(true);
    expect(mayBeNamed(read(MADE - 17 * MINUTE_MS - 1), MANIFEST, retired, LIMITS)).toBe(false);
  });
});
