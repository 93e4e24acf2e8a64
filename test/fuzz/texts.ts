import fc, { type Arbitrary } from "fast-check";

export const oneOf = (values: readonly string[]): Arbitrary<string> => fc.constantFrom(...values);

export const list = (of: Arbitrary<string>, least: number, most: number): Arbitrary<string> =>
  fc.array(of, { minLength: least, maxLength: Math.max(least, most), size: "max" }).map((items) => items.join(", "));

/** A text with a hole for each part, as a template. */
export const text = (parts: TemplateStringsArray, ...holes: readonly Arbitrary<string>[]): Arbitrary<string> =>
  fc.tuple(...holes).map((filled) => parts.reduce((all, part, at) => all + (filled[at - 1] ?? "") + part));

/** The first, but once in `times` + 1 the second. */
export const mostly = (usual: Arbitrary<string>, odd: Arbitrary<string>, times: number): Arbitrary<string> =>
  fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: odd });

export const rarely = (of: Arbitrary<string>): Arbitrary<string> => mostly(fc.constant(""), of, 5);
export const sometimes = (of: Arbitrary<string>): Arbitrary<string> => mostly(fc.constant(""), of, 1);
