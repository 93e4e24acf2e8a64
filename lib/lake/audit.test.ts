import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, lakeWorld, MINUTE_MS, someRows } from "../../test/support/lake-world.ts";
import { audit } from "./audit.ts";
import type { Deltas } from "./deltas.ts";
import { deltaKey, eventFileKey, projectPrefixes } from "./paths.ts";
import { POLICIES } from "./policy.ts";

/** So much that it does not fit into a commit. */
const manyDeltas = (): Deltas => ({
  seen: Array.from({ length: 500 }, (_, at) => ({ id: `someone ${at}`, first: { time: 1n, index: 0, uuid: "u" }, last: 1n })),
  persons: [],
  groups: [],
});

const keysOf = ({ objects }: Awaited<ReturnType<typeof lakeWorld>>): readonly string[] =>
  objects
    .everything()
    .keys()
    .filter((key) => projectPrefixes(1).some((prefix) => key.startsWith(prefix)))
    .toSorted();

describe("the audit", () => {
  it("leaves what nobody names alone for two days, because a drain may be about to name it", async () => {
    const lake = await lakeWorld();
    const key = eventFileKey(1, "2026-10", "orphan");
    await lake.objects.put(key, new Uint8Array(1));
    lake.skip(2 * DAY_MS - MINUTE_MS);
    await audit(lake.world, POLICIES.deployed, 1);
    expect(keysOf(lake)).toEqual([key]);
    lake.skip(2 * MINUTE_MS);
    await audit(lake.world, POLICIES.deployed, 1);
    expect(keysOf(lake)).toEqual([]);
  });

  it("keeps what commits name, the objects of their deltas among it, however old it is", async () => {
    const lake = await lakeWorld();
    await lake.commit(someRows(3, "a"), { deltas: manyDeltas() });
    const before = keysOf(lake);
    expect(before.some((key) => key.startsWith(deltaKey(1, "")))).toBe(true);
    lake.skip(3 * DAY_MS);
    await audit(lake.world, POLICIES.deployed, 1);
    expect(keysOf(lake)).toEqual(before);
  });

  it("keeps what swaps retired until the sweep deletes it, and what heads name", async () => {
    const lake = await lakeWorld();
    await lake.commit(someRows(1_500, "a"), { deltas: manyDeltas() });
    lake.skip(3 * DAY_MS);
    await lake.pass(HOUR_MS);
    const before = keysOf(lake);
    expect(before.some((key) => key.startsWith("fresh/"))).toBe(true);
    await audit(lake.world, POLICIES.deployed, 1);
    expect(keysOf(lake)).toEqual(before);
  });
});
