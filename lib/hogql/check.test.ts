import { describe, expect, it } from "vitest";
import { AT } from "./ast.ts";
import { QueryError, wireError, withCaret } from "./errors.ts";
import { check } from "./lower.ts";
import { parse } from "./parse.ts";

const checked = async (text: string) => check(await parse(text), { timezone: "UTC" });

const refusal = async (text: string): Promise<{ readonly code: string; readonly shown: string }> => {
  try {
    await checked(text);
  } catch (error) {
    if (error instanceof QueryError) return { code: error.code, shown: withCaret(error, text) };
    throw error;
  }
  return { code: "none", shown: "" };
};

describe("a checked query", () => {
  it("names its columns, their types and its variables, each once", async () => {
    const found = await checked(
      "SELECT toDate(timestamp) AS day, count(), properties.plan, person.created_at, [1], event = 'x' AS same, avg(1) FROM events WHERE event = {variables.event} AND distinct_id IN {variables.ids} AND event != {variables.event} GROUP BY 1, 3, 4, same LIMIT 20",
    );
    expect(found.variables).toEqual(["event", "ids"]);
    expect(found.ceiling).toBe(20);
    expect(found.columns).toEqual([
      { name: "day", type: "date" },
      { name: "count()", type: "integer" },
      { name: "plan", type: "string" },
      { name: "created_at", type: "datetime" },
      { name: "[1]", type: "array" },
      { name: "same", type: "boolean" },
      { name: "avg(1)", type: "float" },
    ]);
  });

  it("points at a comparison whose sides do not fit", async () => {
    const { code, shown } = await refusal("SELECT event\nFROM events WHERE properties.a > 5");
    expect(code).toBe("no_common_type");
    expect(shown.split("\n").slice(1)).toEqual(["FROM events WHERE properties.a > 5", `${" ".repeat("FROM events WHERE ".length)}^`]);
  });

  it("says what to write instead of a form that is not there", async () => {
    expect((await refusal("SELECT event, count() FROM events GROUP BY event WITH TOTALS")).shown).toContain("UNION ALL");
    expect((await refusal("SELECT DISTINCT ON (event) event FROM events")).shown).toContain("LIMIT 1 BY");
    expect((await refusal("SELECT event FROM events ORDER BY event WITH FILL")).shown).toContain("numbers(n)");
  });

  it.each([
    ["SELECT TOP 5 event FROM events", "TOP", "LIMIT 5"],
    ["SELECT quantile(0.5) WITHIN GROUP (ORDER BY 1) FROM events", "WITHIN", "quantile(0.5)(x)"],
    ["SELECT LEN(event) FROM events", "LEN", "length(x)"],
    ["SELECT count() FROM events WHERE timestamp > now() - INTERVAL 7 DAYS", "INTERVAL", "INTERVAL 7 DAY."],
    ["SELECT timestamp AT TIME ZONE 'UTC' FROM events", "AT", "toTimeZone"],
    ["SELECT event AS team_id FROM events", "AS", "`team_id` cannot be an alias"],
    ["SELECT * EXCEPT (properties) FROM events", "*", "* EXCLUDE (a, b)"],
    ["SELECT * REPLACE (1 AS event) FROM events", "*", "name the columns"],
    ["SELECT 1 FROM events ARRAY JOIN splitByChar(',', event)", "splitByChar", "ARRAY JOIN tags AS tag"],
    ["SELECT t FROM (SELECT [1] AS a) LEFT ARRAY JOIN a AS t, arrayEnumerate(a) WHERE t > 1", "arrayEnumerate", "ARRAY JOIN tags AS tag"],
    ["SELECT b.event FROM events a LEFT ANTI JOIN events b ON a.uuid = b.uuid", "b.event", "Only the left side of a LEFT ANTI JOIN"],
    ["SHOW TABLES", "SHOW", "the tables are events"],
    ["DESCRIBE events", "DESCRIBE", "the tables are events"],
    ["DELETE FROM events", "DELETE", "only reads"],
    ["SELECT event FROM events GROUP BY event ORDER count()", "ORDER", "ORDER BY"],
    ["SELECT event FORM events", "FORM", "FROM"],
    ["SELECT event FROM events WERE event = 'x'", "WERE", "WHERE"],
    ["SELECT event FROM events WHERE event = 'x' GROPU BY event", "GROPU", "GROUP"],
    ["SELECT 'open FROM events", "'open", "no end"],
    ['SELECT count() FROM events WHERE event = "hello"', '"hello"', "single quotes: 'hello'"],
  ])("%s points at the culprit and says what to write", async (text, culprit, instead) => {
    const [sentence, , caret] = (await refusal(text)).shown.split("\n");
    expect(sentence).toContain(instead);
    expect(caret).toBe(`${" ".repeat(text.indexOf(culprit))}^`);
  });

  it("keeps the backslash of an escape that is none, as patterns need it", async () => {
    const ast = await parse("SELECT '100\\%%', 'a\\\\b', '\\d', 'it\\'s', '\\t'");
    const values = ast.kind === "select" ? ast.columns.map((column) => (column.kind === "constant" ? column.value : null)) : [];
    expect(values).toEqual(["100\\%%", "a\\b", "\\d", "it's", "\t"]);
    expect((await refusal("SELECT '\\%' FORM events")).shown).toContain(`\n${" ".repeat(12)}^`);
  });

  it("keeps windows out of what is computed before them or with them", async () => {
    for (const text of [
      "SELECT event FROM events WHERE row_number() OVER () = 1",
      "SELECT count() FROM events GROUP BY row_number() OVER ()",
      "SELECT count() AS c FROM events HAVING row_number() OVER () = 1",
      "SELECT sum(row_number() OVER ()) FROM events",
      "SELECT sum(row_number() OVER ()) OVER () FROM events",
      "SELECT lag(rank() OVER ()) OVER (ORDER BY event) FROM events",
      "SELECT rank() OVER (ORDER BY row_number() OVER ()) FROM events",
      "SELECT 1 FROM events a JOIN events b ON a.uuid = b.uuid AND row_number() OVER () = 1",
    ]) {
      expect((await refusal(text)).code, text).toBe("illegal_aggregation");
    }
  });

  it("looks into columns of subqueries that nothing reads", async () =>
    expect((await refusal("SELECT a FROM (SELECT event AS a, bogus FROM events)")).code).toBe("unknown_field"));

  it("is stored without positions", async () => {
    const ast = await parse("SELECT event FROM events");
    expect(ast[AT]).toEqual({ line: 1, column: 0 });
    expect(JSON.stringify(ast)).not.toContain("line");
  });
});

