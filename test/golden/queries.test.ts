import { describe, expect, it } from "vitest";
import { sqlFilters } from "../../lib/insight/sql-filters.ts";
import { goldenProject } from "./golden-project.ts";
import { NOW } from "./harness.ts";

const golden = goldenProject();

describe("properties", () => {
  it("read missing, null and empty alike as NULL", async () =>
    expect(await golden.rows("SELECT properties.plan AS plan, count() FROM events GROUP BY plan ORDER BY plan")).toEqual([
      ["free", 2],
      ["pro", 2],
      [null, 5],
    ]));

  it("are found under odd names, nested, and by place", async () =>
    expect(
      await golden.rows(
        "SELECT properties['my key'], properties.nested.a.b, properties.nested.list, properties.nested.list[1], properties.quote FROM events WHERE distinct_id IN ('bob', 'cid') ORDER BY timestamp LIMIT 3",
      ),
    ).toEqual([
      ["x", null, null, null, null],
      [null, "deep", "[1,2,3]", "1", null],
      [null, null, null, null, 'a"b'],
    ]));

  it("have the type that the project knows", async () => {
    const types = new Map([
      ["price", "Numeric"],
      ["ok", "Boolean"],
      ["when", "DateTime"],
    ] as const);
    const propertyType = (_: string, name: string) => types.get(name as "price");
    expect(
      await golden.rows(
        "SELECT max(properties.price), countIf(properties.ok), countIf(properties.ok = false), max(properties.when) FROM events",
        {
          propertyType,
        },
      ),
    ).toEqual([[99.5, 1, 1, "2026-02-03T04:05:06Z"]]);
  });

  it("differ from a value also where they are missing", async () =>
    expect(
      await golden.rows(
        "SELECT countIf(properties.plan = 'free'), countIf(properties.plan != 'free'), countIf(NOT properties.plan = 'free'), countIf(properties.plan NOT IN ('free', 'pro')), countIf(properties.plan NOT LIKE 'f%') FROM events",
      ),
    ).toEqual([[2, 7, 7, 5, 7]]));
});

describe("lambdas", () => {
  it("groups by values that are read from JSON with a lambda of our own", async () => {
    expect(
      await golden.rows("SELECT JSONExtract(properties, 'tags', 'Array(String)')[1] AS tag, count() FROM events GROUP BY tag ORDER BY tag"),
    ).toEqual([
      ["", 8],
      ["x", 1],
    ]);
  });

  it("group rows like any other expression, however often they are named", async () =>
    expect(
      await golden.rows(
        "SELECT arrayMap(x -> upper(x), [event]) AS names, names[1] AS name, count() FROM events WHERE event != 'buy' GROUP BY names ORDER BY arrayMap(y -> upper(y), [event]) LIMIT 2",
      ),
    ).toEqual([
      [["$PAGEVIEW"], "$PAGEVIEW", 4],
      [["CLICK"], "CLICK", 2],
    ]));

  it("make one join of an array that is named twice", async () =>
    expect(
      await golden.rows(
        "SELECT arrayJoin(arrayMap(x -> x + 1, [1, 2])) AS n, count() FROM events WHERE arrayJoin(arrayMap(x -> x + 1, [1, 2])) > 2 GROUP BY n",
      ),
    ).toEqual([[3, 9]]));
});

describe("filters", () => {
  it("count a softened comparison the same in WHERE and as a value", async () =>
    expect(
      await golden.rows(
        "SELECT count(), (SELECT countIf((properties.plan != 'free') = 1) FROM events) FROM events WHERE properties.plan != 'free'",
      ),
    ).toEqual([[7, 7]]));

  it("leave out NULLs of a subquery under NOT IN", async () =>
    expect(await golden.value("SELECT count() FROM events WHERE event NOT IN (SELECT properties.plan FROM events)")).toBe(9));

  it("see the aliases of the SELECT, which win over columns", async () =>
    expect(
      await golden.rows(
        "SELECT upper(event) AS event, count() AS n FROM events WHERE event = 'CLICK' GROUP BY event HAVING n > 1 ORDER BY n",
      ),
    ).toEqual([["CLICK", 2]]));

  it("stand for the stored filters", async () =>
    expect(
      await golden.value("SELECT count() FROM events WHERE {filters}", {
        filters: sqlFilters(
          {
            dateRange: { date_from: "2026-01-02" },
            properties: [{ key: "plan", value: ["pro"], operator: "exact", type: "event" }],
          },
          { now: NOW, timezone: "UTC" },
        ),
      }),
    ).toBe(2));
});

