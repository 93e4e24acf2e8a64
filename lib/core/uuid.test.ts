import { expect, it } from "vitest";
import { canonicalUuid } from "./uuid.ts";

it("a uuid is the same in all ways of writing it", () => {
  const uuid = "0190a1b2-c3d4-7e5f-8a9b-0123456789ab";
  for (const written of [uuid, uuid.toUpperCase(), uuid.replaceAll("-", ""), `urn:uuid:${uuid}`, `{${uuid.toUpperCase()}}`])
    expect(canonicalUuid(written)).toBe(uuid);
});

it("what is no uuid has none", () => {
  for (const text of ["", "0190a1b2", "0190a1b2-c3d4-7e5f-8a9b-0123456789ag", "0190a1b2-c3d4-7e5f-8a9b-0123456789abc", "x".repeat(36)])
    expect(canonicalUuid(text)).toBeUndefined();
});
