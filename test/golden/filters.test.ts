import { describe, expect, it } from "vitest";
import { call, from, select } from "../../lib/hogql/build.ts";
import { lower } from "../../lib/hogql/lower.ts";
import type { PropertyType } from "../../lib/hogql/options.ts";
import { propertiesCondition } from "../../lib/insight/filters/filters.ts";
import type { Operator } from "../../lib/insight/filters/operators.ts";
import { FILTER_OPERATORS, Properties, PropertyFilter } from "../../lib/insight/filters/property-filter.ts";
import { sqlFilters } from "../../lib/insight/sql-filters.ts";
import { anEventRow } from "../support/samples/event-rows.ts";
import { goldenProject } from "./golden-project.ts";
import { NOW } from "./harness.ts";
import { anEvent } from "./project.ts";

const CHAIN =
  'a.big.red:attr__href="/buy"attr_id="go"href="/buy"nth-child="1"nth-of-type="1"text="Buy \\"now\\""tag="x;y";div.row:nth-child="2"nth-of-type="1";body:nth-child="1"nth-of-type="1"';

/** By the number in the property `n`; 9 has nothing else. */
const EVENTS = [
  {
    at: "2026-01-01T00:00:00Z",
    properties: { n: 1, text: "Alpha 50%", num: 10, flag: true, day: "2026-01-10", v: "1.2.3", "odd key.'\"$": "x" },
    session: "s1",
    groups: ["acme"],
  },
  {
    at: "2026-01-02T00:00:00Z",
    properties: { n: 2, text: "beta", num: "9", flag: false, day: "2026-01-14T10:00:00Z", v: "1.2.4-rc.1" },
    session: "s1",
  },
  {
    at: "2026-01-03T00:00:00Z",
    properties: { n: 3, text: "ALPHABET", num: 100.5, flag: "true", day: "2026-01-15T11:30:00Z", v: "1.10.0" },
    who: "bob",
  },
  { at: "2026-01-04T00:00:00Z", properties: { n: 4, text: "", num: "n/a", day: "soon", v: "v2.0.0" }, who: "bob" },
].map((sketch, index) => anEvent(sketch, index + 1));
const ELEMENTS = anEventRow({
  ...anEvent({ at: "2026-01-05T00:00:00Z", event: "$autocapture", properties: { n: 5 }, who: "cid" }, 5),
  elements_chain: CHAIN,
});
const BARE = anEvent({ at: "2026-01-06T00:00:00Z", event: "bare", properties: { n: 9 }, who: "cid" }, 6);

const golden = goldenProject([...EVENTS, ELEMENTS, BARE]);

const context = {
  now: NOW,
  timezone: "UTC",
  weekStart: 0,
  expression: () => call("greater", call("toInt", { kind: "field", chain: ["properties", "n"] }), { kind: "constant", value: 3 }),
} as const;

/** The numbers of the events that are kept, as one text. */
const kept = async (properties: Properties, type?: PropertyType): Promise<string> => {
  const query = select([{ kind: "field", chain: ["properties", "n"] }], {
    from: from("events"),
    where: propertiesCondition(properties, context),
    orderBy: [{ expr: { kind: "field", chain: ["timestamp"] }, descending: false, nulls: "last" }],
  });
  const options = {
    project: 1,
    timezone: "UTC",
    now: NOW,
    variables: {},
    page: null,
    propertyType: (_: string, name: string) => (name === "n" ? undefined : type),
  };
  const rows = await golden.run(lower(query, options).lowered);
  return rows.map(([n]) => n).join("");
};
const filter = (given: Partial<PropertyFilter> & { key: string }): PropertyFilter => PropertyFilter.parse({ operator: "exact", ...given });

