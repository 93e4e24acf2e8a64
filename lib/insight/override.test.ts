import { expect, it } from "vitest";
import { withDashboardFilter, withDates } from "./override.ts";
import { DashboardFilter, RetentionQuery, TrendsQuery } from "./query.ts";

const filter = { key: "a", value: "1" };
const more = { key: "b", value: "2" };
const trend = (rest: object = {}): TrendsQuery => TrendsQuery.parse({ kind: "TrendsQuery", series: [{ kind: "EventsNode" }], ...rest });
const laid = (query: TrendsQuery, over: object): TrendsQuery => withDashboardFilter(query, DashboardFilter.parse(over));

it("puts a run's dates in the place of the insight's, one alone too", () => {
  const query = trend({ dateRange: { date_from: "-7d", date_to: "2026-01-08", explicitDate: true } });
  expect(withDates(query, { date_from: "-1d" }).dateRange).toEqual({ date_from: "-1d", date_to: "2026-01-08", explicitDate: true });
  expect(withDates(trend(), { date_to: "-1d" }).dateRange).toEqual({ date_from: null, date_to: "-1d", explicitDate: null });
  expect(withDates(query, {})).toEqual(query);
});

it("lays a dashboard's dates over both of the insight's", () => {
  const query = trend({ dateRange: { date_from: "-7d", date_to: "-1d" } });
  expect(laid(query, { date_from: "-3d" }).dateRange).toEqual({ date_from: "-3d", date_to: null, explicitDate: null });
  expect(laid(query, { explicitDate: true })).toEqual(query);
});

it("adds a dashboard's properties to the insight's, whatever their form", () => {
  const properties = [more];
  expect(laid(trend(), { properties }).properties).toMatchObject([more]);
  expect(laid(trend({ properties: [filter] }), { properties }).properties).toMatchObject([filter, more]);
  const group = { type: "OR", values: [filter, filter] };
  expect(laid(trend({ properties: group }), { properties }).properties).toMatchObject({ type: "AND", values: [group, more] });
  expect(laid(trend({ properties: [filter] }), { properties: [] }).properties).toMatchObject([filter]);
});

it("replaces what else a dashboard sets, and gives a retention no interval", () => {
  const over = { interval: "hour", breakdown_filter: { breakdown: "b" }, filterTestAccounts: true };
  expect(laid(trend({ interval: "day" }), over)).toMatchObject({
    interval: "hour",
    breakdownFilter: { breakdown: "b" },
    filterTestAccounts: true,
  });
  const retention = RetentionQuery.parse({ kind: "RetentionQuery", retentionFilter: {} });
  expect(withDashboardFilter(retention, DashboardFilter.parse({ interval: "hour" }))).toEqual(retention);
});
