import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { expect, it } from "vitest";
import { QueryError } from "../../../lib/hogql/errors.ts";
import { patternWork } from "../../../lib/hogql/patterns/pattern-work.ts";
import { compilePattern } from "../../../lib/hogql/regex.ts";

const PIECES = [
  ..."aAbBz019_-^$.|()[]{}*+?\\,:=!<>P \n",
  ..."ééß€",
  "\\d",
  "\\W",
  "\\s",
  "\\b",
  "\\B",
  "\\A",
  "\\z",
  "\\Q",
  "\\E",
  "\\pL",
  "\\p{Greek}",
  "\\P{Lu}",
  "\\p{^Nd}",
  "\\x41",
  "\\x{e9}",
  "\\012",
  "\\1",
  "\\.",
  "\\_",
  "(?:",
  "(?i)",
  "(?s-m:",
  "(?m)",
  "(?P<n>",
  "(?=",
  "(?-i)",
  "(?U)",
  "[^a]",
  "[a-z]",
  "[[:alpha:]]",
  "[[:^digit:]b]",
  "[a-b-c]",
  "[]a]",
  "[\\d-z]",
  "{2}",
  "{1,3}",
  "{0,}",
  "{3,1}",
  "{,2}",
  "{1001}",
  "a{30}",
] as const;

const compiled = (pattern: string): ReturnType<typeof compilePattern> | undefined => {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
};

it("patterns are read and found as the engine reads and finds them", async () => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const inEngine = async (text: string, pattern: string): Promise<unknown> => {
    const answer = await connection.runAndReadAll("SELECT regexp_matches($1, $2, 's')", [text, pattern]).catch(() => undefined);
    return answer?.getRows()[0]?.[0];
  };
  const texts = fc.string({ unit: fc.constantFrom(..."aAbBz019_- \néEß€"), maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }),
      fc.array(texts, { minLength: 3, maxLength: 3 }),
      async (pieces, each) => {
        const pattern = pieces.join("");
        const regex = compiled(pattern);
        // The engine forgets that letters are folded where it makes one class of several branches.
        if (/\(\?i/.test(pattern) && pattern.includes("|")) return;
        for (const text of each)
          expect([pattern, text, regex?.isIn(text, { steps: 1_000_000 })]).toEqual([pattern, text, await inEngine(text, pattern)]);
      },
    ),
    {
      numRuns: 2_000,
      examples: [
        [["\\B"], ["aßa", "ß", "a"]],
        [
          ["(?i)", "\\B", "a", "*"],
          ["aßa", "éa", ""],
        ],
        [
          ["^", "\\B"],
          ["aßa", "ß", ""],
        ],
        [
          ["\\B", "\\Q"],
          ["aßa", "ß", "a"],
        ],
        [
          ["\\b", "\\B"],
          ["aßa", "ß", "a"],
        ],
      ],
    },
  );
});

it("the work that is counted for a pattern is never less than the parts it is compiled to", () => {
  const REPEATED = [...PIECES, "{40}", "{7,30}", "(", ")", "[", "]"];
  void fc.assert(
    fc.property(fc.array(fc.constantFrom(...REPEATED), { maxLength: 12 }), (pieces) => {
      const pattern = pieces.join("");
      expect(compiled(pattern)?.size ?? 0).toBeLessThanOrEqual(patternWork(pattern));
    }),
    { numRuns: 5_000, examples: [[["[^^]", "(", "a{30}", "a{30}", ")", "{30}"]], [["[^]]", "a{30}"]], [["\\Qab\\E", "{40}"]]] },
  );
});