describe("a filter", () => {
  it.each<[string, Operator, PropertyFilter["value"], string]>([
    ["text", "exact", "beta", "2"],
    ["text", "exact", ["beta", "ALPHABET"], "23"],
    ["text", "in", ["beta", "ALPHABET"], "23"],
    ["text", "is_cleaned_path_exact", "beta", "2"],
    ["text", "exact", [], "123459"],
    ["text", "is_not", "beta", "13459"],
    ["text", "not_in", ["beta", "ALPHABET"], "1459"],
    ["text", "icontains", "alpha", "13"],
    ["text", "icontains", "50%", "1"],
    ["text", "icontains", "_eta", ""],
    ["text", "icontains_multi", ["50%", "et"], "123"],
    ["text", "not_icontains", "alpha", "2459"],
    ["text", "not_icontains_multi", ["alpha", "b"], "459"],
    ["text", "regex", "^[a-z]+$", "2"],
    ["text", "not_regex", "^[a-z]+$", "13459"],
    ["text", "is_set", null, "123"],
    ["text", "is_not_set", null, "459"],
    ["text", "gt", "b", "2"],
    ["num", "exact", 10, "1"],
    ["num", "gt", 9, "13"],
    ["num", "gte", "9", "123"],
    ["num", "min", 10, "13"],
    ["num", "lt", 10, "2"],
    ["num", "lte", "10", "12"],
    ["num", "max", 9.5, "2"],
    ["num", "between", [9, 10], "12"],
    ["num", "not_between", [9, 10], "3459"],
    ["flag", "exact", true, "13"],
    ["flag", "exact", "false", "2"],
    ["flag", "is_not", ["true"], "2459"],
    ["day", "is_date_exact", "2026-01-14", "2"],
    ["day", "is_date_exact", "-1d", "2"],
    ["day", "is_date_exact", "2026-01-15T11:30:00Z", "3"],
    ["day", "is_date_before", "2026-01-14", "1"],
    ["day", "is_date_before", "-1h", "12"],
    ["day", "is_date_after", "2026-01-10", "23"],
    ["day", "is_date_after", "-1h", "3"],
    ["day", "gt", "-2d", "23"],
    ["day", "lte", "2026-01-14", "12"],
    ["day", "exact", "2026-01-14", ""],
    ["v", "semver_eq", "1.2.3", "1"],
    ["v", "semver_eq", "v1.2.4-rc.1", "2"],
    ["v", "semver_neq", "1.2.3", "23459"],
    ["v", "semver_gt", "1.2.3", "234"],
    ["v", "semver_gte", "1.2.4", "34"],
    ["v", "semver_lt", "1.2.4", "12"],
    ["v", "semver_lte", "1.2.3", "1"],
    ["v", "semver_tilde", "1.2.3", "12"],
    ["v", "semver_caret", "1.2.3", "123"],
    ["v", "semver_wildcard", "1.2.*", "12"],
    ["v", "semver_wildcard", "*", "1234"],
    ["odd key.'\"$", "exact", "x", "1"],
  ])("on %s %s %j keeps %s", async (key, operator, value, expected) =>
    expect(await kept([filter({ key, operator, value })])).toBe(expected),
  );

  it.each(["String", "Numeric", "Boolean", "DateTime"] as const)("runs whatever operator meets a property of type %s", async (type) => {
    const filters = FILTER_OPERATORS.filter((name) => name !== "flag_evaluates_to").flatMap((operator) => {
      const value = operator.endsWith("between") ? [1, "2026-01-02"] : operator.includes("date") ? "-1d" : "1.2.3";
      return ["text", "num", "flag", "day"].map((key) => filter({ key, operator, value }));
    });
    expect(await kept({ type: "OR", values: filters }, type)).toBe("123459");
  });

  it("on a property known to be a time equals a date that is written otherwise", async () =>
    expect(await kept([filter({ key: "day", value: "2026-01-15T11:30:00Z" })], "DateTime")).toBe("3"));
  it("on a number known to be one compares as text and as number", async () => {
    expect(await kept([filter({ key: "num", value: "10" })], "Numeric")).toBe("1");
    expect(await kept([filter({ key: "num", operator: "gt", value: "9.5" })], "Numeric")).toBe("13");
  });

  it.each<[string, Partial<PropertyFilter> & { key: string }, string]>([
    ["a person's property", { type: "person", key: "email", value: "ann@example.com" }, "12"],
    ["what a person is", { type: "person_metadata", key: "is_identified", value: "true" }, "12"],
    ["a group's property", { type: "group", group_type_index: 0, key: "plan", value: "gold" }, "1"],
    ["a group's key", { type: "group", group_type_index: 0, key: "$group_key", value: "acme" }, "1"],
    ["a session", { type: "session", key: "$session_duration", operator: "gte", value: 86400 }, "12"],
    ["the event", { type: "event_metadata", key: "event", value: "bare" }, "9"],
    ["the time", { type: "event_metadata", key: "timestamp", operator: "is_date_before", value: "2026-01-03" }, "12"],
    ["the session's id", { type: "event_metadata", key: "$session_id", operator: "is_not_set" }, "3459"],
    ["an expression", { type: "hogql", key: "toInt(properties.n) > 3" }, "459"],
    ["an element's tag", { type: "element", key: "tag_name", value: "div" }, "5"],
    ["no element's tag", { type: "element", key: "tag_name", operator: "is_not", value: "y" }, "123459"],
    ["an element's text", { type: "element", key: "text", value: 'Buy "now"' }, "5"],
    ["part of an element's text", { type: "element", key: "text", operator: "icontains", value: "buy" }, "5"],
    ["an element's address", { type: "element", key: "href", value: "/buy" }, "5"],
    ["no address", { type: "element", key: "href", operator: "is_not_set" }, "12349"],
  ])("sees %s", async (_, given, expected) => expect(await kept([filter(given)])).toBe(expected));

  it.each<Operator>(["exact", "is_not", "icontains", "not_icontains_multi", "regex", "not_regex", "gt", "is_date_before", "semver_eq"])(
    "asks for nothing without values of %s, of elements too",
    async (operator) => {
      expect(await kept([filter({ key: "text", operator, value: [] })])).toBe("123459");
      expect(await kept([filter({ type: "element", key: "text", operator, value: [] })])).toBe("123459");
      expect(await kept([filter({ type: "element", key: "selector", operator, value: [] })])).toBe("123459");
    },
  );

  it.each<[string, string]>([
    ["a", "5"],
    ["a.red", "5"],
    [".red.big", "5"],
    ["#go", "5"],
    ["div > a", "5"],
    ["body a", "5"],
    ["body > a", ""],
    ["body > .row > a[href='/buy']", "5"],
    ["a:nth-child(1)", "5"],
    ["a:nth-child(2)", ""],
    ["a.blue", ""],
    ["x", ""],
  ])("finds elements by the selector %s", async (value, expected) =>
    expect(await kept([filter({ type: "element", key: "selector", value })])).toBe(expected),
  );

  it("holds in groups of AND and OR", async () => {
    const one = filter({ key: "text", operator: "icontains", value: "alpha" });
    const two = filter({ key: "num", operator: "lt", value: 50 });
    expect(await kept([one, two])).toBe("1");
    expect(
      await kept(Properties.parse({ type: "OR", values: [{ type: "AND", values: [one, two] }, filter({ key: "n", value: "9" })] })),
    ).toBe("19");
    expect(await kept({ type: "OR", values: [] })).toBe("123459");
  });

  it.each<[Partial<PropertyFilter> & { key: string }, string]>([
    [{ type: "cohort", key: "id", value: 1 }, "Cohorts do not exist here"],
    [{ type: "flag", key: "f", operator: "flag_evaluates_to", value: true }, "Feature flags"],
    [{ type: "recording", key: "x", value: 1 }, "Recordings"],
    [{ type: "event_metadata", key: "nothing", value: 1 }, "no field `nothing`"],
    [{ type: "group", key: "plan", value: "x" }, "group_type_index"],
    [{ type: "element", key: "selector", value: "a::before" }, "selector"],
    [{ type: "element", key: "selector", value: "a ".repeat(501) }, "1000 characters"],
    [{ key: "day", operator: "is_date_before", value: "soon" }, "`soon` is not a date"],
    [{ key: "v", operator: "semver_gt", value: "new" }, "`new` is not a version"],
    [{ key: "num", operator: "between", value: 3 }, "two values"],
    [{ key: "text", operator: "icontains" }, "needs a value"],
  ])(
    "is refused where it cannot be understood: %j",
    async (given, sentence) =>
      await expect(kept([filter(given)])).rejects.toMatchObject({ name: "QueryError", message: expect.stringContaining(sentence) }),
  );
});

