import { expect, it } from "vitest";
import { tellingProperties } from "./telling.ts";

it.each([
  [
    "a page view",
    { $browser: "Edge", $pathname: "/docs", $current_url: "https://shop.example/docs" },
    ["$pathname /docs", "$browser Edge"],
  ],
  ["a page of an app", { $screen_name: "Cart", $geoip_country_code: "PL" }, ["$screen_name Cart", "$geoip_country_code PL"]],
  [
    "an error",
    { $exception_types: ["TypeError"], $exception_values: ["x is undefined"], $pathname: "/" },
    ["$exception_types TypeError", "$exception_values x is undefined"],
  ],
  ["a model's answer", { $ai_model: "small", $browser: "Edge" }, ["$ai_model small", "$browser Edge"]],
  ["a team's own event", { $browser: "Edge", plan: "team", seats: 3, note: "x" }, ["plan team", "seats 3"]],
  ["false and nought", { paid: false, amount: 0 }, ["paid false", "amount 0"]],
  ["a long number", { id: JSON.rawJSON("123456789012345678") }, ["id 123456789012345678"]],
  ["what says nothing in a line", { nothing: null, text: "  ", whole: { a: 1 }, empty: [] }, []],
])("tells of %s", (_, properties, expected) => {
  expect(tellingProperties(properties).map(({ name, text }) => `${name} ${text}`)).toEqual(expected);
});

it("takes no more of a long text than a line has room for", () => {
  expect(tellingProperties({ note: "x".repeat(5_000) })[0]?.text).toHaveLength(120);
});
