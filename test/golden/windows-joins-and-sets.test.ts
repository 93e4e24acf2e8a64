import { describe, expect, it } from "vitest";
import { goldenProject } from "./golden-project.ts";

const { lowered, rows } = goldenProject();

describe("anyLast over a window", () =>
  it("is the last value that is not NULL", async () => {
    const text =
      "SELECT number AS n, anyLast(if(n % 2 = 0, n, NULL)) OVER (ORDER BY n), anyLastIf(n, n > 1) OVER () FROM numbers(4) ORDER BY n";
    expect(await rows(text)).toEqual([
      [0, 0, 3],
      [1, 0, 3],
      [2, 2, 3],
      [3, 2, 3],
    ]);
  }));

describe("beyond the partition", () =>
  it("lag and lead find NULL, and in a frame the type's default, or NULL where values can be NULL", async () => {
    const whole = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING";
    const frame = `OVER (ORDER BY n ${whole})`;
    const text = `SELECT number AS n, lag(n) OVER (ORDER BY n), lead(n) OVER (ORDER BY n), lagInFrame(n) ${frame}, lagInFrame(nullIf(n, 9)) ${frame}`;
    expect(await rows(`${text} FROM numbers(2) ORDER BY n`)).toEqual([
      [0, null, 1, 0, null],
      [1, 0, null, 0, 0],
    ]);
  }));

describe("sides that a join leaves unmatched", () => {
  const sides = "(SELECT number AS n FROM numbers(3)) AS a JOIN_ (SELECT number + 2 AS n, 'x' AS s FROM numbers(2)) AS b ON a.n = b.n";
  it.each([
    ["LEFT JOIN", [3, 3, 1, 1, 2]],
    ["RIGHT JOIN", [2, 1, 2, 2, 0]],
    ["FULL JOIN", [4, 3, 2, 2, 2]],
    ["INNER JOIN", [1, 1, 1, 1, 0]],
  ] as const)("are NULL, and not counted: %s", async (kind, counts) => {
    const text = "SELECT count(), count(a.n), count(b.n), count(b.s), countIf(b.s IS NULL)";
    expect(await rows(`${text} FROM ${sides.replace("JOIN_", kind)}`)).toEqual([counts]);
  });
});

describe("sets of rows", () => {
  const left = "SELECT arrayJoin([1, 1, 2, NULL, 3, 3]) AS x";
  const right = "SELECT arrayJoin([1, NULL, 2]) AS x";
  it.each<readonly [string, readonly (number | null)[]]>([
    [`${left} INTERSECT ${right}`, [1, 2, null]],
    [`${left} INTERSECT DISTINCT ${right}`, [1, 2, null]],
    [`${left} EXCEPT ${right}`, [1, 3, 3]],
    [`SELECT 9 AS x UNION ALL ${left} INTERSECT ${right}`, [1, 2, 9, null]],
    [`${left} EXCEPT ${right} UNION ALL SELECT 3 AS x`, [1, 3, 3, 3]],
  ])("%s", async (text, expected) => {
    expect(await rows(`SELECT x FROM (${text}) ORDER BY x`)).toEqual(expected.map((x) => [x]));
  });
});

describe("calls in calls in calls", () => {
  const nested = (call: (x: string) => string, depth: number): string => (depth === 0 ? "toString(number)" : call(nested(call, depth - 1)));
  it.each([
    ["padding", (x: string) => `leftPad(${x}, 3, '0')`, 8, "001"],
    ["capitals", (x: string) => `lower(upper(${x}))`, 8, "1"],
    ["floats", (x: string) => `toString(toFloat(${x}))`, 8, "1"],
    ["slices", (x: string) => `arrayStringConcat(arraySlice(splitByChar(',', ${x}), -1, 1), ',')`, 4, "1"],
    ["times", (x: string) => `toString(toDate(toDateTime(concat('2026-01-0', right(${x}, 1)))))`, 3, "2026-01-01"],
  ] as const)("stay short enough to run: %s", async (_, call, depth, value) => {
    const text = nested(call, depth);
    expect((await lowered(`SELECT ${text} FROM numbers(2)`)).sql.length).toBeLessThan(40_000);
    expect(await rows(`SELECT ${text} AS v, count() FROM numbers(2) GROUP BY v ORDER BY v DESC LIMIT 1`)).toEqual([[value, 1]]);
  });
});

describe("a session's duration", () => {
  it("is what dateDiff counts in seconds between its start and its end", async () => {
    const sessions = await rows("SELECT $session_duration, dateDiff('second', $start_timestamp, $end_timestamp) FROM sessions");
    expect(sessions.length).toBeGreaterThan(0);
    for (const [duration, difference] of sessions) expect(duration).toBe(difference);
  });
});
