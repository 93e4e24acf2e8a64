import { describe, expect, it } from "vitest";
import { messageFacts } from "../../test/support/samples/capture-messages.ts";
import type { RawEvent } from "../event/envelope.ts";
import type { EventRow } from "../event/event.ts";
import { HOT } from "../event/hot-properties.ts";
import { derivePersonId } from "../event/identity.ts";
import type { CaptureMessage } from "../event/message.ts";
import { parseTime } from "../event/times.ts";
import { rowDeltas } from "./commit.ts";
import { mentionedGroupTypes } from "./group-types.ts";
import { NO_TYPES, typeLearner } from "./learn-types.ts";
import type { Deltas } from "./persons/deltas.ts";
import { buildRows } from "./rows.ts";

const RECEIVED = parseTime("2026-01-12T12:00:00Z") ?? 0n;
const UUID = "0190a1b2-c3d4-7e5f-8a9b-000000000001";

const aMessage = (changes: Partial<CaptureMessage> = {}): CaptureMessage =>
  messageFacts({ project: 7, received: String(RECEIVED), ...changes });

interface Result {
  readonly rows: readonly EventRow[];
  readonly dropped: number;
  readonly deltas: Deltas;
}

const taken = (events: readonly Partial<RawEvent>[], message: Partial<CaptureMessage> = {}, groupTypes: readonly string[] = []): Result => {
  const placed = events.map((event, position) => ({
    position,
    event: { event: "clicked", distinct_id: "ann", uuid: UUID, timestamp: "2026-01-12T11:00:00Z", ...event },
  }));
  const context = { project: 7, groupTypes, personId: (id: string) => derivePersonId(7, id) };
  const { rows, changes, dropped } = buildRows(aMessage(message), placed, context, typeLearner(NO_TYPES));
  return { rows, dropped, deltas: rowDeltas(rows, changes) };
};

const one = (
  event: Partial<RawEvent>,
  message: Partial<CaptureMessage> = {},
  groupTypes: readonly string[] = [],
): EventRow & { deltas: Deltas } => {
  const { rows, deltas } = taken([event], message, groupTypes);
  if (!rows[0]) throw new Error("the event made no row");
  return { ...rows[0], deltas };
};

const hot = (row: EventRow, property: string) => row.hot[HOT.findIndex((each) => each.property === property)];

describe("a row", () => {
  it("holds what the event says", () => {
    const row = one({ properties: { $session_id: "s", $window_id: "w", $browser: "Chrome", a: [1, { b: null }] } });
    expect(row).toMatchObject({
      uuid: UUID,
      event: "clicked",
      distinct_id: "ann",
      person_id: derivePersonId(7, "ann"),
      timestamp: parseTime("2026-01-12T11:00:00Z"),
      created_at: RECEIVED,
      session_id: "s",
      window_id: "w",
      person_mode: "full",
      historical: false,
      properties: '{"$session_id":"s","$window_id":"w","$browser":"Chrome","a":[1,{"b":null}]}',
      request: "ab".repeat(16),
      index: 0,
    });
    expect(hot(row, "$browser")).toBe("Chrome");
  });

  it("has hot properties as property access yields them", () => {
    const row = one({
      properties: { $browser: "", $os: 12, $host: true, $pathname: { a: 1 }, utm_term: null, $ai_total_cost_usd: 0.25, $lib: ["x"] },
    });
    expect(
      ["$browser", "$os", "$host", "$pathname", "utm_term", "$ai_total_cost_usd", "$lib", "gclid"].map((name) => hot(row, name)),
    ).toEqual([null, "12", "true", '{"a":1}', null, 0.25, '["x"]', null]);
    expect(["0.25", "free", true].map((cost) => hot(one({ properties: { $ai_total_cost_usd: cost } }), "$ai_total_cost_usd"))).toEqual([
      0.25,
      null,
      null,
    ]);
  });

  it("has names and ids cut to 200 characters, without NUL and without halves of characters", () => {
    const row = one({ event: `e${"x".repeat(300)}`, distinct_id: `\0\ud800${"😀".repeat(300)}` });
    expect(Array.from(row.event)).toHaveLength(200);
    expect(Array.from(row.distinct_id)).toHaveLength(200);
    expect(row.distinct_id.startsWith("\uFFFD\uFFFD😀")).toBe(true);
  });

  it("has properties that every JSON reader takes", () => {
    const row = one({ properties: { "k\ud800": "a\udc00\\ud800", fine: "\\ud800 and 😀" } });
    expect(row.properties).not.toMatch(/(?<!\\)(?:\\\\)*\\ud/);
    expect(JSON.parse(row.properties)).toEqual({ "k\uFFFD": "a\uFFFD\\ud800", fine: "\\ud800 and 😀" });
  });

  it("belongs to the groups of the project's types, whose keys are properties too", () => {
    const row = one({ properties: { $groups: { team: 5, company: "acme", other: "x" } } }, {}, ["company", "team"]);
    expect(row.groups).toEqual(["acme", "5", null, null, null]);
    expect(JSON.parse(row.properties)).toMatchObject({ $group_0: "acme", $group_1: "5" });
  });

  it("is the same for every delivery", () => {
    const events = [{ uuid: null }, { uuid: "" }, { uuid: null, timestamp: null }];
    expect(taken(events).rows).toEqual(taken(events).rows);
  });
});

