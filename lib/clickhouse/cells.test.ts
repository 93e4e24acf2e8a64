import { expect, it } from "vitest";
import { exactJson } from "../core/exact-json.ts";
import { replyRows } from "../engine/reply-rows.ts";
import { rowReader } from "./cells.ts";

/** What becomes of a value in ClickHouse's JSON, of a type of ClickHouse's, in a column of a type of the language. */
const cell = (json: string, theirs: string, ours = theirs): string => {
  const columns = [{ name: "a", type: ours }];
  const reply = replyRows({ columns, timezone: "Europe/Berlin" }, { maxRows: 1, maxReplyBytes: 1_000 });
  const row = [exactJson(json)];
  reply.take([rowReader([theirs], columns)(row)]);
  return JSON.stringify(reply.rows[0]?.[0]);
};

it.each([
  ["1", "UInt8", "Bool", "true"],
  ["0", "Nullable(UInt8)", "Nullable(Bool)", "false"],
  ["true", "Bool", "UInt8", "1"],
  ["[1,0]", "Array(UInt8)", "Array(Bool)", "[true,false]"],
  ["18446744073709551615", "UInt64", "UInt64", "18446744073709551615"],
  ["-9223372036854775808", "Int64", "Int64", "-9223372036854775808"],
  ["1e21", "Float64", "Float64", "1e+21"],
  ["12345678901234567890.25", "Decimal(38, 2)", "Decimal(38, 2)", "12345678901234567000"],
  ["null", "Nullable(Float64)", "Nullable(Float64)", "null"],
  ['"1969-12-31T23:59:59.500000Z"', "DateTime64(6, 'UTC')", "DateTime64(6)", '"1970-01-01T00:59:59.500000+01:00"'],
  ['"2020-07-01T00:00:00Z"', "DateTime", "DateTime('Asia/Tokyo')", '"2020-07-01T09:00:00+09:00"'],
  ['"2020-01-01T10:00:00.123456789Z"', "DateTime64(9, 'UTC')", "DateTime64(6, 'UTC')", '"2020-01-01T10:00:00.123456Z"'],
  ['"2149-06-07"', "Date32", "Date", '"2149-06-07"'],
  ['[["a",1],["b",0]]', "Array(Tuple(a String, b UInt8))", "Array(Tuple(String, Bool))", '[["a",true],["b",false]]'],
  ['{"2020-01-01T00:00:00Z":[1]}', "Map(DateTime, Array(UInt8))", "Map(DateTime('UTC'), Array(Bool))", '{"2020-01-01T00:00:00Z":[true]}'],
  ['"x"', "LowCardinality(Nullable(String))", "String", '"x"'],
  ["5", "IntervalDay", "IntervalDay", "5"],
])("%s as %s is, as %s, %s", (json, theirs, ours, expected) => expect(cell(json, theirs, ours)).toBe(expected));
