import { describe, expect, it } from "vitest";
import { anEventRow } from "../../test/support/samples/event-rows.ts";
import { aCommit, aManifest, aState, PROJECT, smallLake } from "../../test/support/samples/small-lake.ts";
import { countUsage } from "../usage/day-counts.ts";
import { swap } from "./catalogue/swap.ts";
import type { FileFacts } from "./catalogue.ts";
import { deltaKey, eventFileKey, manifestKey, segmentKey } from "./paths.ts";
import { POLICIES } from "./policy.ts";
import { writeSegment } from "./row-files.ts";
import { lastingDifferences, verifyLake } from "./verify.ts";

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const POLICY = POLICIES.deployed;
const PARTITION = "2024-10";
const STATE = "state";

const file = (name: string) => eventFileKey(PROJECT, PARTITION, name);

const written = async (key: string, count: number) => {
  const rows = Array.from({ length: count }, (_, at) => anEventRow({ distinct_id: `person ${at}` }));
  const { content, ...facts } = await writeSegment(rows, countUsage);
  return { content, facts: { key, ...facts } satisfies FileFacts };
};

/** A file of two rows, one commit that waits and one that is absorbed. */
const aLake = async (changes: Partial<FileFacts> = {}) => {
  const lake = await smallLake(NOW);
  const { content, facts } = await written(file("whole"), 2);
  await lake.parts.objects.put(facts.key, content);
  const waiting = segmentKey(PROJECT, PARTITION, "waiting");
  const segment = await written(waiting, 3);
  await lake.parts.objects.put(waiting, segment.content);
  await lake.commit(aCommit("c1", NOW, { segments: [{ ...segment.facts, partition: PARTITION }] }));
  const gone = { ...facts, key: segmentKey(PROJECT, PARTITION, "absorbed"), partition: PARTITION };
  await lake.commit(aCommit("c0", NOW, { segments: [gone], deltas: { key: deltaKey(PROJECT, "folded"), bytes: 1 } }));
  const manifest = aManifest("m1", { files: [{ ...facts, ...changes }], absorbed: ["c0"], absorbedAt: [NOW] });
  await swap(lake.parts, POLICY, PROJECT, PARTITION, null, manifest, null, { retired: [file("retired")] });
  await swap(lake.parts, POLICY, PROJECT, STATE, null, aState("s1", { absorbed: ["c0"], absorbedAt: [NOW] }), null, { retired: [] });
  return { ...lake, waiting, whole: facts.key };
};

const verified = async ({ parts }: Pick<Awaited<ReturnType<typeof aLake>>, "parts">, published: readonly string[] = []) => {
  const { problems = [], unnamed = [] } = (await verifyLake(parts, POLICY, PROJECT, async () => published)) ?? {};
  return { problems, unnamed: unnamed.map(({ key }) => key) };
};

