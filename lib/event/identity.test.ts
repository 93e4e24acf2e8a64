import { describe, expect, it } from "vitest";
import { canonicalUuid } from "../core/uuid.ts";
import { derivePersonId, identityHash, importedDigest, importedUuid, positionedUuid, rememberedPersonIds } from "./identity.ts";

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("identityHash", () => {
  it("never changes: files keep it", () => {
    expect(identityHash(20_465, "$pageview", "ann", "0190a1b2-c3d4-7e5f-8a9b-000000000001")).toBe(EXPECTED);
    expect(identityHash(20_464, "$pageview", "ann", "0190a1b2-c3d4-7e5f-8a9b-000000000001")).toBe(3071825738798922394n);
    expect(identityHash(20_466, "$pageview", "annä", "0190a1b2-c3d4-7e5f-8a9b-000000000001")).toBe(-238767863350105177n);
    expect(identityHash(-1, "a", "b", "c")).toBe(-7955235525271539781n);
  });

  it("tells its parts apart", () => {
    const hashes = new Set([
      identityHash(1, "ab", "c", "d"),
      identityHash(1, "a", "bc", "d"),
      identityHash(1, "a", "b", "cd"),
      identityHash(2, "ab", "c", "d"),
      identityHash(1, "ab\0", "c", "d"),
    ]);
    expect(hashes.size).toBe(5);
  });

  it("has no collisions, nor any bit that leans, among many ordinary identities", () => {
    const seen = new Set<bigint>();
    const ones = new Float64Array(64);
    const count = 200_000;
    for (let i = 0; i < count; i++) {
      const hash = identityHash(20_000 + (i % 3), "$pageview", `user-${i % 1000}`, positioned(i));
      seen.add(hash);
      if (i % 20 === 0) for (let bit = 0; bit < 64; bit++) if ((hash >> BigInt(bit)) & 1n) ones[bit] = (ones[bit] ?? 0) + 20;
    }
    expect(seen.size).toBe(count);
    for (const each of ones) expect(Math.abs(each / count - 0.5)).toBeLessThan(0.02);
  });
});

const EXPECTED = -1802327623489781644n;
const positioned = (i: number): string => `0190a1b2-c3d4-7e5f-8a9b-${i.toString(16).padStart(12, "0")}`;

describe("derived ids", () => {
  it("of persons are the same where they are remembered, however many there are", () => {
    const remembered = rememberedPersonIds(2);
    const ids = Array.from({ length: 10_100 }, (_, at) => `u${at % 10_050}`);
    expect(ids.map(remembered)).toEqual(ids.map((id) => derivePersonId(2, id)));
  });

  it("are persons in the form of a version 5 UUID, one for each project and distinct_id", () => {
    expect(derivePersonId(1, "ann")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set([derivePersonId(1, "ann"), derivePersonId(2, "ann"), derivePersonId(1, "bob")]).size).toBe(3);
    expect(derivePersonId(1, "ann")).toBe(derivePersonId(1, "ann"));
  });

  it("are uuids that grow with the position in a request and begin with its time", () => {
    const uuids = Array.from({ length: 5000 }, (_, position) => positionedUuid("ab".repeat(16), position, 1_768_209_243_512_000n));
    expect(uuids.toSorted()).toEqual(uuids);
    expect(new Set(uuids).size).toBe(5000);
    for (const uuid of uuids.slice(0, 10)) expect(uuid).toMatch(VERSION_7);
    expect(Number.parseInt((uuids[0] ?? "").replace("-", "").slice(0, 12), 16)).toBe(1_768_209_243_512);
    expect(positionedUuid("cd".repeat(16), 0, 1_768_209_243_512_000n)).not.toBe(uuids[0]);
  });

  it("are uuids of imports that depend on nothing but the row and how often it came", () => {
    const event = { project: 1, event: "a", distinctId: "ann", timestamp: "2020-01-01", properties: { x: 1, y: [2] } };
    const digest = importedDigest(event);
    expect(importedDigest({ ...event, properties: { y: [2], x: 1 } })).toBe(digest);
    const uuid = importedUuid(digest, 0, 1_577_836_800_000_000n);
    expect(uuid).toMatch(VERSION_7);
    expect(canonicalUuid(uuid)).toBe(uuid);
    expect(importedUuid(digest, 0, 1_577_836_800_000_000n)).toBe(uuid);
    expect(importedUuid(digest, 1, 1_577_836_800_000_000n)).not.toBe(uuid);
    expect(importedUuid(importedDigest({ ...event, project: 2 }), 0, 1_577_836_800_000_000n)).not.toBe(uuid);
    expect(importedUuid(digest, 0, -5n).slice(0, 13)).toBe("00000000-0000");
  });

  it("never change, so that what is sent again to a later version is the same row of the same person", () => {
    const digest = importedDigest({ project: 1, event: "a", distinctId: "ann", timestamp: "2020-01-01", properties: { x: 1, y: [2] } });
    expect(derivePersonId(1, "ann")).toBe("7bd12c6f-ee72-5495-81d5-a4c7234aa6a3");
    expect(derivePersonId(2, "bob")).toBe("deda1f2e-ed92-5d0e-b3e4-2dab82d46391");
    expect(derivePersonId(2, "eve")).toBe("9b2a410b-5337-59bb-a779-757d111553cb");
    expect(positionedUuid("ab".repeat(16), 7, -5_000_000n)).toBe("00000000-0000-7000-8007-f7113499bd6e");
    expect(importedUuid(digest, 0, -5_000_000n)).toBe("00000000-0000-7f29-9b80-15a630f6c0d1");
    expect(positionedUuid("ab".repeat(16), 5_000, 1_577_836_800_000_000n)).toBe("016f5e66-e800-7001-8388-45ace2da0747");
    expect(importedUuid(digest, 0, 1_577_836_800_000_000n)).toBe("016f5e66-e800-7f29-9b80-15a630f6c0d1");
    expect(importedUuid(digest, 1, 1_577_836_800_000_000n)).toBe("016f5e66-e800-7e8f-b1bd-0955db107750");
  });
});
