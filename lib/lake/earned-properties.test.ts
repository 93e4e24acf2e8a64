import { describe, expect, it } from "vitest";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../core/time.ts";
import { type EarnedProperty, earnedColumn } from "../event/earned-properties.ts";
import type { Table } from "../ports/table.ts";
import { earnedBy, MAX_EARNED, type NamedProperty, openEarned, readEarned, withNamed } from "./earned-properties.ts";

const PROJECT = 7;
const NOW = 1_000 * DAY_MS;

const text = (property: string): EarnedProperty => ({ property, type: "text" });
const PLAN = text("plan");

/** A query that names properties, as a run lowers it; which of them may have a column. */
const query = async (table: Table, now: number, properties: readonly EarnedProperty[], namedBy = "ad-hoc"): Promise<readonly boolean[]> => {
  const earned = await openEarned(table, PROJECT, now);
  const found = properties.map(earned.hasEarned());
  await earned.note(namedBy);
  return found;
};

const names = (list: readonly EarnedProperty[]): readonly string[] => list.map(({ property }) => property);

/** The table, which counts what is asked of it. */
const counting = () => {
  const table = memoryTable();
  const calls = { reads: 0, writes: 0 };
  const counted: Table = {
    ...table,
    get: (...given) => {
      calls.reads += 1;
      return table.get(...given);
    },
    put: (...given) => {
      calls.writes += 1;
      return table.put(...given);
    },
  };
  return { table: counted, calls };
};

describe("a property that a query names", () => {
  it("is kept with what named it, and has a column for the next query", async () => {
    const table = memoryTable();
    expect(await query(table, NOW, [PLAN, { property: "amount", type: "number" }], 'query "sales"')).toEqual([false, false]);
    expect(await readEarned(table, PROJECT, NOW)).toEqual([
      { property: "plan", type: "text", since: NOW, namedAt: NOW, namedBy: 'query "sales"' },
      { property: "amount", type: "number", since: NOW, namedAt: NOW, namedBy: 'query "sales"' },
    ]);
    expect(await query(table, NOW, [PLAN, { property: "amount", type: "text" }])).toEqual([true, false]);
  });

  it("is written once, and then once a day, however many queries name it; the table is read once a minute", async () => {
    const { table, calls } = counting();
    for (let minute = 0; minute < 60; minute++) await query(table, NOW + minute * MINUTE_MS, [PLAN]);
    expect(calls).toEqual({ reads: 60, writes: 1 });
    for (let times = 0; times < 50; times++) await query(table, NOW + HOUR_MS, [PLAN, text("role")]);
    expect(calls).toEqual({ reads: 61, writes: 2 });
    await query(table, NOW + 2 * DAY_MS, [PLAN]);
    const [plan] = await readEarned(table, PROJECT, NOW + 2 * DAY_MS);
    expect(plan).toMatchObject({ since: NOW, namedAt: NOW + 2 * DAY_MS });
  });

  it("is kept beside those that other processes keep at the same time", async () => {
    const table = memoryTable();
    const [one, other] = [await openEarned({ ...table }, PROJECT, NOW), await openEarned({ ...table, query: table.query }, PROJECT, NOW)];
    one.hasEarned()(PLAN);
    other.hasEarned()(text("role"));
    await Promise.all([one.note("a"), other.note("b")]);
    expect([...names(await readEarned(table, PROJECT, NOW))].sort()).toEqual(["plan", "role"]);
  });

  it("is that of the last lowering, since one that failed for want of a type asks for others", async () => {
    const table = memoryTable();
    const earned = await openEarned(table, PROJECT, NOW);
    earned.hasEarned()(PLAN);
    earned.hasEarned()({ property: "plan", type: "number" });
    await earned.note("ad-hoc");
    expect(await readEarned(table, PROJECT, NOW)).toMatchObject([{ property: "plan", type: "number" }]);
  });

  it("has none where its name is too long or no text, and a query does not fail where it cannot be kept", async () => {
    const table = memoryTable();
    await query(table, NOW, [text("x".repeat(201)), text("\ud800")]);
    expect(await readEarned(table, PROJECT, NOW)).toEqual([]);
    const refusing: Table = { ...table, put: () => Promise.reject(new Error("refused")) };
    expect(await query(refusing, NOW, [PLAN])).toEqual([false]);
  });
});

describe("the list of a project", () => {
  const full = (namedAt: (at: number) => number): readonly NamedProperty[] =>
    Array.from({ length: MAX_EARNED.event }, (_, at) => ({ ...text(`p${at}`), since: 0, namedAt: namedAt(at), namedBy: "ad-hoc" }));

  it("gives the place of the one that was named longest ago to a new one", () => {
    const list = withNamed(
      full((at) => NOW - (at === 5 ? 3 : 2) * DAY_MS),
      [PLAN],
      "ad-hoc",
      NOW,
    );
    expect(list).toHaveLength(MAX_EARNED.event);
    expect(names(list)).toContain("plan");
    expect(names(list)).not.toContain("p5");
  });

  it("stays as it is where all of them were named within a day", () => {
    const list = full(() => NOW - DAY_MS + 1);
    expect(withNamed(list, [PLAN], "ad-hoc", NOW)).toBe(list);
  });

  it("has places of its own for events, persons and groups, who may name their properties alike", async () => {
    const list = full(() => NOW - DAY_MS + 1);
    const plans = [
      { ...PLAN, owner: "person" },
      { ...PLAN, owner: "group" },
    ] as const;
    const after = withNamed(list, [PLAN, ...plans], "ad-hoc", NOW);
    expect([after.length, earnedBy(after, "event").length]).toEqual([MAX_EARNED.event + 2, MAX_EARNED.event]);
    expect(earnedBy(after, "person")).toMatchObject([{ owner: "person", property: "plan" }]);
    const cities = Array.from({ length: 20 }, (_, at) => ({ ...text(`city${at}`), owner: "person" }) as const);
    expect(earnedBy(withNamed(after, cities, "ad-hoc", NOW), "person")).toHaveLength(MAX_EARNED.person);
    const table = memoryTable();
    expect(await query(table, NOW, [plans[0]])).toEqual([false]);
    expect(await query(table, NOW, [PLAN, ...plans])).toEqual([false, true, false]);
  });

  it("loses what nothing named for 90 days", async () => {
    const table = memoryTable();
    await query(table, NOW, [PLAN]);
    await query(table, NOW + 50 * DAY_MS, [text("role")]);
    expect(names(await readEarned(table, PROJECT, NOW + 90 * DAY_MS - 1))).toEqual(["plan", "role"]);
    expect(names(await readEarned(table, PROJECT, NOW + 90 * DAY_MS))).toEqual(["role"]);
    expect(await query(table, NOW + 90 * DAY_MS, [PLAN])).toEqual([false]);
  });
});

it("a column is called by a digest, and never by what a tenant wrote", () => {
  const odd = ["plan", 'a"; DROP', "💩", "", "x".repeat(500)].map((property) => earnedColumn(text(property)).column);
  for (const column of odd) expect(column).toMatch(/^earned_text_[0-9a-f]{24}$/);
  expect(new Set(odd).size).toBe(odd.length);
  expect(earnedColumn({ property: "plan", type: "number" }).column).toBe(odd[0]?.replace("text", "number"));
});
