import { expect, it } from "vitest";
import { canonicalUuid, isHyphenatedUuid } from "./uuid.ts";

it("a uuid is the same in all ways of writing it", () => {
  const uuid = "0190a1b2-c3d4-7e5f-8a9b-0123456789ab";
  for (const written of [uuid, uuid.toUpperCase(), uuid.replaceAll("-", ""), `urn:uuid:${uuid}`, `{${uuid.toUpperCase()}}`])
    expect(canonicalUuid(written)).toBe(uuid);
});

it("what is no uuid has none", () => {
  for (const text of ["", "0190a1b2", "0190a1b2-c3d4-7e5f-8a9b-0123456789ag", "0190a1b2-c3d4-7e5f-8a9b-0123456789abc", "x".repeat(36)])
    expect(canonicalUuid(text)).toBeUndefined();
});

it("at the place of a digit stands a digit and at that of a hyphen a hyphen, and nothing else", () => {
  const uuid = "0190a1b2-c3d4-7e5f-8a9b-0123456789ab";
  const characters = Array.from({ length: 0x400 }, (_, code) => String.fromCharCode(code));
  for (const [place, written] of [...uuid].entries()) {
    const fitting = characters.filter((other) => isHyphenatedUuid(`${uuid.slice(0, place)}${other}${uuid.slice(place + 1)}`));
    expect(fitting.join("")).toBe(written === "-" ? "-" : "0123456789ABCDEFabcdef");
  }
});
