import { describe, expect, it } from "vitest";
import { groupSide } from "../../lib/lake/intake/group-events.ts";
import { personSide } from "../../lib/lake/intake/person-events.ts";
import { type Deltas, type GroupOp, NO_DELTAS, type PersonOp } from "../../lib/lake/persons/deltas.ts";
import type { GroupLog } from "../../lib/lake/persons/group-log.ts";
import { encodeLog, type IdLog } from "../../lib/lake/persons/person-log.ts";
import { boundedChanges, type StateChanges } from "../../lib/lake/persons/state-changes.ts";

const fields = (count: number, prefix: string, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, value]));

const at = (time: number) => ({ time: BigInt(time), index: 0, uuid: "u" });
const op = (time: number, over: Partial<PersonOp>): PersonOp => ({
  ...{ at: at(time), id: "a", merge: null, set: null, setOnce: null, unset: null },
  ...over,
});
const said = (persons: readonly PersonOp[], groups: readonly GroupOp[] = []): Deltas => ({
  ...NO_DELTAS,
  persons,
  groups,
  seen: persons.map(({ id, at: first }) => ({ id, first, last: first.time })),
});

/** Folds deltas one after the other over a state in memory. */
const folded = async (all: readonly Deltas[], history = new Map<string, IdLog>()) => {
  const groups = new Map<string, GroupLog>();
  let changes: StateChanges | undefined;
  let dropped = 0;
  for (const deltas of all) {
    const state = { logs: async () => history, tied: async () => history, groups: async () => groups };
    const bounded = await boundedChanges(7, [deltas], state);
    changes = bounded.changes;
    for (const [id, log] of changes.history) if (log) history.set(id, log);
    for (const [name, log] of changes.groups) if (log) groups.set(name, log);
    dropped += bounded.dropped;
  }
  const row = [...(changes?.persons.values() ?? [])].find((person) => person !== null);
  return { properties: JSON.parse(row?.properties ?? "{}") as Record<string, unknown>, history, groups, dropped };
};

describe("a person that is sent ever new properties", () => {
  it("keeps the thousand that were set last, and says how many it lost", async () => {
    const all = Array.from({ length: 19 }, (_, part) => said([op(part, { set: fields(200, `p${part}_`) })]));
    const { properties, history, dropped } = await folded(all);
    expect(Object.keys(properties)).toHaveLength(1_000);
    expect(properties).toHaveProperty("p18_199");
    expect(properties).not.toHaveProperty("p13_0");
    expect(dropped).toBe(14 * 200);
    expect(encodeLog(history.get("a") ?? { seen: null, ops: [], targets: [] }).length).toBeLessThan(50_000);
  });
  it("keeps half a megabyte of them", async () => {
    const all = Array.from({ length: 40 }, (_, part) => said([op(part, { set: { [`p${part}`]: "x".repeat(50_000) } })]));
    const { properties } = await folded(all);
    expect(Object.keys(properties)).toHaveLength(10);
    expect(JSON.stringify(properties).length).toBeLessThan(524_288);
  });
  it("is the same person in whatever order they come", async () => {
    const all = Array.from({ length: 8 }, (_, part) => said([op(part, { set: fields(200, `p${part}_`) })]));
    const { properties } = await folded(all);
    expect((await folded([...all].reverse())).properties).toEqual(properties);
    expect((await folded([...all.slice(3), ...all])).properties).toEqual(properties);
  });
  it("keeps what was set once first, however often it is said again", async () => {
    const again = Array.from({ length: 3_000 }, (_, time) => op(time, { setOnce: { $initial_referrer: `r${time}` } }));
    const { properties, dropped } = await folded([said(again)]);
    expect(properties).toEqual({ $initial_referrer: "r0" });
    expect(dropped).toBe(0);
  });
  it("is mended where it is too large already", async () => {
    const large: IdLog = { seen: { first: at(0), last: 0n }, ops: [{ ...op(0, { set: fields(50_000, "old") }) }], targets: [] };
    const { properties, history } = await folded([said([op(1, { set: { plan: "team" } })])], new Map([["a", large]]));
    expect(Object.keys(properties)).toHaveLength(1_000);
    expect(properties).toHaveProperty("plan", "team");
    expect(encodeLog(history.get("a") ?? large).length).toBeLessThan(50_000);
  });
  it("holds no more after merges", async () => {
    const all = ["a", "b", "c"].map((id, at) => said(fieldsInParts(id, at)));
    const merges = ["b", "c"].map((source, at_) => op(5_000 + at_, { merge: { kind: "merge_dangerously", source } }));
    const { properties } = await folded([...all, said(merges)]);
    expect(Object.keys(properties)).toHaveLength(1_000);
    expect(properties).toHaveProperty("c_4_0");
    expect(properties).not.toHaveProperty("a_0_0");
  });
});

const fieldsInParts = (id: string, of: number): readonly PersonOp[] =>
  Array.from({ length: 5 }, (_, part) => op(of * 1_000 + part, { id, set: fields(200, `${id}_${part}_`) }));

describe("a group that is sent ever new properties", () => {
  it("keeps the thousand that were stated last", async () => {
    const all = Array.from({ length: 10 }, (_, part) => said([], [{ at: at(part), slot: 0, key: "acme", set: fields(200, `p${part}_`) }]));
    const { groups, dropped } = await folded(all);
    const properties = groups.get("0:acme")?.properties;
    expect(properties?.size).toBe(1_000);
    expect([properties?.has("p9_0"), properties?.has("p4_0")]).toEqual([true, false]);
    expect(dropped).toBe(1_000);
  });
});

describe("one event", () => {
  it("changes two hundred properties at most", () => {
    const $set = fields(30_000, "p");
    const side = personSide({ event: "a", properties: { $set } }, "a", { $set, $set_once: $set, $unset: Object.keys($set) });
    expect(Object.keys(side.op?.set ?? {})).toHaveLength(200);
    expect(Object.keys(side.op?.setOnce ?? {})).toHaveLength(200);
    expect(side.op?.unset).toHaveLength(200);
    expect(side.over).toBe(3 * 29_800);
    const group = groupSide({ event: "$groupidentify", properties: { $group_type: "company", $group_key: "a", $group_set: $set } });
    expect(group !== null && group !== "drop" && [Object.keys(group.set).length, group.over]).toEqual([200, 29_800]);
  });
});
