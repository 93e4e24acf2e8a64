import { describe, expect, it } from "vitest";
import { anEventRow } from "../../test/support/samples/event-rows.ts";
import { EVENT_COLUMNS, EVENT_FORMAT, GROUP_SLOTS, RARE_COLUMNS, RARE_SETS, rareFacts } from "./event.ts";
import { HOT, RARE } from "./hot-properties.ts";

describe("the columns of the files of events", () => {
  it("keep their names and what the language calls them: there are files and queries that have them", () => {
    const groups = Array.from({ length: GROUP_SLOTS }, (_, slot) => [`group_${slot}`, `$group_${slot}`]);
    const hot = HOT.map(({ column }) => [column, undefined]);
    expect(EVENT_FORMAT).toBe(3);
    expect(EVENT_COLUMNS.map(({ name, member }) => [name, member])).toEqual([
      ...["uuid", "event", "distinct_id"].map((name) => [name, name]),
      ["person_id", undefined],
      ...["timestamp", "created_at"].map((name) => [name, name]),
      ["identity", undefined],
      ["person_mode", "person_mode"],
      ["historical", undefined],
      ["session_id", "$session_id"],
      ["window_id", "$window_id"],
      ...groups,
      ["elements_chain", "elements_chain"],
      ...hot,
      ...["properties", "request", "index"].map((name) => [name, undefined]),
    ]);
  });

  it("hold nothing where a row has nothing, or something of another kind", () => {
    const valuesOf = (changes: Parameters<typeof anEventRow>[0]) => {
      const row = anEventRow(changes);
      return EVENT_COLUMNS.filter(({ name }) => /^(?:group|hot)_/.test(name)).map((column) => column.of(row));
    };
    const nothing = [...Array.from({ length: GROUP_SLOTS }, () => null), ...HOT.map(() => null)];
    expect(valuesOf({ groups: [], hot: [] })).toEqual(nothing);
    expect(valuesOf({ groups: [], hot: HOT.map(({ type }) => (type === "text" ? 5 : "five")) })).toEqual(nothing);
  });
});

describe("the rare columns", () => {
  const rowWith = (property: string | null, value: string | number | null) =>
    anEventRow({ hot: HOT.map((hot) => (hot.property === property ? value : null)) });

  it("are needed, a set at a time, by rows of which one has a value for one of the set, and by no other", () => {
    const none = rowWith(null, null);
    for (const { property, type } of HOT)
      expect(rareFacts([none, rowWith(property, type === "text" ? "x" : 0)]), property).toEqual({
        rare: RARE.rare.some((rare) => rare.property === property),
        exceptions: RARE.exceptions.some((rare) => rare.property === property),
      });
    for (const hot of [[], HOT.map(() => null)]) expect(rareFacts([anEventRow({ hot })])).toEqual({ rare: false, exceptions: false });
  });

  it("are found by their names, with their sets", () => {
    expect(RARE_SETS).toEqual(Object.keys(RARE));
    expect([...RARE_COLUMNS.values()].map(({ set, ...hot }) => [set, hot])).toEqual(
      RARE_SETS.flatMap((set) => RARE[set].map((hot) => [set, hot])),
    );
    for (const [name, { column }] of RARE_COLUMNS) expect(column).toBe(name);
  });
});
