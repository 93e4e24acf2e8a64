import fc from "fast-check";
import { expect, test } from "vitest";
import { byteOrder } from "../../../lib/core/byte-order.ts";
import { keyPart } from "../../../lib/table/key-part.ts";

// All strings, halves of surrogate pairs among them: those do not survive the wire unescaped.
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("#", "%", "2", "3", "5", "a", "\ud800", "\udc00", "D") }),
);

test("two values never give one key part, and a part never holds a separator or half a character", () => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      const [a, b] = [keyPart(left, "sk"), keyPart(right, "sk")];
      expect(a === b).toBe(left === right);
      expect(a).not.toContain("#");
      expect(a.isWellFormed()).toBe(true);
    }),
  );
});

test("joined parts stay apart: two lists of values never give one key", () => {
  const list = fc.array(text, { minLength: 2, maxLength: 3 });
  fc.assert(
    fc.property(list, list, (left, right) => {
      const join = (values: readonly string[]) => values.map((value) => keyPart(value, "pk")).join("#");
      expect(join(left) === join(right)).toBe(JSON.stringify(left) === JSON.stringify(right));
    }),
  );
});

test("numbers sort in sort keys as numbers do", () => {
  const number = fc.oneof(fc.nat(20), fc.maxSafeNat());
  fc.assert(
    fc.property(number, number, (left, right) => {
      expect(Math.sign(byteOrder(keyPart(left, "sk"), keyPart(right, "sk")))).toBe(Math.sign(left - right));
    }),
  );
});

test("the order of strings is that of their bytes", () => {
  const wellFormed = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(wellFormed, wellFormed, (left, right) => {
      expect(Math.sign(byteOrder(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)));
    }),
  );
});

test("what is no whole number from 0 on is no key", () => {
  for (const wrong of [-1, 0.5, Number.NaN, 2 ** 53]) expect(() => keyPart(wrong, "pk")).toThrow("whole numbers");
});