describe("verifying a project's lake", () => {
  it("misses nothing of what is retired, or absorbed by what replaced it", async () => {
    expect(await verified(await aLake())).toEqual({ problems: [], unnamed: [] });
  });

  it("tells what waits and is missing, and what a published table misses", async () => {
    const lake = await aLake();
    await lake.parts.objects.remove([lake.waiting]);
    expect(await verified(lake, ["iceberg/somewhere"])).toEqual({
      problems: [
        { key: lake.waiting, says: "is missing" },
        { key: "iceberg/somewhere", says: "is missing" },
      ],
      unnamed: [],
    });
  });

  it.each<[string, Partial<FileFacts>, RegExp]>([
    ["bytes", { bytes: 7 }, /^has \d+ bytes, and the catalogue says 7$/],
    ["rows", { rows: 3 }, /^has 2 rows, and the catalogue says 3$/],
    ["the length of a footer", { footerBytes: 1 }, /^has a footer of \d+ bytes, and the catalogue says 1$/],
    ["a footer", { footer: "AAAA" }, /^has another footer than the catalogue$/],
  ])("tells where a file has other %s than the catalogue says", async (_, changes, says) => {
    const lake = await aLake(changes);
    expect((await verified(lake)).problems).toEqual([{ key: lake.whole, says: expect.stringMatching(says) }]);
  });

  it("tells a file that is listed and cannot be read, and what else is wrong", async () => {
    const lake = await aLake();
    const { objects } = lake.parts;
    await objects.remove([lake.waiting]);
    const getRange: typeof objects.getRange = (key, ...range) =>
      key === lake.whole ? Promise.reject(new Error("the disk has lost it")) : objects.getRange(key, ...range);
    expect((await verified({ parts: { ...lake.parts, objects: { ...objects, getRange } } })).problems).toEqual([
      { key: lake.waiting, says: "is missing" },
      { key: lake.whole, says: "cannot be read: the disk has lost it" },
    ]);
  });

  it("tells a file that is no Parquet any more", async () => {
    const lake = await aLake();
    const bytes = (await lake.parts.objects.get(lake.whole)) ?? new Uint8Array();
    await lake.parts.objects.put(lake.whole, Uint8Array.from(bytes).fill(0, -4));
    expect((await verified(lake)).problems).toEqual([{ key: lake.whole, says: "does not end as a Parquet file does" }]);
  });

  it("tells a manifest that is gone or cannot be read, and then accuses nothing that it may name", async () => {
    const lake = await aLake();
    const orphan = file("orphan");
    await lake.parts.objects.put(orphan, new Uint8Array(1));
    lake.pass(3 * DAY_MS);
    expect((await verified(lake)).unnamed).toEqual([orphan]);
    const fresh = { parts: { ...lake.parts, objects: { ...lake.parts.objects } } };
    await fresh.parts.objects.remove([manifestKey(PROJECT, PARTITION, "m1")]);
    expect(await verified(fresh)).toEqual({ problems: [{ key: manifestKey(PROJECT, PARTITION, "m1"), says: "is missing" }], unnamed: [] });
    await lake.parts.objects.put(manifestKey(PROJECT, PARTITION, "m1"), new Uint8Array([9, 9]));
    const other = { parts: { ...lake.parts, objects: { ...lake.parts.objects } } };
    expect((await verified(other)).problems).toEqual([
      { key: manifestKey(PROJECT, PARTITION, "m1"), says: expect.stringMatching(/^cannot be read: /) },
    ]);
  });

  it("lists what nothing names by its age, and not what may be named soon", async () => {
    const lake = await aLake();
    await lake.parts.objects.put(file("b-old"), new Uint8Array(1));
    lake.pass(DAY_MS);
    await lake.parts.objects.put(file("a-later"), new Uint8Array(1));
    lake.pass(3 * DAY_MS);
    await lake.parts.objects.put(file("new"), new Uint8Array(1));
    expect(await verified(lake)).toEqual({ problems: [], unnamed: [file("b-old"), file("a-later")] });
  });

  it("reads the names again where something was swapped while it listed", async () => {
    const lake = await aLake();
    let isSwapped = false;
    const { objects } = lake.parts;
    const list: typeof objects.list = async (prefix, cursor) => {
      if (!isSwapped) {
        isSwapped = true;
        await swap(
          lake.parts,
          POLICY,
          PROJECT,
          PARTITION,
          "m1",
          aManifest("m2", { absorbed: ["c0", "c1"], absorbedAt: [NOW, NOW] }),
          null,
          {
            retired: [lake.whole, lake.waiting],
          },
        );
        await objects.remove([lake.waiting]);
      }
      return objects.list(prefix, cursor);
    };
    expect(await verified({ parts: { ...lake.parts, objects: { ...objects, list } } })).toEqual({ problems: [], unnamed: [] });
  });
});

describe("what differs while usage is counted", () => {
  const compared = (...looks: readonly (readonly string[])[]) => {
    const left = [...looks];
    return { left, compare: async () => left.shift() ?? [] };
  };

  it("is nothing once it does not any more", async () => {
    const { compare, left } = compared(["a", "b"], ["b"], [], ["c"]);
    const patience = { looks: 3 };
    expect(await lastingDifferences(compare, patience)).toEqual([]);
    expect(left).toEqual([["c"]]);
    expect(patience).toEqual({ looks: 1 });
  });

  it("is told as it is when the patience with all of it is over", async () => {
    const patience = { looks: 1 };
    expect(await lastingDifferences(compared(["a"], ["b"], []).compare, patience)).toEqual(["b"]);
    expect(await lastingDifferences(compared(["c"], []).compare, patience)).toEqual(["c"]);
  });
});
