import { expect, it } from "vitest";
import { expressionTexts } from "../kinds.ts";
import { BreakdownFilter, breakdownNames, RetentionQuery, TrendsQuery } from "../query.ts";

const hogql = (key: string) => ({ type: "hogql", key });

it("finds each expression of a trend once, wherever it stands", () => {
  const query = TrendsQuery.parse({
    kind: "TrendsQuery",
    series: [
      { kind: "EventsNode", math: "hogql", math_hogql: "sum(a)", properties: [hogql("b")] },
      { kind: "EventsNode", math: "total", math_hogql: "unused", fixedProperties: [hogql("c")] },
    ],
    properties: { type: "AND", values: [{ type: "OR", values: [hogql("d"), { key: "no" }] }, hogql("b")] },
    breakdownFilter: { breakdowns: [{ property: "e", type: "hogql" }, { property: "plain" }] },
  });
  expect([...expressionTexts(query)].sort()).toEqual(["b", "c", "d", "e", "sum(a)"]);
});

it("finds the expressions of a retention's entities", () => {
  const retentionFilter = { targetEntity: { properties: [hogql("a")] }, returningEntity: { properties: [hogql("b")] } };
  const query = RetentionQuery.parse({
    kind: "RetentionQuery",
    retentionFilter,
    breakdownFilter: { breakdown: "c", breakdown_type: "hogql" },
  });
  expect([...expressionTexts(query)].sort()).toEqual(["a", "b", "c"]);
});

it.each([
  [{ breakdown: "$os" }, ["$os"]],
  [{ breakdown: ["$os", "path"] }, ["$os", "path"]],
  [{ breakdown: "$os", breakdowns: [{ property: "path" }, { property: 5 }] }, ["path", "5"]],
  [{ breakdown: "$os", breakdowns: [] }, ["$os"]],
  [{}, []],
])("names the breakdowns of %j", (filter, names) => {
  expect(breakdownNames(BreakdownFilter.parse(filter))).toEqual(names);
});
