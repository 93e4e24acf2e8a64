import { expect, it } from "vitest";
import { RetentionQuery, TrendsQuery } from "./query.ts";

it("gives an insight its stored form: what is absent is null, at every depth", () => {
  const trends = TrendsQuery.parse({ kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "a" }], dateRange: { date_from: "-7d" } });
  expect(trends).toMatchObject({ interval: null, breakdownFilter: null, dateRange: { date_from: "-7d", date_to: null } });
  expect(trends.series[0]).toMatchObject({ event: "a", math: null, properties: null });
  expect(TrendsQuery.parse(trends)).toEqual(trends);
});

it("takes groups of filters within groups", () => {
  const filter = { key: "$browser", value: ["Chrome"], operator: "exact", type: "event" } as const;
  const properties = { type: "AND", values: [{ type: "OR", values: [filter, { type: "AND", values: [filter] }] }] } as const;
  const parsed = RetentionQuery.parse({ kind: "RetentionQuery", retentionFilter: {}, properties });
  expect(parsed.properties).toMatchObject(properties);
});

it.each([
  { kind: "TrendsQuery", series: [] },
  { kind: "TrendsQuery", series: [{ kind: "EventsNode", colour: "red" }] },
  { kind: "TrendsQuery", series: [{ kind: "EventsNode" }], trendsFilter: { colour: "red" } },
  { kind: "TrendsQuery", series: [{ kind: "EventsNode", math: "guess" }] },
  { kind: "TrendsQuery", series: [{ kind: "EventsNode" }], properties: [{ key: "a", operator: "about" }] },
])("refuses what it does not know: %j", (query) => {
  expect(TrendsQuery.safeParse(query).success).toBe(false);
});
