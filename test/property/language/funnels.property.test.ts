import fc from "fast-check";
import { expect, it } from "vitest";
import { goldenProject } from "../../golden/golden-project.ts";

const golden = goldenProject();

const WINDOW = 6;

/** The most steps of which each comes after the one before, all within the window after the first: every chain is tried. */
const deepest = (letters: readonly string[], steps: string): number => {
  const from = (at: number, step: number, start: number): number => {
    let best = step;
    for (let next = at; next < letters.length; next += 1) {
      if (step > 0 && next - start > WINDOW) break;
      if (letters[next] === steps[step]) best = Math.max(best, from(next + 1, step + 1, step === 0 ? next : start));
    }
    return best;
  };
  return from(0, 0, 0);
};

it("windowFunnel and sequenceCount find what trying every chain finds", () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom("a", "b", "c", "x"), { minLength: 1, maxLength: 20 }), async (letters) => {
      const list = letters.map((letter, at) => `(${at}, '${letter}')`).reverse();
      const [row] = await golden.rows(
        `SELECT windowFunnel(${WINDOW})(t, e = 'a', e = 'b', e = 'c'), sequenceCount('(?1).*(?2)')(t, e = 'a', e = 'b', e = 'c') FROM (SELECT r.1 AS t, r.2 AS e FROM (SELECT arrayJoin([${list.join(", ")}]) AS r))`,
      );
      expect(row).toEqual([deepest(letters, "abc"), letters.join("").match(/a.*?b/g)?.length ?? 0]);
    }),
    { numRuns: 15 },
  ));
