import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeGroupEntries, encodeGroupEntries, groupLogs } from "./group-log.ts";
import { decodeLog, encodeLog, type IdLog, isTied, joinLogs, type LoggedOp, mergeLogs } from "./person-log.ts";

const anAt = fc.record({
  time: fc.constantFrom(-62_167_219_200_000_000n, 1n, 2n, 253_402_300_799_999_999n),
  index: fc.constantFrom(0, 1),
  uuid: fc.constantFrom("a", "b"),
});
const aName = fc.constantFrom("plan", "city", "age");
const someFields = fc.option(fc.dictionary(aName, fc.jsonValue({ maxDepth: 1 }), { minKeys: 1 }));
/** Copies of one event merge the same. */
const mergeAt = ({ index, uuid }: LoggedOp["at"]): LoggedOp["merge"] =>
  index === 0 ? null : { kind: uuid === "a" ? "identify" : "alias", source: uuid === "a" ? "anon" : "other" };
const anOp = fc
  .record({
    at: anAt,
    set: someFields,
    setOnce: someFields,
    unset: fc.option(fc.uniqueArray(aName, { minLength: 1 })),
  })
  .map((op): LoggedOp => ({ ...op, merge: mergeAt(op.at) }));
const someDeltas = fc.record({
  seen: fc.array(fc.record({ id: fc.constantFrom("ann", "anon"), first: anAt, last: fc.constantFrom(0n, 5n) }), { maxLength: 3 }),
  persons: fc.array(
    anOp.map((op) => ({ ...op, id: "ann" })),
    { maxLength: 5 },
  ),
});

const written = (log: IdLog): unknown => JSON.parse(encodeLog(log));
/** Of copies of one event that each remove something the order of the names says nothing. */
const told = (logs: ReadonlyMap<string, IdLog>) =>
  new Map([...logs].map(([id, log]) => [id, { ...log, ops: log.ops.map((op) => ({ ...op, unset: op.unset?.toSorted() ?? null })) }]));

describe("the log of an id", () => {
  it("is read as it was written", () => {
    void fc.assert(
      fc.property(someDeltas, (deltas) => {
        for (const log of mergeLogs([deltas]).values()) {
          expect(decodeLog(encodeLog(log))).toEqual(log);
          expect(Object.keys(Object(written(log)))).toEqual([
            ...(log.seen ? ["s"] : []),
            ...(log.ops.length > 0 ? ["o"] : []),
            ...(log.targets.length > 0 ? ["t"] : []),
          ]);
        }
      }),
    );
  });

  it("is the same however its deltas are split, in whatever order they come and as often as they do", () => {
    void fc.assert(
      fc.property(someDeltas, someDeltas, (one, other) => {
        const joined = (first: typeof one, second: typeof one) => {
          const [a, b] = [mergeLogs([first]), mergeLogs([second])];
          const ids = new Set([...a.keys(), ...b.keys()]);
          return told(new Map([...ids].map((id) => [id, joinLogs(a.get(id), b.get(id))])));
        };
        const both = told(mergeLogs([one, other]));
        expect(joined(one, other)).toEqual(both);
        expect(joined(other, one)).toEqual(both);
        expect(told(mergeLogs([one, other, one]))).toEqual(both);
      }),
    );
  });

  const at = (time: number) => ({ time: BigInt(time), index: 0, uuid: "u" });
  const saying = (time: number, said: Partial<LoggedOp>) => ({
    id: "ann",
    at: at(time),
    merge: null,
    set: null,
    setOnce: null,
    unset: null,
    ...said,
  });
  const opsOf = (...persons: ReturnType<typeof saying>[]) => mergeLogs([{ seen: [], persons }]).get("ann")?.ops;
  const merge = { kind: "identify", source: "anon" } as const;

  it("keeps of a merge that is said again the first, and what else it says", () => {
    expect(opsOf(saying(1, { merge }), saying(2, { merge, set: { plan: 1 } }), saying(3, { merge }))).toEqual([
      { at: at(1), merge, set: null, setOnce: null, unset: null },
      { at: at(2), merge: null, set: { plan: 1 }, setOnce: null, unset: null },
    ]);
    for (const other of [
      { ...merge, kind: "alias" as const },
      { ...merge, source: "other" },
    ])
      expect(opsOf(saying(1, { merge }), saying(2, { merge: other }))?.map((op) => op.merge)).toEqual([merge, other]);
  });

  it("joins copies of one event, each of which has lost something", () => {
    const whole = { merge, set: { plan: 1 }, setOnce: { city: 2 }, unset: ["age"] };
    const none = { merge: null, set: null, setOnce: null, unset: null };
    for (const field of ["merge", "set", "setOnce", "unset"] as const)
      for (const copies of [
        [saying(1, { ...whole, [field]: null }), saying(1, whole)],
        [saying(1, whole), saying(1, { ...none, [field]: whole[field] })],
      ])
        expect(opsOf(...copies)).toEqual([{ at: at(1), ...whole }]);
    expect(opsOf(saying(1, { unset: ["a"] }), saying(1, { unset: ["b"] }))?.[0]?.unset?.toSorted()).toEqual(["a", "b"]);
  });

  it("is tied by merges from either side, and by nothing else", () => {
    const logs = mergeLogs([
      { seen: [{ id: "cid", first: at(1), last: 1n }], persons: [saying(1, { merge }), { ...saying(1, { set: { a: 1 } }), id: "dan" }] },
    ]);
    expect([...logs].filter(([, log]) => isTied(log)).map(([id]) => id)).toEqual(["ann", "anon"]);
  });
});

it("the properties of a group are read as they were written", () => {
  const [log] = groupLogs([
    { at: { time: 253_402_300_799_999_999n, index: 3, uuid: "u" }, slot: 0, key: "acme", set: { plan: "pro", seats: [7] } },
    { at: { time: -5n, index: 0, uuid: "v" }, slot: 0, key: "acme", set: { city: null } },
  ]).values();
  if (log === undefined) throw new Error("no group was stated");
  expect(log.properties.size).toBe(3);
  expect(decodeGroupEntries(encodeGroupEntries(log))).toEqual(log.properties);
});
