import fc from "fast-check";
import { expect, it } from "vitest";
import { didYouMean, nearest } from "./suggest.ts";

it("names what is near, and nothing that is far", () => {
  expect(didYouMean("evnt", ["timestamp", "event"])).toBe(" Did you mean `event`?");
  expect(didYouMean("cuont", ["corr", "count"])).toBe(" Did you mean `count`?");
  expect(didYouMean("bogus", ["timestamp", "event"])).toBe("");
});

it("never names what was asked for", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.array(fc.string({ maxLength: 8 })), (name, known) => {
      expect(nearest(name, [name, ...known])).not.toBe(name);
    }),
  );
});