describe("an import", () => {
  const old = { timestamp: "2020-01-01T00:00:00Z" };

  it("keeps its flag from 48 hours on, or without a readable time", () => {
    const at = (timestamp: string | null) => one({ timestamp }, { historical: true }).historical;
    expect(at("2026-01-10T12:00:00Z")).toBe(true);
    expect(at("2026-01-10T12:00:00.000001Z")).toBe(false);
    expect(at("2026-01-12T13:00:00Z")).toBe(false);
    expect(at(null)).toBe(true);
    expect(at("long ago")).toBe(true);
    expect(one({ ...old, event: "$exception" }, { historical: true }).historical).toBe(true);
    expect(one(old).historical).toBe(false);
  });

  it("loses events without the flag whose resource is limited", () => {
    const events = [old, { timestamp: "2026-01-12T11:00:00Z" }, { event: "$ai_generation" }];
    const { rows, dropped } = taken(events, { historical: true, limited: ["events"] });
    expect(rows.map(({ index }) => index)).toEqual([0, 2]);
    expect(dropped).toBe(1);
  });

  it("gives the same identities again, whatever the request and its time", () => {
    const events = [
      { ...old, uuid: null, properties: { a: 1, b: 2 } },
      { ...old, uuid: null, properties: { b: 2, a: 1 } },
      { ...old, uuid: null, properties: { a: 1, b: 3 } },
    ];
    const identities = (message: Partial<CaptureMessage>) =>
      taken(events, { historical: true, ...message }).rows.map(({ uuid, identity, timestamp }) => ({ uuid, identity, timestamp }));
    const first = identities({});
    expect(identities({ request: "cd".repeat(16), received: String(RECEIVED + 86_400_000_000n), sentAt: String(RECEIVED) })).toEqual(first);
    expect(new Set(first.map(({ uuid }) => uuid)).size).toBe(3);
  });

  it("numbers equal events of a request, for as long as there are imports: another number would double them", () => {
    const equal = Array.from({ length: 3 }, () => ({ ...old, uuid: null, properties: { a: 1 } }));
    expect(taken(equal, { historical: true }).rows.map(({ uuid }) => uuid)).toEqual([
      "016f5e66-e800-7106-bf82-a93b7200faed",
      "016f5e66-e800-7bf3-9d44-3057af69c6d0",
      "016f5e66-e800-7caa-8e73-7f854b8d5066",
    ]);
  });
});

