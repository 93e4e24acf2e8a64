import { describe, expect, it } from "vitest";
import { boundedGroup, boundedLog, boundedPerson, MAX_PROPERTIES } from "./bounds.ts";
import { groupLogs } from "./group-log.ts";
import type { IdLog, LoggedOp } from "./person-log.ts";
import { replay } from "./person-replay.ts";

const op = (time: number, said: Partial<LoggedOp>): LoggedOp => ({
  at: { time: BigInt(time), index: 0, uuid: "u" },
  ...{ merge: null, set: null, setOnce: null, unset: null },
  ...said,
});
const logOf = (...ops: readonly LoggedOp[]): IdLog => ({ seen: null, ops, targets: [] });
const fields = (name: string, count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, at]));

describe("the bound of what one id may set", () => {
  it("counts each property of a set_once", () => {
    const { left, dropped } = boundedLog(logOf(op(1, { setOnce: fields("a", MAX_PROPERTIES + 3) })));
    expect([dropped, Object.keys(left.ops[0]?.setOnce ?? {}).length]).toEqual([3, MAX_PROPERTIES]);
  });

  it("leaves no operation that says nothing any more", () => {
    const early = op(1, { unset: ["gone"] });
    const late = op(2, { set: fields("a", MAX_PROPERTIES) });
    const { left, dropped } = boundedLog(logOf(early, late));
    expect(dropped).toBe(1);
    expect(left.ops).toEqual([late]);
  });

  it("is a thousand properties and half a megabyte, both just so", () => {
    const all = logOf(op(1, { set: fields("a", MAX_PROPERTIES) }));
    expect(boundedLog(all)).toEqual({ left: all, dropped: 0 });
    const text = (bytes: number) => logOf(op(1, { set: { k: "x".repeat(bytes - 1) } }));
    expect(boundedLog(text(524_288)).dropped).toBe(0);
    expect(boundedLog(text(524_289)).dropped).toBe(1);
    expect(boundedLog(logOf(op(1, { setOnce: { list: ["é".repeat(300_000)], text: "é".repeat(200_000) } }))).dropped).toBe(1);
  });

  it("counts all that is said of one property against it, and drops first what was said longest ago", () => {
    const [old, both, late] = [
      op(1, { set: { old: "x".repeat(100_000) } }),
      op(2, { set: { both: "x".repeat(300_000) } }),
      op(3, { setOnce: { both: "x".repeat(150_000) } }),
    ];
    expect(boundedLog(logOf(old, both, late))).toEqual({ left: logOf(both, late), dropped: 1 });
    const newest = op(4, { set: { newest: "x".repeat(200_000) } });
    expect(boundedLog(logOf(both, late, newest)).left.ops).toEqual([newest]);
  });

  it("drops by name among those that were said at once", () => {
    const { left, dropped } = boundedLog(
      logOf(op(1, { set: Object.fromEntries(Object.entries(fields("a", MAX_PROPERTIES + 1)).reverse()) })),
    );
    expect([dropped, left.ops[0]?.set?.a999, left.ops[0]?.set?.a0]).toEqual([1, undefined, 0]);
  });

  it("drops a set_once that changed nothing before anything else", () => {
    const first = op(1, { setOnce: { plan: "x".repeat(200_000), city: "x" } });
    const again = op(2, { setOnce: { plan: "y".repeat(200_000), city: "y" } });
    const third = op(3, { setOnce: { plan: "z".repeat(200_000) } });
    expect(boundedLog(logOf(first, again, third))).toEqual({ left: logOf(first), dropped: 0 });
    for (const between of [{ set: { plan: "a", city: "a" } }, { unset: ["plan", "city"] }]) {
      const ops = [first, op(2, between), { ...again, at: op(3, {}).at }];
      const filler = op(4, { set: { filler: "x".repeat(100_000) } });
      expect(boundedLog(logOf(...ops, op(5, { setOnce: { plan: "again".repeat(30_000) } }), filler)).left.ops).toEqual([...ops, filler]);
    }
  });

  it("keeps what merges", () => {
    const merging = op(1, { merge: { kind: "identify", source: "anon" }, set: { old: 1 } });
    const late = op(2, { set: fields("a", MAX_PROPERTIES), unset: ["old"] });
    expect(boundedLog(logOf(merging, late)).left.ops[0]).toEqual({ ...merging, set: null });
  });
});

describe("the bound of what a group may have", () => {
  it("is the same", () => {
    const grouped = (...sets: readonly Record<string, unknown>[]) =>
      groupLogs(sets.map((set, time) => ({ at: op(time, {}).at, slot: 1, key: "acme", set }))).get("1:acme");
    const [all, over] = [grouped(fields("a", MAX_PROPERTIES)), grouped({ old: 1, older: 2 }, fields("a", MAX_PROPERTIES))];
    if (all === undefined || over === undefined) throw new Error("no group was stated");
    expect(boundedGroup(all)).toEqual({ left: all, dropped: 0 });
    const { left, dropped } = boundedGroup(over);
    expect(dropped).toBe(2);
    expect(left).toMatchObject({ slot: 1, key: "acme", createdAt: 0n, updatedAt: 1n });
    expect([...left.properties.keys()]).toEqual([...all.properties.keys()]);
  });
});

describe("the bound of what several ids may make of one person", () => {
  const personOf = (logs: ReadonlyMap<string, IdLog>) => {
    const [person] = replay(logs);
    if (person === undefined) throw new Error("nobody was seen");
    return person;
  };
  const merging = op(9, { merge: { kind: "identify", source: "anon" } });
  const logsOf = (anon: readonly LoggedOp[], ann: readonly LoggedOp[]) =>
    new Map([
      ["anon", { ...logOf(...anon), targets: ["ann"] }],
      ["ann", logOf(...ann, merging)],
    ]);

  it("is the same: what any of them said longest ago goes first", () => {
    const half = MAX_PROPERTIES / 2;
    const within = logsOf([op(1, { set: fields("a", half) })], [op(2, { set: fields("b", half) })]);
    expect(boundedPerson(personOf(within), within)).toEqual({ left: personOf(within), dropped: 0 });
    const over = logsOf(
      [op(1, { setOnce: { old: 1, renewed: 1 } }), op(3, { set: fields("a", half) })],
      [op(2, { set: fields("b", half - 1) }), op(4, { set: { renewed: 2 } })],
    );
    const { left, dropped } = boundedPerson(personOf(over), over);
    expect(dropped).toBe(1);
    expect([left.root, left.ids.toSorted(), left.isIdentified, left.createdAt]).toEqual(["ann", ["ann", "anon"], true, 1n]);
    expect([left.properties.size, left.properties.has("old"), left.properties.get("renewed")]).toEqual([MAX_PROPERTIES, false, 2]);
  });
});
