import { describe, expect, it } from "vitest";
import { goldenProject } from "./golden-project.ts";
import { anEvent } from "./project.ts";

const EVENTS = [
  anEvent({ at: "2026-01-01T10:00:00Z", event: "a", properties: { plan: "pro", list: "x,x,y" } }, 1),
  anEvent({ at: "2026-01-02T08:00:00Z", event: "a", properties: { plan: "free", list: "z" } }, 2),
  anEvent({ at: "2026-01-31T23:30:00Z", event: "b", who: "bob", properties: { plan: "pro", list: "" } }, 3),
];
const { rows } = goldenProject(EVENTS);

const DAYS = "arrayMap(i -> toDate(timestamp) + i, range(2))";

describe("a row for each element of an array that a lambda makes of the row's columns", () => {
  it.each<readonly [string, string, readonly unknown[]]>([
    [
      "dates",
      "SELECT arrayJoin(arrayMap(i -> toDate(timestamp) + i, range(3))) AS day FROM events WHERE event = 'b' ORDER BY day",
      ["2026-01-31", "2026-02-01", "2026-02-02"],
    ],
    [
      "times",
      "SELECT arrayJoin(arrayMap(h -> toStartOfHour(timestamp) + toIntervalHour(h), range(2))) AS t FROM events WHERE event = 'b' ORDER BY t",
      ["2026-01-31T23:00:00Z", "2026-02-01T00:00:00Z"],
    ],
    [
      "texts",
      "SELECT arrayJoin(arrayMap(x -> concat(event, x), ['p', 'q'])) AS s FROM events ORDER BY s",
      ["ap", "ap", "aq", "aq", "bp", "bq"],
    ],
    [
      "texts of properties",
      "SELECT arrayJoin(arrayMap(x -> concat(x, properties.plan), splitByChar(',', properties.list))) AS s FROM events WHERE event = 'a' ORDER BY s",
      ["xpro", "xpro", "ypro", "zfree"],
    ],
    [
      "tuples",
      "SELECT arrayJoin(arrayMap(x -> (x, event), [1, 2])) AS pair FROM events WHERE event = 'b' ORDER BY pair.1 DESC",
      [
        [2, "b"],
        [1, "b"],
      ],
    ],
    [
      "arrays",
      "SELECT arrayJoin(arrayMap(x -> arrayMap(y -> concat(event, toString(x * y)), [1, 2]), [1, 10])) AS list FROM events WHERE event = 'b' ORDER BY list",
      [
        ["b1", "b2"],
        ["b10", "b20"],
      ],
    ],
    [
      "what is in arrays in arrays",
      "SELECT arrayJoin(arrayJoin(arrayMap(x -> arrayMap(y -> concat(event, toString(x * y)), [1, 2]), [1, 10]))) AS s FROM events WHERE event = 'b' ORDER BY s",
      ["b1", "b10", "b2", "b20"],
    ],
    [
      "elements beside which another array's stand",
      "SELECT arrayJoin(arrayMap(x -> concat(event, toString(x + arrayJoin([0, 10]))), [1, 2])) AS s FROM events WHERE event = 'b' ORDER BY s",
      ["b1", "b11", "b12", "b2"],
    ],
    [
      "elements that are left of a filter",
      "SELECT concat(event, arrayJoin(arrayFilter(x -> x != event, ['a', 'b', 'c']))) AS s FROM events WHERE event = 'b' ORDER BY s",
      ["ba", "bc"],
    ],
    [
      "elements without repetitions",
      "SELECT arrayJoin(arrayCompact(splitByChar(',', properties.list))) AS s FROM events WHERE event = 'a' ORDER BY s",
      ["x", "y", "z"],
    ],
    ["aggregates over them", "SELECT sum(arrayJoin(arrayMap(x -> x * length(event), [1, 2]))) AS s FROM events", [9]],
    ["no row for no element", "SELECT arrayJoin(arrayFilter(x -> x = event, ['a'])) AS s FROM events ORDER BY s", ["a", "a"]],
  ])("%s", async (_, text, expected) => {
    expect(await rows(text)).toEqual(expected.map((value) => [value]));
  });

  it("by which rows are chosen", async () => {
    expect(await rows(`SELECT properties.plan AS plan FROM events WHERE arrayJoin(${DAYS}) = '2026-01-02' ORDER BY plan`)).toEqual([
      ["free"],
      ["pro"],
    ]);
  });

  it("by which rows are grouped, under its alias", async () => {
    expect(await rows(`SELECT arrayJoin(${DAYS}) AS day, count() AS n FROM events GROUP BY day HAVING n < 3 ORDER BY day`)).toEqual([
      ["2026-01-01", 1],
      ["2026-01-02", 2],
      ["2026-01-03", 1],
      ["2026-01-31", 1],
      ["2026-02-01", 1],
    ]);
  });

  it("on the days of the project's zone", async () => {
    const text = `SELECT arrayJoin(${DAYS}) AS day FROM events WHERE event = 'b' ORDER BY day`;
    expect(await rows(text, { timezone: "Asia/Tokyo" })).toEqual([["2026-02-01"], ["2026-02-02"]]);
  });

  it("once for an array that is named twice, and for each pair of two", async () => {
    const [one, other] = [
      "arrayJoin(arrayMap(x -> concat(event, x), ['p', 'q']))",
      "arrayJoin(arrayMap(x -> concat(event, x), ['r', 's']))",
    ];
    const from = "FROM events WHERE event = 'b' ORDER BY 1, 2";
    expect(await rows(`SELECT ${one}, upper(${one}) ${from}`)).toEqual([
      ["bp", "BP"],
      ["bq", "BQ"],
    ]);
    expect(await rows(`SELECT ${one}, ${other} ${from}`)).toEqual([
      ["bp", "br"],
      ["bp", "bs"],
      ["bq", "br"],
      ["bq", "bs"],
    ]);
  });
});

describe("ARRAY JOIN of arrays that lambdas make", () => {
  it("goes through several of them together", async () => {
    const arrays = "arrayMap(i -> toDate(timestamp) + i, [0, 1]) AS day, arrayMap(x -> concat(event, x), ['p', 'q']) AS s";
    expect(await rows(`SELECT day, s FROM events ARRAY JOIN ${arrays} WHERE event = 'b' ORDER BY day`)).toEqual([
      ["2026-01-31", "bp"],
      ["2026-02-01", "bq"],
    ]);
  });

  it("LEFT keeps a row whose array is empty, with the type's default", async () => {
    const text = "SELECT event, x FROM events LEFT ARRAY JOIN arrayFilter(x -> x = event, ['a']) AS x ORDER BY event";
    expect(await rows(text)).toEqual([
      ["a", "a"],
      ["a", "a"],
      ["b", ""],
    ]);
  });
});
