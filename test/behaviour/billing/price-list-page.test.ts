import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { CatalogueDocument } from "../../../lib/billing/catalogue-document.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const page = readFileSync("infra/price-lists.md", "utf8");

/** The examples of the page by the names that stand before them. */
const examples: Readonly<Record<string, unknown>> = Object.fromEntries(
  [...page.matchAll(/<!-- (\w+) -->\n```json\n([\s\S]*?)\n```/g)].map(([, name = "", text = ""]) => [name, JSON.parse(text)]),
);

/** Names of all fields of a schema and of what lies in it. */
const fieldNames = (schema: unknown): readonly string[] => {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, inner]) => [
    ...(name === "properties" ? Object.keys(Object(inner)) : []),
    ...fieldNames(inner),
  ]);
};

test("the examples of the page are applied one after the other, and bill what the page says", async () => {
  const customer = await billingWorld(day(7, 1));
  await applyDocument(customer.world, examples.first);
  expect(await customer.post("activate/", { products: "product_analytics,support,surveys" })).toMatchObject({ status: 200 });
  await customer.use(day(7, 5), 2_000_000);
  await customer.use(day(13, 5), 200_000);
  customer.at(day(7, 31));
  // 900,000 at $0.0002 and 1,000,000 at $0.0001, with $50 and $10.
  expect(await customer.get("")).toMatchObject({ current_total_amount_usd: "340.00" });
  await applyDocument(customer.world, examples.next);
  expect(await customer.get("")).toMatchObject({ current_total_amount_usd: "340.00" });
  customer.at(day(13, 31));
  // 100,000 at $0.0003.
  expect(await customer.get("")).toMatchObject({ current_total_amount_usd: "90.00" });
});

test("the page tells every field of a list", () => {
  const names = new Set(fieldNames(z.toJSONSchema(CatalogueDocument, { io: "input" })));
  expect(names.size).toBeGreaterThan(20);
  expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
