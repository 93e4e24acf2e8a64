import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../lib/core/time.ts";
import { publishProject } from "../../lib/iceberg/publish.ts";
import { swap } from "../../lib/lake/catalogue/swap.ts";
import { openEarned } from "../../lib/lake/earned-properties.ts";
import { publishedKey } from "../../lib/lake/paths.ts";
import { POLICIES, policyOf } from "../../lib/lake/policy.ts";
import { readPublications } from "../../lib/lake/published.ts";
import { readConfig } from "../../lib/ports/config.ts";
import { keptLog } from "../../test/support/kept-log.ts";
import { withoutDownloads } from "../../test/support/no-downloads.ts";
import { aFile, aManifest, PROJECT, smallLake } from "../../test/support/samples/small-lake.ts";
import { auditJob } from "./audit.ts";

const NOW = 1_800_000_000_000;
const POLICY = POLICIES.deployed;
const PUBLISHING = policyOf({ compaction: "deployed", publish: "iceberg" });

/** A project with partitions whose time is over, and a queue that refuses some of the messages. */
const aWorld = async (partitions: readonly string[], refused: (place: number) => boolean = () => false, sealed = false) => {
  const { parts, pass, keys } = await smallLake(NOW);
  for (const [at, partition] of partitions.entries()) {
    const key = `file-${at}`;
    await parts.objects.put(key, new Uint8Array(1));
    await swap(parts, POLICY, PROJECT, partition, null, aManifest(`m${at}`, { partition, loose: [aFile(key)], sealed }), null, {
      retired: [],
    });
  }
  const sent: unknown[] = [];
  let calls = 0;
  const send = async (queue: string, messages: readonly { readonly id: string; readonly body: string }[]): Promise<readonly string[]> => {
    calls += 1;
    sent.push(...messages.map(({ body }): unknown => ({ queue, ...JSON.parse(body) })));
    return messages.filter((_, at) => refused(at)).map(({ id }) => id);
  };
  const unused = () => Promise.reject(new Error("an audit touches no row files"));
  const engine = {
    rowFiles: {
      ...{ write: unused, duplicates: unused, sightings: unused, recount: unused, merge: unused },
      ...{ matching: unused, readMatching: unused, countMatching: unused, usageLeft: unused },
    },
  };
  const world = {
    ...parts,
    objects: withoutDownloads(parts.objects),
    queues: { send },
    log: keptLog(),
    config: readConfig(() => undefined),
    engine,
  };
  return { world, pass, keys, sent, calls: () => calls };
};

describe("a job that audits a project", () => {
  it.each([[[]], [["2024-10"]], [["2024-09", "2024-10", "2024-11"]]])(
    "asks at one go for what should be sealed and is not: %j",
    async (partitions) => {
      const { world, sent, calls } = await aWorld(partitions);
      await auditJob(world, POLICY, PROJECT, { remainingMs: () => 900_000 });
      const seal = { queue: "jobs", v: 2, kind: "compact", project: PROJECT, upTo: "", seal: true };
      expect(sent).toEqual(partitions.map((partition) => ({ ...seal, partition })));
      expect(calls()).toBe(partitions.length === 0 ? 0 : 1);
    },
  );

  it("asks for the older months, newest first, once properties have earned columns and for three days", async () => {
    const { world, sent, pass } = await aWorld(["2026-11", "1999", "old", "2026-12", "2027-01"], undefined, true);
    const asked = async () => {
      sent.length = 0;
      await auditJob(world, POLICY, PROJECT, { remainingMs: () => 900_000 });
      return sent.map((job) => Object(job).partition);
    };
    expect(await asked()).toEqual([]);
    const earned = await openEarned(world.table, PROJECT, NOW);
    earned.hasEarned()({ property: "plan", type: "text" });
    await earned.note("ad-hoc");
    expect(await asked()).toEqual([]);
    for (const days of [1, 2, 3]) {
      pass(DAY_MS);
      expect([days, await asked()]).toEqual([days, ["2027-01", "2026-12", "2026-11", "1999", "old"]]);
    }
    pass(DAY_MS);
    expect(await asked()).toEqual([]);
  });

  it.each([
    ["each request", () => true],
    ["one of them", (place: number) => place === 1],
  ])("is delivered again when the queue does not take %s", async (_, refused) => {
    const { world } = await aWorld(["2024-09", "2024-10"], refused);
    await expect(auditJob(world, POLICY, PROJECT, { remainingMs: () => 900_000 })).rejects.toThrow("the queue did not take");
  });

  describe("of a project whose tables are published", () => {
    const published = async () => {
      const { world, pass, keys } = await aWorld(["2024-10"]);
      const before = keys();
      await publishProject(world, PUBLISHING, PROJECT);
      const garbage = publishedKey(PROJECT, "events", "metadata", "given-up.metadata.json");
      await world.objects.put(garbage, new Uint8Array(1));
      pass(PUBLISHING.orphanAgeMs + 1);
      return { world, keys, before, garbage, named: keys().filter((key) => key !== garbage) };
    };
    it("leaves what they need and deletes what a publisher gave up", async () => {
      const { world, keys, named, before } = await published();
      expect(named.length).toBeGreaterThan(before.length);
      await auditJob(world, PUBLISHING, PROJECT, { remainingMs: () => 900_000 });
      expect(keys()).toEqual(named);
    });
    it("takes them away, and nothing else, where tables are published no longer", async () => {
      const { world, keys, before } = await published();
      await auditJob(world, POLICY, PROJECT, { remainingMs: () => 900_000 });
      expect(keys()).toEqual(before);
      expect(await readPublications(world.table, PROJECT)).toEqual([]);
    });
  });
});