describe("aggregates", () => {
  it("have defaults over no rows", async () =>
    expect(
      await golden.rows(
        "SELECT count(), sum(1), avg(1), min(timestamp), max(event), any(event), groupArray(event), sum(toFloat(properties.price)) FROM events WHERE event = 'none'",
      ),
    ).toEqual([[0, 0, null, "1970-01-01T00:00:00Z", "", "", [], 0]]));

  it("skip NULLs", async () =>
    expect(
      await golden.rows(
        "SELECT count(properties.plan), uniq(properties.plan), groupArray(properties.plan), avg(toFloat(properties.price)) FROM events",
      ),
    ).toEqual([[4, 2, ["free", "free", "pro", "pro"], 32.4]]));

  it("take conditions, parameters and several values", async () =>
    expect(
      await golden.rows(
        "SELECT countIf(event = 'click'), sumIf(toFloat(properties.price), event = 'buy'), quantile(0.5)(toFloat(properties.price)), topK(1)(event), argMax(event, timestamp), uniq(distinct_id, event), avgOrNull(1) FROM events",
      ),
    ).toEqual([[2, 99.5, 20, ["$pageview"], "it's \\ odd", 8, 1]]));

  it("refuse a column that is neither grouped nor aggregated", async () =>
    await expect(golden.rows("SELECT event, count() FROM events")).rejects.toMatchObject({ code: "not_an_aggregate" }));

  it("refuse each other inside, and themselves in WHERE", async () => {
    await expect(golden.rows("SELECT sum(count()) FROM events")).rejects.toMatchObject({ code: "illegal_aggregation" });
    await expect(golden.rows("SELECT 1 FROM events WHERE count() > 1")).rejects.toMatchObject({ code: "illegal_aggregation" });
  });
});

