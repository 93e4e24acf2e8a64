import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LaneLimits, NO_TURNS, nextTurn, type Turns, usedBy, type Waiting, withBegun, withEnded, withoutLost } from "./turns.ts";

const LIMITS: LaneLimits = { atOnce: 3, ofGroup: 2, ofOwner: 1 };

const work = (owner: string, group = owner): Waiting => ({ owner, group });

const begin = (turns: Turns, one: Waiting, began = 0, until = 9e9): Turns => withBegun(turns, one, { name: one.owner, began, until });

/** Turns once these took so long, one after another. */
const turnsAfter = (...took: readonly (readonly [owner: string, ms: number])[]): Turns =>
  took.reduce((turns, [owner, ms]) => withEnded(begin(turns, work(owner)), owner, ms), NO_TURNS);

describe("the turns of a lane", () => {
  it("go to whoever has used least, and among these in the order in which they came", () => {
    const waiting = [work("a"), work("b"), work("c")];
    expect(nextTurn(NO_TURNS, waiting, LIMITS)?.owner).toBe("a");
    expect(nextTurn(turnsAfter(["a", 4_000]), waiting, LIMITS)?.owner).toBe("b");
    expect(nextTurn(turnsAfter(["a", 4_000], ["b", 1], ["c", 1]), waiting, LIMITS)?.owner).toBe("b");
  });

  it("leave no place idle that only one wants", () => {
    expect(nextTurn(turnsAfter(["a", 4_000]), [work("a")], LIMITS)?.owner).toBe("a");
  });

  it("owe nobody for the time in which they wanted nothing", () => {
    const turns = turnsAfter(["a", 4_000], ["a", 4_000]);
    expect(usedBy(turns, "late")).toBe(4_000);
    expect(usedBy(turns, "a")).toBe(8_000);
  });

  it.each([
    ["of one owner", [work("a", "g")], work("a", "g")],
    ["of one group", [work("a", "g"), work("b", "g")], work("c", "g")],
    ["of all", [work("a"), work("b"), work("c")], work("d")],
  ])("are given to no more than may run at once %s", (_, running, next) => {
    const turns = running.reduce((before, one) => begin(before, one, 0, 10), NO_TURNS);
    expect(nextTurn(turns, [next], LIMITS)).toBeUndefined();
    expect(nextTurn(withoutLost(turns, 10), [next], LIMITS)).toBe(next);
  });

  it("are lost by whoever does not end, and charged", () => {
    const turns = withoutLost(begin(NO_TURNS, work("a"), 100, 400), 400);
    expect(turns.running).toEqual([]);
    expect(usedBy(turns, "a")).toBe(300);
    // Its function was not ended after all: the place is another's by now.
    expect(withEnded(turns, "a", 900)).toBe(turns);
  });

  it("remember only so many owners, those that used most", () => {
    const owners = Array.from({ length: 300 }, (_, at) => `o${at}`);
    const begun = owners.reduce((turns, owner) => begin(turns, work(owner)), NO_TURNS);
    const turns = owners.reduce((before, owner, at) => withEnded(before, owner, at + 1), begun);
    expect(Object.keys(turns.used)).toHaveLength(200);
    expect([usedBy(turns, "o299"), usedBy(turns, "o0")]).toEqual([300, 0]);
  });

  it("give each owner who always wants them the same time, however long each of its works takes", () => {
    const lengths = fc.array(fc.integer({ min: 10, max: 5_000 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(lengths, (lasting) => {
        const waiting = lasting.map((_, at) => work(`o${at}`));
        const spent = lasting.map(() => 0);
        let turns = NO_TURNS;
        for (let now = 0; now < 400_000; ) {
          const next = nextTurn(turns, waiting, { atOnce: 1, ofGroup: 1, ofOwner: 1 });
          if (next === undefined) throw new Error("the lane stands idle");
          const at = waiting.indexOf(next);
          const ms = lasting[at] ?? 0;
          turns = withEnded(begin(turns, next, now, now + ms + 1), next.owner, now + ms);
          now += ms;
          spent[at] = (spent[at] ?? 0) + ms;
        }
        expect(Math.max(...spent) - Math.min(...spent)).toBeLessThanOrEqual(Math.max(...lasting));
      }),
      { numRuns: 50 },
    );
  });
});
