import fc from "fast-check";
import { expect, it } from "vitest";
import { compileFilters } from "../../../lib/error-tracking/filters.ts";
import { subject } from "../../../lib/error-tracking/matching/subject.ts";
import { call, from, select } from "../../../lib/hogql/build.ts";
import { lower } from "../../../lib/hogql/lower.ts";
import { propertiesCondition } from "../../../lib/insight/filters/filters.ts";
import { Properties } from "../../../lib/insight/filters/property-filter.ts";
import { goldenProject } from "../../golden/golden-project.ts";
import { NOW } from "../../golden/harness.ts";
import { anEvent } from "../../golden/project.ts";

/** Values that are alike in one way and not in another: as text, as number, as time, by case. No empty text: queries find it missing, rules do not. */
const VALUES: readonly unknown[] = [
  "a",
  "A",
  "alpha",
  "ALPHABET",
  "50%_\\x",
  "Ünïcode é",
  "two\nlines",
  " 7 ",
  "007",
  "7.0",
  "1e3",
  "-12.5",
  "true",
  "null",
  "2026-01-10",
  "2026-01-10T10:00:00Z",
  "2026-01-14 23:59:59.5",
  "2026-01-15T11:30:00+02:00",
  7,
  0,
  -12.5,
  1000,
  0.1,
  true,
  false,
  null,
  undefined,
  [1, "a"],
  { a: 1 },
  "+5",
  ".5",
  "5.",
  "0x10",
  "Infinity",
];
/** What is asked for its time: of the many other forms that queries read dates in, rules know none. */
const TIMES: readonly unknown[] = [
  undefined,
  "2026-01-10",
  "2026-01-10T10:00:00Z",
  "2026-01-14 23:59:59.5",
  "2026-01-15T11:30:00+02:00",
  "2026-01-15 09:30:00.000001",
  "2026-02-30",
  "soon",
  1768000000,
  "1768471200.25",
  1768471200123,
];
const KEYS = ["x", "y"] as const;
const ROWS = VALUES.flatMap((x, index) => [
  { x, y: VALUES[(index * 7 + 3) % VALUES.length], d: TIMES[index % TIMES.length] },
  { y: x, x: VALUES[(index * 11 + 5) % VALUES.length], d: TIMES[(index * 3) % TIMES.length] },
]);

const WANTED: readonly string[] = [...VALUES.filter((value) => typeof value === "string"), "7", "A", "-7d", "2026-01-15"].map(String);
const PATTERNS: readonly string[] = [
  "a",
  "^a",
  "a$",
  "^$",
  ".",
  "lines$",
  "two.lines",
  "(?i)ALPHA",
  "(?i:É)",
  "[a-c]+",
  "[^a-z0-9]",
  "\\d{2,4}-\\d\\d",
  "\\bone\\b|\\bcode\\b",
  "(?m)^lines",
  "(?P<n>a|l)+p",
  "\\p{L}{4}",
  "[[:upper:]]{2}",
  "\\Q50%_\\\\E",
  "^(\\+|-)?[0-9.]+$",
  "x{0}",
  "\\x41|\\x{e9}",
  "(?-s)two.lines",
  "t\\w*\\s",
  "a*?b??",
  "^\\S+\\z",
  "\\Aa",
];

const value = fc.constantFrom(...WANTED);
const oneOrMore = fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 }));
const number = fc.constantFrom<string | number>(7, -12.5, 0, "1000", "0.1", 1e3);
/** Compared as a text: no number and no date. */
const word = fc.constantFrom("a", "A", "alphabet", "Ünïcode", "two\nlines", "true");
const date = fc.constantFrom("2026-01-10", "2026-01-14", "2026-01-10T10:00:00Z", "-7d", "2026-01-15 09:30:00", "-1dStart");

const timed = fc.oneof(
  fc.record({ operator: fc.constantFrom("gt", "gte", "lt", "lte", "is_date_before", "is_date_after", "is_date_exact"), value: date }),
  fc.record({ operator: fc.constantFrom("exact", "is_not"), value: date }),
);

const leaf = fc
  .oneof(
    fc.record({ operator: fc.constantFrom("exact", "is_not", "in", "not_in", "icontains", "not_icontains"), value: oneOrMore }),
    fc.record({ operator: fc.constantFrom("regex", "not_regex"), value: fc.constantFrom(...PATTERNS) }),
    fc.record({ operator: fc.constantFrom("gt", "gte", "lt", "lte"), value: fc.oneof(number, word) }),
    fc.record({ operator: fc.constantFrom("between", "not_between"), value: fc.tuple(number, number) }),
    fc.record({ operator: fc.constantFrom("is_set", "is_not_set"), value: fc.constant("is_set") }),
  )
  .chain((condition) => fc.constantFrom(...KEYS).map((key) => ({ key, type: "event", ...condition })));
const anyLeaf = fc.oneof(
  { weight: 3, arbitrary: leaf },
  timed.map((condition) => ({ key: "d", type: "event", ...condition })),
);

const group = fc.record({
  type: fc.constantFrom("AND", "OR"),
  values: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: anyLeaf },
      fc.record({ type: fc.constantFrom("AND", "OR"), values: fc.array(anyLeaf, { maxLength: 2 }) }),
    ),
    { maxLength: 3 },
  ),
});

const golden = goldenProject(
  ROWS.map((properties, index) => anEvent({ at: "2026-01-01T00:00:00Z", properties: { ...properties, n: index } }, index + 1)),
);

const selected = async (filters: unknown): Promise<readonly number[]> => {
  const query = select([call("toInt", { kind: "field", chain: ["properties", "n"] })], {
    from: from("events"),
    where: propertiesCondition(Properties.parse(filters), {
      now: NOW,
      timezone: "UTC",
      weekStart: 0,
      expression: () => call("isNull", { kind: "constant", value: null }),
    }),
  });
  const { lowered } = lower(query, { project: 1, timezone: "UTC", now: NOW, variables: {}, page: null });
  return (await golden.run(lowered)).map(([n]) => Number(n)).sort((a, b) => a - b);
};

const matched = (filters: unknown): readonly number[] => {
  const matches = compileFilters(filters, "UTC");
  return ROWS.flatMap((properties, index) =>
    matches(subject(JSON.parse(JSON.stringify({ ...properties, n: index })), null, NOW)) ? [index] : [],
  );
};

it("a rule matches the very events that the same filters of an insight select", async () => {
  await fc.assert(
    fc.asyncProperty(group, async (filters) => {
      expect(matched(filters)).toEqual(await selected(filters));
    }),
    { numRuns: 400 },
  );
});