describe("an import of events without uuid or readable time", () => {
  const flagged = { historical: true, sentAt: String(RECEIVED - 600_000_000n) };
  const nameless = { uuid: null, timestamp: null };
  const later = { received: String(RECEIVED + 86_400_000_000n) };

  it.each([null, "long ago"])("is the same rows when exactly the same request is sent again a day later (timestamp %j)", (timestamp) => {
    const identity = (message: object) => {
      const { uuid, timestamp: micros, identity: hash } = one({ ...nameless, timestamp }, { ...flagged, ...message });
      return { uuid, micros, hash };
    };
    expect(identity(later)).toEqual(identity({}));
    expect(identity({}).micros).toBe(RECEIVED - 600_000_000n);
  });

  it("has the receive time where its request was sent without sent_at, or was not flagged", () => {
    expect(one(nameless, { ...flagged, sentAt: null }).timestamp).toBe(RECEIVED);
    expect(one(nameless, { ...flagged, historical: false }).timestamp).toBe(RECEIVED);
  });

  it("has the receive time where it has a uuid, by which a retry is known", () => {
    expect(one({ timestamp: null }, flagged).timestamp).toBe(RECEIVED);
  });

  it("has no time that the rules allow no event", () => {
    expect(one(nameless, { ...flagged, sentAt: String(RECEIVED + 86_400_000_000n) }).timestamp).toBe(RECEIVED);
  });

  it.each([
    ["$set", { $set: { plan: "free" } }, { $set: { plan: "pro" } }],
    ["$set_once", { $set_once: { plan: "free" } }, { $set_once: { plan: "pro" } }],
    ["$unset", { $unset: ["plan"] }, { $unset: ["price"] }],
    ["$set and none", { $set: { plan: "free" } }, {}],
  ])("is two rows for two events that differ in what stands at their top: %s", (_, a, b) => {
    const both = [a, b].map((top) => one({ uuid: null, timestamp: "2020-01-01", ...top }, flagged).uuid);
    expect(new Set(both).size).toBe(2);
  });

  it("keeps the uuid of what was imported before events had anything at their top", () => {
    const { uuid } = one({ uuid: null, timestamp: "2020-01-01", properties: { $set: { plan: "free" } } }, flagged);
    expect(uuid).toBe("016f5e66-e800-761c-8a22-8b55f82413ed");
  });
});

describe("a message with an event that cannot be read", () => {
  it("leaves nothing of its other events behind", () => {
    const types = typeLearner(NO_TYPES);
    const personId = (id: string): string => {
      if (id === "bad") throw new RangeError("no id");
      return derivePersonId(7, id);
    };
    const events = ["good", "bad"].map((distinct_id, position) => ({
      position,
      event: { event: "a", distinct_id, properties: { $set: { age: 1 } } },
    }));
    expect(() => buildRows(aMessage(), events, { project: 7, groupTypes: [], personId }, types)).toThrow("no id");
    expect(types.learnt([])).toBeNull();
  });
});

