import { describe, expect, it } from "vitest";
import { hermesMap, sourceAndMap, symbolFile } from "../../../test/support/symbols/symbol-file.ts";
import { MOST_OPENED_BYTES, openContainer } from "./container.ts";

const BUILT = { code: "let ä=1", map: '{"version":3}' };

describe("a symbol file", () => {
  it.each([1, 2] as const)("of version %i holds the code and its map", (version) => {
    expect(openContainer(sourceAndMap(BUILT, version))).toEqual(BUILT);
  });

  it("of byte code holds a map alone, and a plain map is one as well", () => {
    expect(openContainer(hermesMap(BUILT.map))).toEqual({ code: "", map: BUILT.map });
    expect(openContainer(Buffer.from(BUILT.map))).toEqual({ code: "", map: BUILT.map });
  });

  const whole = sourceAndMap(BUILT, 1);
  const changed = (at: number, byte: number): Buffer => Buffer.from(sourceAndMap(BUILT).with(at, byte));
  it.each([
    ["anything else", Buffer.from("hello"), "no symbol set of posthog-cli"],
    ["one that is cut off", whole.subarray(0, -1), "ends too early"],
    ["one that is cut off before its lengths", whole.subarray(0, 34), "ends too early"],
    ["one that is nothing but its magic word", whole.subarray(0, 22), "ends too early"],
    ["a ProGuard mapping", symbolFile(4, Buffer.from("a")), "a ProGuard mapping"],
    ["a kind of the future", symbolFile(9, Buffer.from("a")), "of kind 9"],
    ["a version of the future", changed(22, 3), "format 3"],
    ["another compression", changed(30, 7), "compressed in a way (7)"],
    ["damaged bytes", changed(33, 0xff), "cannot be decompressed"],
    ["more than can be opened", symbolFile(3, Buffer.alloc(MOST_OPENED_BYTES + 1)), "more than 64 MB"],
    ["more than can be opened, as it is", Buffer.alloc(MOST_OPENED_BYTES + 1, "{"), "more than 64 MB"],
  ])("is refused with a sentence where it is %s", (_, file, sentence) => {
    expect(() => openContainer(file)).toThrow(sentence);
  });
});
