import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { aHousehold, ask } from "../../support/worlds/api-world.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
let one: Awaited<ReturnType<typeof endpointWorld>>;

const BY_DAY = "SELECT toDate(timestamp) AS day, count() AS views FROM events WHERE event = {variables.e} GROUP BY day ORDER BY day";
const BY_PERSON = "SELECT distinct_id, count() AS n, max(timestamp) AS last FROM events WHERE event = {variables.e} GROUP BY distinct_id";
const PEOPLE = "SELECT uniq(distinct_id) AS people FROM events";

const saved = async (name: string, text: string, defaults: Readonly<Record<string, unknown>> = {}, more: object = {}) =>
  one.call("POST", "", { name, query: sqlQuery(text, defaults), ...more });

const rows = async (name: string, body: object = { refresh: "force" }) => Object((await one.run(name, body)).json).results;

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
  await one.send(
    Array.from({ length: 6 }, (_, index) => ({
      event: index < 5 ? "seen" : "left",
      distinct_id: `p${index % 2}`,
      at: Date.UTC(2026, 10, 17 + (index % 3), 10),
    })),
  );
  for (const [name, text] of [
    ["day", BY_DAY],
    ["per-person", BY_PERSON],
    ["people", PEOPLE],
  ] as const)
    expect((await saved(name, text, text.includes("{") ? { e: "seen" } : {}, { is_materialized: true })).status).toBe(201);
});

describe("a query that names the table of a saved query's version", () => {
  it("is refused with 400 before that table is made", async () => {
    const refused = { status: 400, json: { attr: "query", detail: expect.stringContaining("Unknown table `day_v1`") } };
    expect(await saved("early", "SELECT count() FROM day_v1")).toMatchObject(refused);
    await one.work();
    expect(await saved("never", "SELECT count() FROM day_v2")).toMatchObject({ status: 400 });
    expect(await saved("late", "SELECT count() FROM day_v1")).toMatchObject({ status: 201 });
  });

  it("is refused with 400 where it names more than ten of them, and says so", async () => {
    const naming = (most: number) => Array.from({ length: most }, (_, at) => `SELECT 1 FROM day_v${at + 1}`).join(" UNION ALL ");
    const refused = {
      status: 400,
      json: { attr: "query", detail: expect.stringContaining("reads 11 tables of other saved queries. Read at most 10") },
    };
    expect(await saved("eleven", naming(11))).toMatchObject(refused);
    expect(await saved("ten", naming(10))).toMatchObject({
      status: 400,
      json: { detail: expect.stringContaining("Unknown table `day_v2`") },
    });
  });

  it("reads its columns by their names, the variables' columns among them, joined and filtered as any", async () => {
    await saved("read", "SELECT e, day, views FROM day_v1 WHERE views > 0 ORDER BY e, day");
    expect(await rows("read")).toEqual([
      ["left", "2026-11-19", 1],
      ["seen", "2026-11-17", 2],
      ["seen", "2026-11-18", 2],
      ["seen", "2026-11-19", 1],
    ]);
    await saved("joined", "SELECT d.views, p.people FROM day_v1 AS d CROSS JOIN people_v1 AS p WHERE d.e = 'left'");
    expect(await rows("joined")).toEqual([[1, 2]]);
  });

  it("sees a row for each group, also where the table is kept in parts of one day each", async () => {
    await saved("whole", "SELECT distinct_id, n, last FROM `per-person_v1` WHERE e = 'seen' ORDER BY distinct_id");
    expect(await rows("whole")).toEqual([
      ["p0", 3, "2026-11-19T10:00:00Z"],
      ["p1", 2, "2026-11-18T10:00:00Z"],
    ]);
    await saved("of-all", "SELECT sum(n) FROM `per-person_v1`");
    expect(await rows("of-all")).toEqual([[6]]);
  });

  it.each([
    ["computed", "SELECT count() * 2 AS twice FROM events", ["twice"], [[12]]],
    ["of-none", "SELECT count() AS n FROM events WHERE event = 'never'", ["n"], [[0]]],
    [
      "of-keys",
      "SELECT upper(event) AS e, count() AS n FROM events GROUP BY event ORDER BY n",
      ["e", "n"],
      [
        ["LEFT", 1],
        ["SEEN", 5],
      ],
    ],
    ["having", "SELECT event, count() AS n FROM events GROUP BY event HAVING n > 1", ["event", "n"], [["seen", 5]]],
    ["limited", "SELECT event, count() AS n FROM events GROUP BY event ORDER BY n DESC LIMIT 1", ["event", "n"], [["seen", 5]]],
  ])("has the columns and rows of a query without variables: %s", async (name, text, columns, expected) => {
    const query = sqlQuery(text, {});
    expect((await one.call("POST", "", { name, query, is_materialized: true })).status).toBe(201);
    await one.work();
    expect(await saved(`of-${name}`, `SELECT * FROM \`${name}_v1\``)).toMatchObject({ status: 201 });
    const { json } = await one.run(`of-${name}`, {});
    expect({ columns: Object(json).columns, rows: Object(json).results.toSorted() }).toEqual({ columns, rows: expected });
  });

  it("has what is kept of a query that computes with its values", async () => {
    const query = { ...sqlQuery("SELECT count() * {factor} AS n FROM events", {}), values: { factor: 3 } };
    expect((await one.call("POST", "", { name: "valued", query, is_materialized: true })).status).toBe(201);
    await one.work();
    expect(await saved("of-valued", "SELECT * FROM valued_v1")).toMatchObject({ status: 201 });
    expect(await rows("of-valued")).toEqual([[6]]);
  });

  it("may have a table of its own", async () => {
    expect(
      (await saved("above", "SELECT sum(views) AS n FROM day_v1 WHERE e = {variables.e}", { e: "seen" }, { is_materialized: true })).status,
    ).toBe(201);
    await one.work();
    const answer = await one.run("above", { variables: { e: "seen" } });
    expect([answer.headers["x-run-path"], Object(answer.json).results]).toEqual(["materialised", [[5]]]);
  });

  it("is refused where the saved query is another project's", async () => {
    const { key } = await aHousehold(one.world, 2);
    const body = { name: "theirs", query: sqlQuery("SELECT count() FROM day_v1") };
    expect(await ask(endpoints, one.world, "POST", "/api/projects/2/endpoints/", { key, body })).toMatchObject({ status: 400 });
  });

  it("fails with 400 once the table is gone", async () => {
    await one.call("PATCH", "day/", { is_materialized: false });
    expect(await one.run("late", { refresh: "force" })).toMatchObject({ status: 400, json: { detail: expect.stringContaining("day_v1") } });
  });
});