describe("persons", () => {
  it("lose what stands in $unset, at the top of an event and in its properties, as a list or by name", () => {
    const row = one({ $unset: ["a", 1, "b"], properties: { $unset: { b: 1, c: 1 } } });
    expect(row.deltas.persons).toMatchObject([{ unset: ["b", "c", "a"] }]);
    expect(JSON.parse(row.properties).$unset).toEqual(["b", "c", "a"]);
    for (const $unset of [null, "a", 5, [], {}, [5]]) expect(one({ $unset }).deltas.persons).toEqual([]);
    expect(one({ $unset: ["a"], properties: { $process_person_profile: false } }).properties).not.toContain("$unset");
  });

  it("are seen, and changed by what stands at the top of an event or in its properties", () => {
    const { deltas, properties } = one({ $set: { a: 1 }, properties: { $set: { a: 0, b: 2 }, $set_once: { c: 3 }, $unset: ["d", 4] } });
    expect(deltas.seen).toMatchObject([{ id: "ann" }]);
    expect(deltas.persons).toMatchObject([{ id: "ann", merge: null, set: { a: 1, b: 2 }, setOnce: { c: 3 }, unset: ["d"] }]);
    expect(JSON.parse(properties).$set).toEqual({ a: 1, b: 2 });
  });

  it.each([
    [
      { event: "$identify", properties: { $anon_distinct_id: "anon" } },
      { kind: "identify", source: "anon" },
    ],
    [
      { event: "$create_alias", properties: { alias: "other" } },
      { kind: "alias", source: "other" },
    ],
    [
      { event: "$merge_dangerously", properties: { alias: 5 } },
      { kind: "merge_dangerously", source: "5" },
    ],
    [
      { event: "$create_alias", properties: { alias: { b: [1], a: { toString: 1 } } } },
      { kind: "alias", source: '{"a":{"toString":1},"b":[1]}' },
    ],
    [
      { event: "$identify", properties: { $anon_distinct_id: [1, "x"] } },
      { kind: "identify", source: '[1,"x"]' },
    ],
  ])("are merged by %j", (event, merge) => {
    expect(one(event).deltas.persons).toMatchObject([{ merge }]);
  });

  it.each(["", " ", "ann", "Anonymous", "'guest'", '"null"', "[object Object]", "undefined", "NaN", "0", 0, true, null, Infinity])(
    "are not merged with %j",
    (alias) => {
      expect(one({ event: "$create_alias", properties: { alias } }).deltas.persons).toEqual([]);
    },
  );

  it("are not touched when the event says so, and then its changes are not kept either", () => {
    const row = one({ event: "$identify", properties: { $process_person_profile: false, $anon_distinct_id: "x", $set: { a: 1 }, b: 2 } });
    expect(row.person_mode).toBe("propertyless");
    expect(row.deltas).toEqual({ seen: [], persons: [], groups: [] });
    expect(JSON.parse(row.properties)).toEqual({ $process_person_profile: false, $anon_distinct_id: "x", b: 2 });
    expect(one({ properties: { $process_person_profile: "false" } }).person_mode).toBe("full");
  });

  it("are not changed by exceptions", () => {
    expect(one({ event: "$exception", properties: { $set: { a: 1 } } }).deltas.persons).toEqual([]);
  });
});

describe("groups", () => {
  const identify = (properties: Record<string, unknown>) => ({
    event: "$groupidentify",
    properties: { $group_type: "company", $group_key: "acme", ...properties },
  });

  it.each(["$groupidentify", "$group_identify"])("are changed by %s, which changes no person", (event) => {
    const row = one({ ...identify({ $group_set: { plan: "x" }, $set: { a: 1 } }), event }, {}, ["company"]);
    expect(row.deltas.groups).toMatchObject([{ slot: 0, key: "acme", set: { plan: "x" } }]);
    expect(row.deltas.persons).toEqual([]);
    expect(row.properties).not.toContain('"$set"');
  });

  it("are left alone by events without type or key, with a type beyond the slots, or with persons off", () => {
    for (const event of [identify({ $group_key: null }), identify({ $group_type: "" }), identify({ $process_person_profile: false })]) {
      expect(one(event, {}, ["company"]).deltas.groups).toEqual([]);
    }
    expect(one(identify({ $group_set: {} }), {}, []).deltas.groups).toEqual([]);
  });

  it("are of no type whose name the table would not keep as it is", () => {
    for (const type of ["x".repeat(401), "half \ud800", "nul \0"]) {
      const types = mentionedGroupTypes([
        { event: { event: "$groupidentify", properties: { $group_type: type, $groups: { [type]: "k" } } } },
      ]);
      expect(types.size).toBe(0);
      expect(one(identify({ $group_type: type }), {}, ["company"]).deltas.groups).toEqual([]);
    }
  });

  it("have keys of 400 characters at most", () => {
    const longest = "x".repeat(400);
    expect(one(identify({ $group_key: longest }), {}, ["company"]).deltas.groups).toMatchObject([{ key: longest }]);
  });

  it("drop events whose key is too long or whose properties are no object", () => {
    expect(taken([identify({ $group_key: "x".repeat(401) }), identify({ $group_set: "no" })])).toMatchObject({ rows: [], dropped: 2 });
  });
});
