import { expect, it } from "vitest";
import { standing } from "./limits.ts";

const events = { usage_key: "events", usage_limit: 100, has_exceeded_limit: false, projected_usage: 80 };

it.each([
  ["within its limit", events, [], "within"],
  ["without a limit", { ...events, usage_limit: null, projected_usage: 10_000 }, [], "within"],
  ["on its way past the limit", { ...events, projected_usage: 101 }, [], "passing"],
  ["past it while data are still taken", { ...events, has_exceeded_limit: true }, ["recordings"], "over"],
  ["past it and dropped", { ...events, has_exceeded_limit: true }, ["events"], "dropped"],
])("says of a product %s how it stands", (_, product, limited, found) => {
  expect(standing(product, limited)).toBe(found);
});
