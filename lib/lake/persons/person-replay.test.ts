import { describe, expect, it } from "vitest";
import { type IdLog, type LoggedOp, mergeLogs } from "./person-log.ts";
import { replay } from "./person-replay.ts";

const at = (time: number) => ({ time: BigInt(time), index: 0, uuid: "u" });
const seen = { first: at(1), last: 1n };
const both = { at: at(1), merge: null, set: { plan: "pro" }, setOnce: null, unset: ["plan"] };

describe("an event that sets and unsets one property", () => {
  it("leaves it unset, as the last of its three changes is the removal", () => {
    const [person] = replay(new Map([["ann", { seen, ops: [both], targets: [] }]]));
    expect(person?.properties).toEqual(new Map());
  });

  it("leaves only the removal in the log: the value can never count", () => {
    const log = mergeLogs([{ seen: [], persons: [{ id: "ann", ...both }] }]).get("ann");
    expect(log?.ops).toEqual([{ ...both, set: null }]);
  });
});

describe("two events at one place of the order", () => {
  const setting: LoggedOp = { ...both, unset: null };
  const merging: LoggedOp = { ...setting, merge: { kind: "identify", source: "ann" }, set: null };

  it("give the same ids to the same persons whether or not what one of them sets is known", () => {
    const rootsWith = (ops: readonly LoggedOp[]) => {
      const logs = new Map<string, IdLog>();
      logs.set("bob", { seen, ops: [merging], targets: [] }).set("ann", { seen, ops, targets: ["bob"] });
      return replay(logs).map(({ root, ids }) => ({ root, ids: ids.toSorted() }));
    };
    expect(rootsWith([])).toEqual([{ root: "ann", ids: ["ann", "bob"] }]);
    expect(rootsWith([setting])).toEqual(rootsWith([]));
  });
});

describe("the person that a merge leaves", () => {
  const sets = (id: string, time: number, set: Record<string, unknown>) => ({
    id,
    at: at(time),
    merge: null,
    set,
    setOnce: null,
    unset: null,
  });
  const merges = (source: string, id: string, time: number) => ({
    ...{ id, at: at(time), merge: { kind: "identify" as const, source } },
    ...{ set: null, setOnce: null, unset: null },
  });
  const merged = (source: Record<string, unknown>, target: Record<string, unknown>) =>
    replay(mergeLogs([{ seen: [], persons: [sets("anon", 1, source), sets("ann", 2, target), merges("anon", "ann", 3)] }]));

  it.each([
    [
      { plan: "free", source: "web", city: "Rome", age: 7 },
      { plan: "pro", name: "Ann" },
    ],
    [
      { plan: "free", source: "web" },
      { plan: "pro", name: "Ann", city: "Rome", age: 7 },
    ],
  ])("has the properties of both, and where both have one that of the person who stays", (source, target) => {
    const persons = merged(source, target);
    expect(persons).toMatchObject([{ root: "ann", createdAt: 1n, isIdentified: true }]);
    expect(new Set(persons[0]?.ids)).toEqual(new Set(["ann", "anon"]));
    expect(Object.fromEntries(persons[0]?.properties ?? [])).toEqual({ ...source, ...target });
  });
});

describe("the log of a person", () => {
  const sets = (time: number, set: Record<string, unknown>) => ({ id: "ann", at: at(time), merge: null, set, setOnce: null, unset: null });
  const logOf = (...persons: ReturnType<typeof sets>[]) => mergeLogs([{ seen: [], persons }]).get("ann")?.ops;

  it("does not grow while the same properties are set again and again", () => {
    expect(logOf(...[1, 2, 3, 4].map((time) => sets(time, { plan: time, seats: time, city: time })))).toHaveLength(1);
  });

  it("is the same of copies of one event that differ, in whatever order they come", () => {
    const [some, other] = [sets(1, { plan: "free", city: "Rome" }), sets(1, { plan: "pro", city: "Oslo", age: 7 })];
    expect(logOf(some, other)).toEqual(logOf(other, some));
    expect(logOf(some, other)).toMatchObject([{ set: { plan: "free", city: "Oslo", age: 7 } }]);
  });
});
