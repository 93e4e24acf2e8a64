import { describe, expect, it } from "vitest";
import { occursOften } from "../lower/expressions/calls.ts";
import {
  argument,
  column,
  columnInstead,
  ident,
  jsonText,
  lambda,
  later,
  numeral,
  parameter,
  type Sql,
  separated,
  sql,
} from "./fragment.ts";
import { print } from "./print.ts";
import { SqlMap, same } from "./same.ts";
import { survey } from "./survey.ts";

const printed = (...pieces: readonly Sql[]) => print(pieces, survey(pieces), () => undefined);
const textOf = (tree: Sql): string => printed(tree).texts.join();

const E = ident("e1");
const event = () => column(E, "event", ident("scan_1"));
const plusOne = () => {
  const x = argument();
  return lambda([x], sql`${x} + 1`);
};

describe("SQL as a tree", () => {
  it("holds values as parameters, of which equal ones share a number over all of its pieces", () => {
    const tree = sql`${parameter("a'; DROP TABLE x")} = ${parameter(1n)} OR ${parameter("a'; DROP TABLE x")}`;
    expect(printed(tree, sql`${parameter(1n)}`)).toEqual({ texts: ["$1 = $2 OR $1", "$2"], parameters: ["a'; DROP TABLE x", 1n] });
  });

  it("quotes every name that is more than a plain word", () => {
    expect(textOf(sql`${ident("c1")}, ${ident('a"; --')}, ${column(E, "Total")}`)).toBe('c1, "a""; --", e1."Total"');
  });

  it("is made of literal text alone", () => {
    const tenants: string = "1 OR true";
    // @ts-expect-error A text that is not written in the code is no SQL.
    const refused = (): Sql => sql`SELECT ${tenants}`;
    expect(refused).toBeTypeOf("function");
  });

  it("names the arguments of lambdas when it is printed, each by its own", () => {
    expect(textOf(sql`f(${plusOne()}, ${plusOne()})`)).toBe("f(lambda x1: x1 + 1, lambda x2: x2 + 1)");
  });

  it("makes what was left for later once, however often it stands there", () => {
    let made = 0;
    const offset = later(["offset"], [event()], () => {
      made += 1;
      return sql`${numeral(-5)}`;
    });
    expect(textOf(sql`${offset} + ${offset}`)).toBe("-5 + -5");
    expect(made).toBe(1);
  });

  it("refuses to be printed beyond the size that its reader allows, although it was made of little", () => {
    const doubled = Array.from({ length: 60 }).reduce<Sql>((tree) => later([], [tree], () => sql`(${tree}, ${tree})`), sql`long`);
    const refuse = (size: number): void => {
      if (size > 1_000) throw new RangeError("too long");
    };
    expect(() => print([doubled], survey([doubled]), refuse)).toThrow("too long");
  });
});

describe("two trees", () => {
  it("are the same when they say the same, with lambdas by the places of their arguments", () => {
    expect(same(sql`f(${event()}, ${plusOne()})`, sql`f(${event()}, ${plusOne()})`)).toBe(true);
    const [x, y] = [argument(), argument()];
    const [a, b] = [argument(), argument()];
    expect(same(lambda([x, y], sql`${x} - ${y}`), lambda([a, b], sql`${b} - ${a}`))).toBe(false);
  });

  it("differ by an argument of a lambda around them", () => {
    const [x, y] = [argument(), argument()];
    expect(same(sql`${x} + 1`, sql`${y} + 1`)).toBe(false);
    expect(same(sql`${x} + 1`, sql`${x} + 1`)).toBe(true);
  });

  it("differ by the kind of a value, by a column's table and by what is left for later", () => {
    expect(same(parameter(1), parameter("1"))).toBe(false);
    expect(same(event(), column(ident("e2"), "event"))).toBe(false);
    const of = (bound: bigint): Sql => later(["offset", bound], [event()], () => sql`0`);
    expect(same(of(1n), of(1n))).toBe(true);
    expect(same(of(1n), of(2n))).toBe(false);
  });

  it("are one key of a map when they are the same", () => {
    const map = new SqlMap<string>();
    map.add(sql`f(${plusOne()})`, "first");
    map.add(sql`f(${plusOne()})`, "second");
    expect([map.get(sql`f(${plusOne()})`), map.get(sql`g(${plusOne()})`), map.size]).toEqual(["first", undefined, 1]);
  });
});

describe("a tree is asked", () => {
  it("for the columns that each scan has to read, also in what was left for later", () => {
    const scan = ident("scan_1");
    const read = (name: string): Sql => column(E, name, scan);
    const tree = sql`${read("b")}, ${later([], [read("a")], () => sql`${read("a")} + ${read("b")}`)}, ${column(ident("q1"), "c1")}`;
    expect([...survey([tree]).columns]).toEqual([[scan, new Set(["b", "a"])]]);
  });

  it("for a column instead of another, which does for both where a scan reads it anyway", () => {
    const [one, other] = [ident("scan_1"), ident("scan_2")];
    const [time, elsewhere] = [column(E, "time", one), column(ident("e2"), "time", other)];
    const [day, day2] = [columnInstead(time, "day"), columnInstead(elsewhere, "day")];
    expect([...survey([day, time, day2]).columns]).toEqual([
      [one, new Set(["time"])],
      [other, new Set(["day"])],
    ]);
    expect([textOf(sql`${day}, ${time}, ${day2}`), textOf(day)]).toEqual(["e1.time, e1.time, e2.day", "e1.day"]);
  });

  it("whether a part stands in it often", () => {
    const part = event();
    expect(occursOften(sql`${part} ${sql`(${part} ${separated([part])})`}`, part, 3)).toBe(true);
    expect(occursOften(sql`${part} ${sql`(${part})`}`, part, 3)).toBe(false);
  });

  it("which texts of a table's JSON are taken out together", () => {
    const table = { scan: ident("scan_1"), alias: E, joined: false };
    const read = (path: string): Sql => jsonText(table, parameter(path), column(E, "properties", table.scan));
    const tree = sql`${read("a")}, ${read("b")}, ${read("a")}`;
    expect(textOf(tree)).toBe("e1.j[1], e1.j[2], e1.j[1]");
    expect(textOf(read("a"))).toBe("json_extract_string(e1.properties, $1)");
  });
});