describe("a property", () => {
  const withType = async (text: string, type: "String" | "Numeric" | undefined) =>
    check(await parse(text), { timezone: "UTC", propertyType: () => type });

  it("is checked by the type that it has, and by what it is compared with while it has none", async () => {
    const text = "SELECT properties.price, sum(properties.price) FROM events WHERE properties.price > 5 GROUP BY 1";
    const types = async (type: "Numeric" | undefined) => (await withType(text, type)).columns.map((column) => column.type);
    expect(await types("Numeric")).toEqual(["float", "float"]);
    expect(await types(undefined)).toEqual(["string", "float"]);
    await expect(withType(text, "String")).rejects.toMatchObject({ code: "no_common_type" });
  });
});

describe("a mistake", () => {
  it.each([
    ["SELECT toStartOfMnth(timestamp) FROM events", "unknown_function", "Did you mean `toStartOfMonth`?"],
    ["SELECT evnt FROM events", "unknown_field", "Did you mean `event`?"],
    ["SELECT a AS b, b AS a FROM events", "unknown_field", "The alias `b` is defined in terms of itself"],
    ["SELECT lower(mine) AS mine FROM events", "unknown_field", "The alias `mine` is defined in terms of itself"],
    ["SELECT 1 FROM evnts", "unknown_table", "Did you mean `events`?"],
    ["SELECT toDate() FROM events", "number_of_arguments_doesnt_match", "`toDate` takes 1 argument, not 0."],
    ["SELECT count() FROM events WHERE properties.price > 5", "no_common_type", "Cannot compare Nullable(String) with UInt8"],
    ["SELECT has(properties.tags, 'a') FROM events", "illegal_type_of_argument", "use JSONExtract(…, 'Array(String)')."],
    ["SELECT arrayJoin(properties.tags) FROM events", "illegal_type_of_argument", "use JSONExtract(…, 'Array(String)')."],
    ["SELECT arrayMap(x -> x, properties.tags) FROM events", "illegal_type_of_argument", "use JSONExtract(…, 'Array(String)')."],
    ["SELECT mapKeys(properties.address) FROM events", "illegal_type_of_argument", "use JSONExtract(…, 'Map(String, String)')."],
    ["SELECT lower(1)", "illegal_type_of_argument", "Argument 1 of `lower` is UInt8"],
    ["SELECT ceil(1.5, 0.1)", "illegal_type_of_argument", "Argument 2 of `ceil` is Float64, but must be a constant whole number."],
    ["SELECT round(1.5, inf)", "illegal_type_of_argument", "Argument 2 of `round` is Float64, but must be a constant whole number."],
    ["SELECT tupleElement((1, 2), 1.5)", "illegal_type_of_argument", "must be a constant whole number"],
    ["SELECT toWeek(timestamp, 0.5) FROM events", "illegal_type_of_argument", "must be a constant whole number"],
    ["SELECT toFloat([1, 2])", "illegal_type_of_argument", "Cannot convert Array(UInt8) to a float."],
    ["SELECT toFloatOrZero((1, 2))", "illegal_type_of_argument", "Cannot convert Tuple(UInt8, UInt8) to a float."],
    ["SELECT toDecimal32([1], 2)", "illegal_type_of_argument", "to a decimal."],
    ["SELECT toBool(['a'])", "illegal_type_of_argument", "Cannot convert Array(String) to a boolean."],
    ["SELECT toDateTime([1])", "illegal_type_of_argument", "Cannot convert Array(UInt8) to a time."],
    ["SELECT toUUID(1)", "illegal_type_of_argument", "Cannot convert UInt8 to a UUID."],
    ["SELECT length(timestamp) FROM events", "illegal_type_of_argument", "but must be a text; use toString."],
    ["SELECT reverse(1.5)", "illegal_type_of_argument", "Argument 1 of `reverse` is Float64"],
    ["SELECT UUIDv7ToDateTime(timestamp) FROM events", "illegal_type_of_argument", "Argument 1 of `UUIDv7ToDateTime`"],
    ["SELECT arraySum(['a'])", "illegal_type_of_argument", "`arraySum` needs an array of numbers, not Array(String). (line 1, column 8)"],
    ["SELECT arrayAvg(x -> x, [timestamp]) FROM events", "illegal_type_of_argument", "`arrayAvg` needs an array of numbers"],
    ["SELECT arrayDifference(['a'])", "illegal_type_of_argument", "`arrayDifference` needs an array of numbers, not Array(String)."],
    ["SELECT arrayCount(['a'])", "illegal_type_of_argument", "`arrayCount` needs an array of numbers, not Array(String)."],
    [
      "SELECT has(['a'], 1)",
      "illegal_type_of_argument",
      "is UInt8, which no element of Array(String) can be; convert one side with toString",
    ],
    ["SELECT indexOf([1, 2], event) FROM events", "illegal_type_of_argument", "Argument 2 of `indexOf` is String"],
    ["SELECT countEqual(['a'], [1])", "illegal_type_of_argument", "Argument 2 of `countEqual` is Array(UInt8)"],
    ["SELECT arrayPushBack([1], 'a')", "illegal_type_of_argument", "Argument 2 of `arrayPushBack` is String"],
    ["SELECT arrayPushFront(['a'], today())", "illegal_type_of_argument", "Argument 2 of `arrayPushFront` is Date"],
    ["SELECT hasAll([1.5], [(1, 2)])", "no_common_type", "The values of hasAll have no common type"],
    ["SELECT hasSubstr(['a'], [1])", "no_common_type", "The values of hasSubstr have no common type"],
    ["SELECT arrayIntersect(['a'], [1])", "no_common_type", "The values of arrayIntersect have no common type"],
    ["SELECT mapContains(map('a', 1), 3)", "illegal_type_of_argument", "The keys of the map are String, and none can be UInt8"],
    ["SELECT map(1, 2)[event] FROM events", "illegal_type_of_argument", "The keys of the map are UInt8, and none can be String"],
    ["SELECT concat(['a'], [1])", "no_common_type", "The values of concat have no common type"],
    ["SELECT multiSearchAny(event, [1, 2]) FROM events", "illegal_type_of_argument", "but must be an array of texts."],
    ["SELECT multiMatchAnyIndex(event, [1]) FROM events", "illegal_type_of_argument", "but must be an array of texts."],
    ["SELECT matchesAction('x') FROM events", "unsupported_function", "Write the action's filters"],
    ["SELECT sumState(1) FROM events", "unsupported_function", "states of aggregates"],
    ["SELECT count() FROM events WHERE timestamp > 'soon'", "cannot_parse_text", "Cannot read 'soon' as a date or time"],
    ["SELECT {unheard}", "placeholder", "has no value"],
    ["SELECT event, count() FROM events", "not_an_aggregate", "`event` is neither"],
    ["SELECT count() FROM events GROUP BY event WITH TOTALS", "unsupported", "WITH TOTALS"],
    ["SELECT 1 FROM {variables.x}", "placeholder", "cannot stand for a table"],
    ["SELECT 1 WHERE person_id IN COHORT 2", "unsupported", "Cohorts"],
  ])("%s is named", async (text, code, words) => {
    const found = await refusal(text);
    expect(found.code).toBe(code);
    expect(found.shown).toContain(words);
  });

  it("is shown with its line and a caret below its place", async () =>
    expect((await refusal("SELECT event,\n  evnt\nFROM events")).shown).toBe(
      "Unknown field `evnt`. Did you mean `event`? (line 2, column 3)\n  evnt\n  ^",
    ));

  it("that the parser finds has a place too", async () =>
    expect((await refusal("SELECT event FRO events wher")).shown).toContain("line 1, column "));

  it("has the code of the engine's own name on the wire, else the plain one", () => {
    expect(wireError(new QueryError("no_common_type", "."))).toEqual({ type: "validation_error", code: "no_common_type" });
    expect(wireError(new QueryError("unknown_field", "."))).toEqual({ type: "validation_error", code: "invalid_input" });
    expect(wireError(new QueryError("query_timeout", "."))).toEqual({ type: "server_error", code: "query_timeout" });
  });
});

describe("a text out of bounds", () => {
  it.each([
    ["empty", "  ", "syntax_error"],
    ["too long", `SELECT '${"x".repeat(100_001)}'`, "too_complex"],
    ["with too many words", `SELECT ${"1,".repeat(6_000)}1`, "too_complex"],
    ["with more words than the parser reads soon", `SELECT ${"1,".repeat(3_000)}1`, "query_too_large"],
    ["nested too deeply", `SELECT ${"(".repeat(80)}1${")".repeat(80)}`, "too_complex"],
    ["with a long run of prefixes", `SELECT ${"not ".repeat(200)}1`, "too_complex"],
    ["with a long chain of operators", `SELECT ${"1 + ".repeat(400)}1`, "too_complex"],
  ])("%s is refused", async (_, text, code) => {
    expect((await refusal(text)).code).toBe(code);
  });
});
