import { describe, expect, it } from "vitest";
import { memoryRowFiles, rowLists } from "../../test/simulation/ports/row-files.ts";
import { randomOf } from "../../test/simulation/random.ts";
import { anEventRow } from "../../test/support/samples/event-rows.ts";
import { PROJECT, smallLake } from "../../test/support/samples/small-lake.ts";
import { itemBytes } from "../../test/support/table-meter/units.ts";
import type { EventRow } from "../event/event.ts";
import { readCommits } from "./catalogue/commits.ts";
import { type CommitParts, commitDrain } from "./commit.ts";
import { readDeltas } from "./persons/stored-deltas.ts";

const NOW = 1_800_000_000_000;
const random = randomOf(1);
/** As long as a distinct_id's bound may be, and of characters that no packing makes shorter. */
const longId = (): string => Array.from({ length: 200 }, () => String.fromCharCode(random.int(0x4e00, 0x9fff))).join("");

/** A row in each of so many months. */
const months = (count: number, changes: () => Partial<EventRow>): readonly EventRow[] =>
  Array.from({ length: count }, (_, at) => anEventRow({ timestamp: BigInt(Date.UTC(2015, at)) * 1_000n, ...changes() }));

const seen = (ids: readonly string[]): readonly EventRow[] => ids.map((distinct_id) => anEventRow({ distinct_id }));

const aLake = async () => {
  const { parts, keys } = await smallLake(NOW);
  const segments = memoryRowFiles(parts.objects, rowLists(), { countUsage: () => ({}) });
  const committing: CommitParts = { ...parts, segments };
  const drain = (rows: readonly EventRow[], of: CommitParts = committing) =>
    commitDrain(of, { project: PROJECT, lane: "live", rows, changes: new Map() });
  return { parts: committing, table: parts.table, keys, drain, commits: () => readCommits(parts.table, PROJECT) };
};

describe("the commit of a drain", () => {
  it("names each segment and the deltas once, also where it takes several items", async () => {
    const { parts, table, drain, commits } = await aLake();
    const rows = months(1_501, () => ({ distinct_id: longId() }));
    await drain(rows);
    const found = await commits();
    expect(found.length).toBeGreaterThan(2);
    expect(found.flatMap(({ segments }) => segments.map(({ partition }) => partition)).toSorted()).toEqual(
      rows.map((_, at) => new Date(Date.UTC(2015, at)).toISOString().slice(0, 7)),
    );
    const said = await Promise.all(found.map(({ deltas }) => readDeltas(parts.objects, deltas)));
    expect(said.flatMap((each) => each.seen.map(({ id }) => id)).toSorted()).toEqual(rows.map(({ distinct_id }) => distinct_id).toSorted());
    // An item may have 400 KB; what the table's indexes add has room.
    for (const item of table.everything()) expect(itemBytes(item)).toBeLessThan(310_000);
  });

  it("names its segments by their months, in whatever order the rows came", async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const { drain, commits } = await aLake();
      const rows = months(3, () => ({}));
      await drain(order.flatMap((at) => rows[at] ?? []));
      const [commit] = await commits();
      expect(commit?.segments.map(({ partition }) => partition)).toEqual(["2015-01", "2015-02", "2015-03"]);
    }
  });

  it("is written when all that it names is there", async () => {
    const { parts, drain, keys, commits } = await aLake();
    let atCommit: readonly string[] = [];
    const put: CommitParts["table"]["put"] = (item) => {
      atCommit = keys();
      return parts.table.put(item);
    };
    const rows = [...months(2, () => ({})), ...seen(Array.from({ length: 300 }, longId))];
    await drain(rows, { ...parts, table: { ...parts.table, put } });
    const [commit] = await commits();
    const named = [...(commit?.segments ?? []), commit?.deltas].flatMap((each) => (each && "key" in each ? [each.key] : []));
    expect(named).toHaveLength(4);
    expect(atCommit).toEqual(named.toSorted());
  });

  it("is not written for segments that may be gone, because the machine slept after the first of them", async () => {
    const { parts, drain, commits } = await aLake();
    let now = NOW;
    const put: CommitParts["objects"]["put"] = (...given) => {
      now += 2 * 86_400_000;
      return parts.objects.put(...given);
    };
    const asleep = { ...parts, clock: { now: () => now }, objects: { ...parts.objects, put } };
    await expect(
      drain(
        months(2, () => ({})),
        asleep,
      ),
    ).rejects.toThrow("slept");
    expect(await commits()).toEqual([]);
  });

  it("keeps what it says of persons, be it little or much", async () => {
    for (const count of [1, 300]) {
      const { parts, drain, commits } = await aLake();
      const ids = Array.from({ length: count }, (_, at) => `person-${at}`);
      await drain(seen(ids));
      const [commit] = await commits();
      const said = await readDeltas(parts.objects, commit?.deltas ?? null);
      expect(said.seen.map(({ id }) => id)).toEqual(ids);
    }
  });

  it("is none where there is nothing to say", async () => {
    const { drain, commits } = await aLake();
    expect(await drain([])).toEqual({ rows: 0, segments: 0, bytes: 0 });
    expect(await commits()).toEqual([]);
  });

  it("leaves out the copies of a row within the drain and says how many rows it kept", async () => {
    const { drain, commits } = await aLake();
    const rows = months(2, () => ({}));
    expect(await drain([...rows, ...rows])).toMatchObject({ rows: 2, segments: 2 });
    expect((await commits()).flatMap(({ segments }) => segments.map((segment) => segment.rows))).toEqual([1, 1]);
  });
});