describe("rows", () => {
  it("put NULLs last in both directions, and first when asked", async () => {
    const plans = (order: string) => golden.rows(`SELECT DISTINCT properties.plan AS plan FROM events ORDER BY plan ${order}`);
    expect(await plans("ASC")).toEqual([["free"], ["pro"], [null]]);
    expect(await plans("DESC")).toEqual([["pro"], ["free"], [null]]);
    expect(await plans("ASC NULLS FIRST")).toEqual([[null], ["free"], ["pro"]]);
  });

  it("are limited per key by LIMIT BY", async () =>
    expect(await golden.rows("SELECT distinct_id, event FROM events ORDER BY timestamp LIMIT 1 BY distinct_id LIMIT 3")).toEqual([
      ["ann", "$pageview"],
      ["bob", "$pageview"],
      ["cid", "$pageview"],
    ]));

  it("are ordered and limited by positions that count the columns of a `*`", async () => {
    const from = "FROM (SELECT number, number % 2 AS odd FROM numbers(4))";
    expect(await golden.rows(`SELECT *, -number AS below ${from} ORDER BY 2, 1 DESC`)).toEqual([
      [2, 0, -2],
      [0, 0, 0],
      [3, 1, -3],
      [1, 1, -1],
    ]);
    expect(await golden.rows(`SELECT COLUMNS('o|n') ${from} ORDER BY 1 DESC LIMIT 1`)).toEqual([[3, 1]]);
    expect(await golden.rows(`SELECT *, 5 AS five ${from} ORDER BY 1 LIMIT 1 BY 2`)).toEqual([
      [0, 0, 5],
      [1, 1, 5],
    ]);
    await expect(golden.rows(`SELECT * ${from} ORDER BY 3`)).rejects.toThrow("There is no column at position 3.");
    await expect(golden.rows(`SELECT *, count() ${from} GROUP BY 1`)).rejects.toThrow("name the column");
  });

  it("may be filtered by a window of a subquery, and by QUALIFY", async () => {
    const ranked = "SELECT number, rank() OVER (ORDER BY number DESC) AS place FROM numbers(5)";
    expect(await golden.rows(`SELECT number, sum(place) OVER () FROM (${ranked}) WHERE place < 3 ORDER BY place`)).toEqual([
      [4, 3],
      [3, 3],
    ]);
    expect(await golden.rows(`${ranked} QUALIFY place = 1`)).toEqual([[4, 1]]);
    expect(await golden.rows(`SELECT max(place), count() FROM (${ranked}) GROUP BY place % 2 ORDER BY 1`)).toEqual([
      [4, 2],
      [5, 3],
    ]);
  });

  it("are limited per key after windows, QUALIFY and DISTINCT", async () => {
    const numbers = "FROM numbers(6)";
    expect(
      await golden.rows(
        `SELECT number % 2 AS k, row_number() OVER w AS r ${numbers} WINDOW w AS (PARTITION BY k ORDER BY number) ORDER BY k, r DESC LIMIT 1 BY k`,
      ),
    ).toEqual([
      [0, 3],
      [1, 3],
    ]);
    expect(
      await golden.rows(`SELECT number ${numbers} QUALIFY row_number() OVER (ORDER BY number) > 2 ORDER BY number LIMIT 1 BY number % 2`),
    ).toEqual([[2], [3]]);
    expect(await golden.rows(`SELECT DISTINCT number % 2 AS a, number % 3 AS b ${numbers} ORDER BY a, b LIMIT 2 BY a LIMIT 3`)).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
    ]);
    expect(
      await golden.rows(`SELECT k FROM (SELECT number % 3 AS k, number ${numbers} ORDER BY number DESC LIMIT 1 BY k) ORDER BY k`),
    ).toEqual([[0], [1], [2]]);
  });

  it("are repeated for each element by arrayJoin and ARRAY JOIN", async () => {
    expect(await golden.rows("SELECT arrayJoin([1, 2]) AS x, x * 10 ORDER BY x")).toEqual([
      [1, 10],
      [2, 20],
    ]);
    expect(
      await golden.rows("SELECT event, tag, n FROM events ARRAY JOIN ['x', 'y'] AS tag, [1, 2] AS n WHERE event = 'buy' AND n = 2"),
    ).toEqual([
      ["buy", "y", 2],
      ["buy", "y", 2],
    ]);
    expect(await golden.value("SELECT count() FROM events LEFT ARRAY JOIN emptyArrayString() AS tag")).toBe(9);
  });

  it("are numbered by window functions", async () =>
    expect(
      await golden.rows(
        "SELECT event, row_number() OVER (PARTITION BY event ORDER BY timestamp) AS n, lagInFrame(event) OVER (ORDER BY timestamp) FROM events ORDER BY timestamp LIMIT 3",
      ),
    ).toEqual([
      ["$pageview", 1, ""],
      ["click", 1, "$pageview"],
      ["$pageview", 2, "click"],
    ]));

  it("are 100 unless the text says more, and at most 50,000", async () => {
    expect((await golden.rows("SELECT number FROM numbers(1000)")).length).toBe(100);
    expect((await golden.rows("SELECT number FROM numbers(60000) LIMIT 60000")).length).toBe(50_000);
  });

  it("are paged below the text's own LIMIT, with one more when there is one", async () => {
    const page = async (limit: number, offset: number, text = "SELECT number FROM numbers(100) ORDER BY number LIMIT 10") =>
      (await golden.rows(text, { page: { limit, offset } })).map(([number]) => number);
    expect(await page(3, 0)).toEqual([0, 1, 2, 3]);
    expect(await page(3, 8)).toEqual([8, 9, 10]);
    expect(await page(3, 10)).toEqual([]);
    expect(await page(2, 1, "SELECT number FROM numbers(100) ORDER BY number LIMIT 10 OFFSET 5")).toEqual([6, 7, 8]);
    await expect(page(1, 0, "SELECT 1 UNION ALL SELECT 2")).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("tables", () => {
  it("join an event's person, groups and session when they are named", async () =>
    expect(
      await golden.rows(
        "SELECT person.properties.email, organization.properties.plan, group_0.key, session.$session_duration, session.$pageview_count FROM events ORDER BY timestamp LIMIT 2",
        { groupTypes: ["organization"] },
      ),
    ).toEqual([
      ["ann@example.com", "gold", "acme", 1200, 2],
      ["ann@example.com", "gold", "acme", 1200, 2],
    ]));

  it("count a person once, whatever the distinct_id", async () =>
    expect(await golden.rows("SELECT uniq(person_id), uniq(distinct_id) FROM events")).toEqual([[3, 4]]));

  it("aggregate sessions over their events", async () =>
    expect(
      await golden.rows(
        "SELECT session_id, $session_duration, $pageview_count, $entry_current_url, $is_bounce FROM sessions WHERE $start_timestamp >= '2026-01-01 09:00:00' ORDER BY session_id",
      ),
    ).toEqual([
      ["s1", 1200, 2, "https://a.example/", false],
      ["s2", 0, 1, null, true],
    ]));

  it("list persons, their ids and groups", async () => {
    expect(await golden.rows("SELECT properties.email, is_identified FROM persons ORDER BY created_at")).toEqual([
      ["ann@example.com", true],
      [null, false],
    ]);
    expect(await golden.rows("SELECT pdi.distinct_id FROM persons WHERE properties.age = '41' ORDER BY pdi.distinct_id")).toEqual([
      ["ann"],
      ["ann-phone"],
    ]);
    expect(await golden.rows("SELECT key, properties.name FROM groups")).toEqual([["acme", "Acme"]]);
  });

  it("are joined, nested and named by WITH", async () => {
    expect(
      await golden.rows(
        "WITH buyers AS (SELECT person_id AS p, max(timestamp) AS at FROM events WHERE event = 'buy' GROUP BY p) SELECT e.event, count() AS n FROM events AS e INNER JOIN buyers AS b ON e.person_id = b.p GROUP BY e.event ORDER BY n DESC, e.event LIMIT 2",
      ),
    ).toEqual([
      ["$pageview", 3],
      ["buy", 2],
    ]);
    expect(
      await golden.rows(
        "WITH 'click' AS wanted SELECT count() FROM (SELECT * FROM events) WHERE event = wanted AND properties.plan = 'pro'",
      ),
    ).toEqual([[1]]);
    expect(await golden.rows("SELECT a FROM (SELECT 1 AS a UNION ALL SELECT 2) ORDER BY a DESC LIMIT 1")).toEqual([[2]]);
    await expect(golden.rows("(SELECT 1 AS a UNION ALL SELECT 2) ORDER BY a DESC")).rejects.toMatchObject({ code: "unsupported" });
  });
});

describe("variables", () => {
  it("are constants of the JSON type they come in", async () =>
    expect(
      await golden.rows(
        "SELECT {variables.n} + 1, {variables.s}, {variables.none} IS NULL, 'click' IN {variables.list}, toInt({variables.s})",
        {
          variables: { n: 4, s: "5", none: null, list: ["click", "buy"] },
        },
      ),
    ).toEqual([[5, "5", true, true, 5]]));

  it("may stand for a LIMIT", async () =>
    expect(await golden.rows("SELECT number FROM numbers(9) LIMIT {variables.n}", { variables: { n: 2 } })).toEqual([[0], [1]]));

  it("are missed by name", async () =>
    await expect(golden.rows("SELECT {variables.evnt}", { variables: { event: 1 } })).rejects.toMatchObject({
      code: "placeholder",
      message: "The variable `evnt` has no value. Did you mean `event`?",
    }));
});

describe("time zones", () => {
  it("decide which day an event is on, also where a subquery hides the time", async () => {
    const text =
      "SELECT toDate(at) AS day, count() FROM (SELECT timestamp AS at FROM events) WHERE at >= '2026-01-02' AND at < '2026-01-04' GROUP BY day ORDER BY day";
    expect(await golden.rows(text)).toEqual([
      ["2026-01-02", 1],
      ["2026-01-03", 1],
    ]);
    expect(await golden.rows(text, { timezone: "America/New_York" })).toEqual([["2026-01-02", 2]]);
  });
});

describe("a subquery in a key of GROUP BY", () => {
  it.each([
    ["SELECT event IN (SELECT 'click') AS clicks, count() FROM events GROUP BY clicks ORDER BY clicks"],
    ["SELECT event IN (SELECT 'click'), count() FROM events GROUP BY 1 ORDER BY 1"],
    ["SELECT if(event IN (SELECT 'click'), 1, 0) = 1 AS clicks, count() FROM events GROUP BY clicks ORDER BY clicks"],
    ["WITH wanted AS (SELECT 'click' AS event) SELECT event IN wanted AS clicks, count() FROM events GROUP BY clicks ORDER BY clicks"],
    ["SELECT event = (SELECT 'click') AS clicks, count() FROM events GROUP BY event = (SELECT 'click') ORDER BY clicks"],
  ])("is the same in the columns: %s", async (query) => {
    const clicks = await golden.value("SELECT count() FROM events WHERE event = 'click'");
    const others = await golden.value("SELECT count() FROM events WHERE event != 'click'");
    expect(await golden.rows(query)).toEqual([
      [false, others],
      [true, clicks],
    ]);
  });
});
