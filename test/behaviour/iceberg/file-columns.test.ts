import { describe, expect, it } from "vitest";
import { openSegments } from "../../../lib/aws/parts/segments.ts";
import type { EarnedProperty } from "../../../lib/event/earned-properties.ts";
import { publishProject } from "../../../lib/iceberg/publish.ts";
import { readCommits } from "../../../lib/lake/catalogue/commits.ts";
import { commitDrain } from "../../../lib/lake/commit.ts";
import { compact } from "../../../lib/lake/compact.ts";
import { openEarned } from "../../../lib/lake/earned-properties.ts";
import { fold } from "../../../lib/lake/fold-persons.ts";
import { initialHead } from "../../../lib/lake/head.ts";
import { readFooter } from "../../../lib/lake/parquet.ts";
import { POLICIES, type Policy } from "../../../lib/lake/policy.ts";
import { readPublications } from "../../../lib/lake/published.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { anEngine } from "../../support/engine.ts";
import { readTable } from "../../support/iceberg/read-table.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { anEventRow } from "../../support/samples/event-rows.ts";

const PROJECT = 1;
const NOW = 1_800_000_000_000;

/** Whatever is loose becomes a compacted file, and few persons are a layer. */
const POLICY: Policy = { ...POLICIES.local, rewriteMinRows: 1, rewriteShare: 0.01 };
const FOLDING: Policy = { ...POLICIES.local, rewriteShare: 100 };

const NAMED: readonly EarnedProperty[] = [
  { property: "plan", type: "text" },
  { property: "amount", type: "number" },
  { owner: "person", property: "plan", type: "text" },
];

describe("the columns of files that open tables name", () => {
  const objects = memoryObjects();
  const engine = anEngine(objects);

  it("all have a number, since pyiceberg refuses a file otherwise, and the table shows those that it showed", async () => {
    const table = memoryTable();
    const clock = { now: () => NOW };
    let ulids = 0;
    const ids = { uuid: () => "", ulid: () => String(ulids++).padStart(26, "0"), secret: () => new Uint8Array() };
    const parts = { table, objects, clock, ids };
    await table.put(initialHead(PROJECT, NOW));
    const arrive = async (month: number): Promise<void> => {
      const timestamp = BigInt(Date.UTC(2026, month, 3)) * 1_000n;
      const row = anEventRow({ distinct_id: `ann ${month}`, timestamp, properties: '{"plan":"pro","amount":5}' });
      const person = { merge: null, set: { plan: "pro" }, setOnce: null, unset: null };
      const drained = { project: PROJECT, lane: "live", rows: [row], changes: new Map([[row, { person, group: null }]]) } as const;
      await commitDrain({ ...parts, segments: openSegments }, drained, { itemBytes: 300_000, inlineBytes: 2_000 });
      const commits = await readCommits(table, PROJECT);
      const upTo = commits.at(-1)?.id ?? "";
      for (const partition of new Set(commits.flatMap(({ segments }) => segments.map((segment) => segment.partition))))
        await compact({ ...parts, rowFiles: engine().rowFiles }, POLICY, { project: PROJECT, partition, upTo, seal: false });
      await fold(parts, FOLDING, PROJECT);
      await publishProject(parts, POLICY, PROJECT);
    };
    await arrive(3);
    const earned = await openEarned(table, PROJECT, NOW);
    const hasEarned = earned.hasEarned();
    for (const property of NAMED) hasEarned(property);
    await earned.note("a query");
    await arrive(4);

    const hidden = new Map<string, Set<string>>();
    for (const { table: name, metadata: key } of await readPublications(table, PROJECT)) {
      const { metadata, current } = readTable((each) => objects.contents.get(each), key);
      const mapping: readonly { "field-id": number; names: readonly string[] }[] = JSON.parse(
        metadata.properties["schema.name-mapping.default"],
      );
      const numbers = new Map(mapping.flatMap(({ "field-id": id, names }) => names.map((each) => [each, id] as const)));
      const shown = new Map<string, number>(
        metadata.schemas[0].fields.map((field: { name: string; id: number }) => [field.name, field.id]),
      );
      expect(numbers).toEqual(new Map([...numbers, ...shown]));
      for (const file of current.files) {
        const columns = columnsOf(objects.contents.get(file.key) ?? new Uint8Array());
        expect([...numbers.keys()]).toEqual(expect.arrayContaining([...columns]));
        for (const column of columns) if (!shown.has(column)) hidden.set(name, (hidden.get(name) ?? new Set<string>()).add(column));
        // What a manifest says of columns, it says of those of the table.
        for (const id of [...file.lower.keys(), ...file.upper.keys()]) expect([...shown.values()]).toContain(id);
      }
    }
    expect([...(hidden.get("events") ?? [])].map(kindOf).sort()).toEqual(["earned_number", "earned_text", "quarter_hour"]);
    expect([...(hidden.get("persons") ?? [])].map(kindOf).sort()).toEqual(["earned_text", "gone"]);
  });
});

const columnsOf = (bytes: Uint8Array): readonly string[] => {
  const length = Buffer.from(bytes).readUInt32LE(bytes.length - 8);
  return readFooter(bytes.subarray(bytes.length - 8 - length, bytes.length - 8))
    .schema.slice(1)
    .map(({ name }) => name);
};

/** A column's name without the digest of its property. */
const kindOf = (column: string): string => column.replace(/_[0-9a-f]{24}$/, "");
