import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactJson } from "../../../lib/core/exact-json.ts";

/**
 * An own reading of numbers, in whole numbers only: a decimal is `units` of ten to the `power`, a double is read from its bits.
 */
interface Decimal {
  readonly units: bigint;
  readonly power: number;
}

const decimal = (text: string): Decimal => {
  const [mantissa = "", power = "0"] = text.split(/[eE]/);
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { units: BigInt(whole + fraction), power: Number(power) - fraction.length };
};

/** Both of the same power of ten. */
const aligned = (a: Decimal, b: Decimal): readonly [bigint, bigint] => {
  const power = Math.min(a.power, b.power);
  return [a.units * 10n ** BigInt(a.power - power), b.units * 10n ** BigInt(b.power - power)];
};

const isEqual = (a: Decimal, b: Decimal): boolean => {
  const [left, right] = aligned(a, b);
  return left === right;
};

/** A positive double, exactly: a fraction of powers of two is one of powers of ten, too. */
const exactly = (double: number): Decimal => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  const bits = view.getBigUint64(0);
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const significand = field === 0 ? fraction : fraction | (1n << 52n);
  const shift = (field === 0 ? 1 : field) - 1_075;
  return shift >= 0 ? { units: significand << BigInt(shift), power: 0 } : { units: significand * 5n ** BigInt(-shift), power: shift };
};

/** The digits of a decimal without the zeros at its ends. */
const significant = ({ units }: Decimal): string => String(units).replace(/0+$/, "");

/** Whether no decimal of 17 digits is nearer to what the double is. */
const isNearest = (sent: Decimal, double: number): boolean => {
  if (significant(sent).length > 17) return false;
  const value = exactly(double);
  const last = { units: 1n, power: value.power + String(value.units).length - 17 };
  const [a, b] = aligned(sent, value);
  const distance = { units: a > b ? a - b : b - a, power: Math.min(sent.power, value.power) };
  const [twice, unit] = aligned({ ...distance, units: 2n * distance.units }, last);
  return twice <= unit;
};

/** What is expected of a number without sign: whether its digits have to be kept. */
const isKept = (text: string): boolean => {
  const digits = text.split(/[eE]/)[0]?.replace(".", "") ?? "";
  const sent = decimal(text);
  if (digits.length < 16 || sent.units === 0n) return false;
  const double = Number(text);
  if (!Number.isFinite(double)) return false;
  if (double === 0) return true;
  if (/^\d+$/.test(text)) return !isEqual(sent, decimal(String(double)));
  return !isEqual(sent, decimal(String(double))) && !isNearest(sent, double);
};

const digits = (least: number, most: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(..."0123456789"), { minLength: least, maxLength: most }).map((all) => all.join(""));
const whole = fc
  .oneof(digits(1, 25), fc.bigInt(2n ** 53n - 50n, 2n ** 53n + 50n).map(String), fc.bigInt(0n, 2n ** 70n).map(String))
  .map((text) => text.replace(/^0+(?=\d)/, ""));
const exponent = fc.integer({ min: -330, max: 320 }).map((power) => `e${power}`);
const near = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 });

/** Numbers as JSON writes them, without sign: of any digits, and doubles as programs print them. */
const numbers = fc.oneof(
  whole,
  fc.tuple(whole, digits(1, 25)).map(([before, after]) => `${before}.${after}`),
  fc.tuple(whole, exponent).map(([before, power]) => before + power),
  fc.tuple(whole, digits(1, 20), exponent).map(([before, after, power]) => `${before}.${after}${power}`),
  near.map(String),
  fc.tuple(near, fc.integer({ min: 15, max: 21 })).map(([double, precision]) => double.toPrecision(precision)),
  fc
    .tuple(fc.double({ noNaN: true, min: 0, max: 1e20 }), fc.integer({ min: 0, max: 30 }))
    .map(([double, places]) => double.toFixed(places)),
);

const names = fc.oneof(fc.string({ maxLength: 5 }), digits(16, 20), fc.constant("__proto__"));
const texts = fc.oneof(
  fc.string(),
  digits(16, 30),
  digits(16, 20).map((text) => `: ${text}`),
  digits(16, 20).map((text) => `",${text}`),
);
const signed = fc.tuple(fc.constantFrom("", "-"), numbers).map(([sign, number]) => sign + number);

/** JSON text, and the same as it has to be written again. */
type Pair = readonly [sent: string, written: string];
const same = (text: string): Pair => [text, text];
const number: fc.Arbitrary<Pair> = signed.map((text) => [text, isKept(text.replace(/^-/, "")) ? text : JSON.stringify(Number(text))]);
const { value } = fc.letrec<{ value: Pair }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: number, weight: 4 },
    texts.map((text) => same(JSON.stringify(text))),
    fc.constantFrom("true", "false", "null").map(same),
    fc
      .tuple(fc.array(tie("value"), { maxLength: 5 }), fc.constantFrom(",", " ,\n", ",\t"))
      .map(
        ([items, comma]): Pair => [`[${items.map(([sent]) => sent).join(comma)}]`, `[${items.map(([, written]) => written).join(",")}]`],
      ),
    fc
      .tuple(fc.uniqueArray(fc.tuple(names, tie("value")), { maxLength: 5, selector: ([name]) => name }), fc.constantFrom(":", " : "))
      .map(([fields, colon]): Pair => {
        // Names that are small whole numbers come first in an object.
        const own = fields.filter(([name]) => !/^\d{1,10}$/.test(name));
        return [
          `{${own.map(([name, [sent]]) => `${JSON.stringify(name)}${colon}${sent}`).join(",")}}`,
          `{${own.map(([name, [, written]]) => `${JSON.stringify(name)}:${written}`).join(",")}}`,
        ];
      }),
  ),
}));

describe("numbers of JSON texts", () => {
  it("keep their digits where a double would round them, and only there", () => {
    void fc.assert(
      fc.property(numbers, (text) => {
        expect(JSON.stringify(exactJson(text))).toBe(isKept(text) ? text : JSON.stringify(Number(text)));
      }),
      { numRuns: 3_000 },
    );
  });

  it("are found wherever they stand, and nothing else is changed", () => {
    void fc.assert(
      fc.property(value, ([sent, written]) => {
        expect(JSON.stringify(exactJson(sent))).toBe(written);
      }),
      { numRuns: 1_000 },
    );
  });
});
