import { expect, it } from "vitest";
import { encodeLz64 } from "../../../test/support/lz64.ts";
import { decodeLz64, decodeLz64Beginning } from "./lz64.ts";

const MOST = 1_000_000;

it.each([
  ["no text", ""],
  ["a letter", "a"],
  ["one letter again and again: pieces that run into themselves, short and long", "a".repeat(20_000)],
  ["a few letters again and again", "abc".repeat(7_000)],
  ["letters of several bytes", `${"€ü".repeat(3_000)}\u{1f600}`],
  ["events", JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ event: "a", distinct_id: `b${at}`, properties: { c: at } })))],
])("%s comes out as it went in", (_name, text) => {
  const encoded = Buffer.from(encodeLz64(text));
  expect(decodeLz64(encoded, MOST).toString()).toBe(text);
  expect(decodeLz64Beginning(encoded, MOST).toString()).toBe(text);
});

it.each([
  ["that is cut", encodeLz64("abc".repeat(100)).slice(0, -8)],
  ["with a letter that is no digit", `${encodeLz64("abc".repeat(100)).slice(0, 8)}!`],
])("a text %s is refused, and its beginning is read as far as it goes", (_name, encoded) => {
  expect(() => decodeLz64(Buffer.from(encoded), MOST)).toThrow("invalid LZ64 data");
  expect("abc".repeat(100)).toContain(decodeLz64Beginning(Buffer.from(encoded), MOST).toString());
});
