import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_BOUND_LENGTH } from "../lake/catalogue.ts";
import { textBounds, timeBounds } from "./bounds.ts";

/** Texts around the places where the order of code units is not that of bytes, short and longer than what is kept of them. */
const character = fc.constantFrom(
  "a",
  "b",
  "\u{7f}",
  "ß",
  "\u{d7ff}",
  "\u{e000}",
  "\u{fffd}",
  "\u{ffff}",
  "\u{10000}",
  "\u{1f600}",
  "\u{10ffff}",
);
const text = fc.oneof(
  fc.array(character, { maxLength: 4 }),
  fc
    .tuple(fc.constantFrom("a", "\u{d7ff}", "\u{1f600}"), fc.array(character, { maxLength: 4 }))
    .map(([long, rest]) => [long.repeat(199), ...rest]),
);
const texts = fc.array(
  text.map((parts) => parts.join("")),
  { minLength: 1, maxLength: 12 },
);

describe("bounds of texts", () => {
  it("enclose every text by its bytes, whatever was cut off and wherever the two orders differ", () => {
    fc.assert(
      fc.property(texts, (all) => {
        const sorted = all.toSorted();
        const facts = [sorted[0] ?? "", sorted.at(-1) ?? ""].map((each) => each.slice(0, MAX_BOUND_LENGTH)) as [string, string];
        const { lower, upper } = textBounds(facts);
        for (const each of all) {
          const bytes = Buffer.from(each);
          expect(Buffer.compare(lower, bytes)).toBeLessThanOrEqual(0);
          if (upper) expect(Buffer.compare(bytes, upper)).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 500 },
    );
  });
  it("are text themselves, and exact where nothing was cut and the orders agree", () => {
    fc.assert(
      fc.property(texts, (all) => {
        const sorted = all.map((each) => each.slice(0, MAX_BOUND_LENGTH)).toSorted();
        const { lower, upper } = textBounds([sorted[0] ?? "", sorted.at(-1) ?? ""]);
        for (const bound of [lower, upper ?? lower]) expect(Buffer.from(Buffer.from(bound).toString("utf8"))).toEqual(Buffer.from(bound));
      }),
    );
    const { lower, upper } = textBounds(["ana", "zoë"]);
    expect([lower.toString(), upper?.toString()]).toEqual(["ana", "zoë"]);
    expect(textBounds(["", "\u{1f600}"]).upper).toBeUndefined();
  });
});

describe("bounds of times", () => {
  it("are their microseconds as eight bytes, the lowest first, also before 1970 and in the year 9999", () => {
    const { lower, upper } = timeBounds(["-62135596800000000", "253402300799999999"]);
    expect([Buffer.from(lower).readBigInt64LE(), upper && Buffer.from(upper).readBigInt64LE()]).toEqual([
      -62_135_596_800_000_000n,
      253_402_300_799_999_999n,
    ]);
  });
});