describe("the filters of a SQL query", () => {
  const clock = { now: NOW, timezone: "UTC" };
  const rows = (text: string, filters: unknown) => golden.rows(text, { filters: sqlFilters(filters, clock) });
  const count = async (filters: unknown) => (await rows("SELECT count() FROM events WHERE {filters}", filters))[0]?.[0];

  it("hold for whole days, and for moments as they are written", async () => {
    expect(await count({ dateRange: { date_from: "2026-01-02", date_to: "2026-01-03" } })).toBe(2);
    expect(await count({ dateRange: { date_from: "2026-01-02T00:00:01Z" } })).toBe(4);
    expect(await count({ dateRange: { date_from: "-13d", date_to: "-11d" } })).toBe(3);
    expect(await count({ dateRange: { date_from: "all", date_to: null } })).toBe(6);
  });

  it("hold for properties, and for nothing when there are none", async () => {
    expect(await count({ properties: [{ key: "text", value: "beta" }] })).toBe(1);
    expect(await count({ properties: [], filterTestAccounts: true })).toBe(6);
    expect(await count(null)).toBe(6);
  });

  it("hold for sessions by their start, and by their own columns", async () => {
    const sessions = (from: string, filters: unknown) => rows(`SELECT count() FROM ${from} WHERE {filters}`, filters);
    const lastDay = { dateRange: { date_from: "2026-01-02" } };
    expect(await sessions("sessions", lastDay)).toEqual([[0]]);
    expect(await sessions("sessions AS s", { dateRange: { date_to: "2026-01-01" } })).toEqual([[1]]);
    expect(await sessions("sessions", { properties: [{ type: "session", key: "$session_duration", operator: "gt", value: 60 }] })).toEqual([
      [1],
    ]);
    expect(await sessions("events JOIN sessions ON sessions.session_id = events.$session_id", lastDay)).toEqual([[1]]);
    await expect(sessions("sessions", { properties: [{ key: "text", value: "beta" }] })).rejects.toThrow("Unknown field `properties");
  });

  it("give their two dates, the last as the end of its day, and NULL for none", async () => {
    const dates = "SELECT {filters.dateRange.from}, {filters.dateRange.to}";
    expect(await rows(dates, { dateRange: { date_from: "2026-01-02", date_to: "2026-01-03" } })).toEqual([
      ["2026-01-02T00:00:00Z", "2026-01-03T23:59:59.999999Z"],
    ]);
    expect(await rows(dates, {})).toEqual([[null, null]]);
  });

  it.each<[unknown, string]>([
    [{ dateRange: { date_from: "soon" } }, "`soon` is not a date"],
    [{ properties: [{ key: "text", operator: "sounds_like", value: "x" }] }, "filters.properties.0.operator"],
    [{ properties: [{ value: "x" }] }, "filters.properties.0.key"],
    [{ properties: [{ key: "1 = 1", type: "hogql" }] }, "write the condition in the query itself"],
  ])("are refused where they cannot be understood: %j", (filters, sentence) => expect(() => sqlFilters(filters, clock)).toThrow(sentence));
});
