import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ListedTable, readTable } from "../../../test/support/iceberg/read-table.ts";
import { aFile, aManifest, PROJECT, smallLake } from "../../../test/support/samples/small-lake.ts";
import { HOUR_MS } from "../../core/time.ts";
import { swap } from "../../lake/catalogue/swap.ts";
import { POLICIES } from "../../lake/policy.ts";
import { publicationItem } from "../../lake/published.ts";
import { FIRST_PROPERTY_ID } from "../columns.ts";
import { readPublished } from "../metadata.ts";
import { publishProject } from "../publish.ts";

const POLICY = POLICIES.deployed;

/** A lake whose partitions get one file after the other, with these columns of properties. */
const aLake = async () => {
  const lake = await smallLake(1_800_000_000_000);
  const earnedOf = new Map<string, readonly string[]>();
  const manifests = new Map<string, string>();
  const objects = lake.parts.objects;
  return {
    ...lake,
    earnedOf,
    publish: () => publishProject(lake.parts, POLICY, PROJECT),
    async swap(partition: string, earned: readonly string[]): Promise<void> {
      const id = `m${earnedOf.size}`;
      const file = aFile(`events/${id}`, earned.length > 0 ? { earned } : {});
      earnedOf.set(file.key, earned);
      const next = aManifest(id, { partition, files: [file] });
      await swap(lake.parts, POLICY, PROJECT, partition, manifests.get(partition) ?? null, next, null, { retired: [] });
      manifests.set(partition, id);
    },
    async read(): Promise<ListedTable> {
      const published = await readPublished(lake.parts.table, PROJECT, "events");
      return readTable((key) => objects.everything().get(key), published?.metadata ?? "");
    },
    /** As a release left it that named no columns of properties. */
    async forget(): Promise<void> {
      const published = await readPublished(lake.parts.table, PROJECT, "events");
      if (published === undefined) throw new Error("nothing is published");
      const metadata = JSON.parse(Buffer.from(objects.everything().get(published.metadata) ?? []).toString());
      const { "columns-of-properties": _, "schema.name-mapping.default": mapping, ...properties } = metadata.properties;
      const fewer = JSON.stringify(JSON.parse(mapping).filter((field: Mapped) => field["field-id"] < FIRST_PROPERTY_ID));
      const key = `${published.metadata} of an earlier release`;
      await objects.put(
        key,
        Buffer.from(JSON.stringify({ ...metadata, properties: { ...properties, "schema.name-mapping.default": fewer } })),
      );
      await lake.parts.table.put(publicationItem(PROJECT, { ...published, metadata: key, state: "of an earlier release" }));
    },
  };
};

interface Mapped {
  readonly "field-id": number;
  readonly names: readonly string[];
}

/** The columns that a table's files may have by its mapping, with their numbers. */
const mapped = ({ metadata }: ListedTable): ReadonlyMap<string, number> => {
  const fields: readonly Mapped[] = JSON.parse(metadata.properties["schema.name-mapping.default"]);
  return new Map(fields.flatMap(({ "field-id": id, names }) => names.map((name) => [name, id])));
};

const ofProperties = (table: ListedTable): readonly string[] => [...mapped(table).keys()].filter((name) => name.startsWith("earned_"));

/** A partition gets a file with these columns, and so much time goes by before. */
const step = fc.record({
  partition: fc.constantFrom("2024-09", "2024-10"),
  earned: fc.uniqueArray(fc.constantFrom("earned_text_a", "earned_text_b", "earned_number_a"), { maxLength: 2 }),
  after: fc.constantFrom(HOUR_MS, HOUR_MS, POLICY.snapshotStayMs / 2, POLICY.snapshotStayMs, POLICY.snapshotStayMs + 1),
});

describe("columns of properties", () => {
  it("have a number of their own as long as a snapshot names a file that has them, whichever files have which", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const lake = await aLake();
        const given = new Map<number, string>();
        for (const { partition, earned, after } of steps) {
          lake.pass(after);
          await lake.swap(partition, earned);
          await lake.publish();
          const table = await lake.read();
          const numbers = mapped(table);
          const named = table.snapshots.flatMap(({ files }) => files.flatMap(({ key }) => lake.earnedOf.get(key) ?? []));
          expect(new Set(ofProperties(table))).toEqual(new Set(named));
          expect(new Set(numbers.values()).size).toBe(numbers.size);
          for (const [name, number] of numbers) {
            expect(given.get(number) ?? name).toBe(name);
            given.set(number, name);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
  it("are not shown by the table", async () => {
    const lake = await aLake();
    await lake.swap("2024-10", ["earned_text_a"]);
    await lake.publish();
    const { metadata } = await lake.read();
    expect(metadata.schemas.flatMap(({ fields }: { fields: readonly { id: number }[] }) => fields.map(({ id }) => id))).not.toContainEqual(
      expect.toSatisfy((id: number) => id >= FIRST_PROPERTY_ID),
    );
    expect(metadata["last-column-id"]).toBe(FIRST_PROPERTY_ID);
  });
  it("of all files are looked for where a release published that named none, whether or not a file has changed since", async () => {
    for (const isChanged of [true, false]) {
      const lake = await aLake();
      await lake.swap("2024-09", ["earned_text_a"]);
      await lake.swap("2024-10", ["earned_text_b"]);
      await lake.publish();
      await lake.forget();
      expect(ofProperties(await lake.read())).toEqual([]);
      if (isChanged) await lake.swap("2024-10", ["earned_number_c"]);
      expect(await lake.publish()).toBe("published");
      const table = await lake.read();
      expect([...ofProperties(table)].sort()).toEqual([isChanged ? "earned_number_c" : "earned_text_b", "earned_text_a"].sort());
      expect(table.current.files.map(({ sequence }) => sequence).sort()).toEqual(isChanged ? [1, 2] : [1, 1]);
      expect(await lake.publish()).toBe("unchanged");
    }
  });
});
