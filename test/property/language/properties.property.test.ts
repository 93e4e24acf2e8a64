import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { typeOfValue } from "../../../lib/lake/property-types/property-kinds.ts";
import type { PropertyType } from "../../../lib/lake/property-types.ts";
import { goldenProject } from "../../golden/golden-project.ts";
import { type Golden, openGolden } from "../../golden/harness.ts";
import { anEvent, STATE } from "../../golden/project.ts";

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, "\\$&")}'`;

/** Opens a project that has one event with these properties. */
const withProperties = async (properties: Readonly<Record<string, unknown>>, run: (golden: Golden) => Promise<void>): Promise<void> => {
  const golden = await openGolden([anEvent({ at: "2026-01-01T10:00:00Z", properties })], STATE);
  try {
    await run(golden);
  } finally {
    await golden.close();
  }
};

const ODD_NAMES = [
  ...['a"b', "a\\b", "a.b", "a'b", "my key", "ü💩", "*", "**", "$", "$browser", "a[0]", "#", "a\nb", "\u0000x", '"', "\\", '\\"'],
  ...["?", "0", "12", "a/b", "~", "~0", "%s", " lead ", "{x}", "a`b", "\u200b", "toString", "constructor", "$1$", "@0@", "x".repeat(3_000)],
];

describe("a property of any name", () => {
  it("is read at the top, inside another and inside a list", async () => {
    const properties = Object.fromEntries(ODD_NAMES.map((name, at) => [name, `v${at}`]));
    await withProperties({ ...properties, "": "empty", inner: properties, list: [properties] }, async (golden) => {
      const reads = (key: string) => [
        `properties[${key}]`,
        `properties.inner[${key}]`,
        `properties['list'][1][${key}]`,
        `JSONExtractString(properties, 'inner', ${key})`,
      ];
      const columns = ODD_NAMES.flatMap((name) => reads(quoted(name)));
      const expected = ODD_NAMES.flatMap((_, at) => reads("").map(() => `v${at}`));
      expect(await golden.rows(`SELECT ${columns.join(", ")} FROM events`)).toEqual([expected]);
      expect(await golden.value("SELECT properties[''] FROM events")).toBe("empty");
    });
  });

  it("is read whatever random text it is", async () => {
    const text = fc.string({ unit: "binary", maxLength: 12 }).filter((name) => name.isWellFormed());
    const names = fc.sample(text, { numRuns: 60, seed: 11 });
    const properties = Object.fromEntries(names.map((name) => [name, `is ${name}`]));
    await withProperties({ outer: properties }, async (golden) => {
      const columns = names.map((name) => `properties.outer[${quoted(name)}]`);
      expect(await golden.rows(`SELECT ${columns.join(", ")} FROM events`)).toEqual([names.map((name) => `is ${name}`)]);
    });
  });
});

describe("what lies below a property", () => {
  it("is found by keys and places, from the end too, and is NULL where there is none", () =>
    withProperties({ a: { b: [{ c: "deep" }, 7], "2024": "year", e: "" }, n: null }, async (golden) =>
      expect(
        await golden.rows(
          "SELECT properties.a.b[1].c, properties.a['b'][1]['c'], properties.a.b.1.c, properties.a.b[2], properties.a.b[-1], properties.a['2024'], properties.a.b[0], properties.a.b[9], properties.a.b[99999999999999], properties.a.e, properties.n.x, properties.a.missing.x, properties.a.b FROM events",
        ),
      ).toEqual([["deep", "deep", "deep", "7", "7", "year", null, null, null, null, null, null, '[{"c":"deep"},7]']]),
    ));
});

describe("a typed property", () => {
  const typed =
    (types: Readonly<Record<string, PropertyType>>) =>
    (_: string, name: string): PropertyType | undefined =>
      Object.hasOwn(types, name) ? types[name] : undefined;

  it("gives each value back that its type was inferred from", async () => {
    const two = (most: number, least = 0) => fc.integer({ min: least, max: most }).map((number) => String(number).padStart(2, "0"));
    const day = fc
      .tuple(fc.integer({ min: 1, max: 9999 }), two(12, 1), two(31, 1))
      .map(([year, month, date]) => `${String(year).padStart(4, "0")}-${month}-${date}`);
    const clock = fc
      .tuple(two(23), two(59), two(59), fc.constantFrom("", ".5", ".123", ".123456", ".123456789"))
      .map(([h, m, s, f]) => `${h}:${m}:${s}${f}`);
    const zone = fc.oneof(
      fc.constantFrom("", "Z"),
      fc.tuple(fc.constantFrom("+", "-"), two(14), two(59)).map(([sign, h, m]) => `${sign}${h}:${m}`),
    );
    const time = fc.oneof(
      day,
      fc.tuple(day, fc.constantFrom("T", " "), clock, zone).map((parts) => parts.join("")),
    );
    const times = fc.sample(time, { numRuns: 400, seed: 3 }).filter((text) => typeOfValue(text) === "DateTime");
    const numbers = [
      ...fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: 200, seed: 4 }),
      0,
      -1,
      1e21,
      2 ** 53,
      5e-324,
    ];
    const values = [...times.map((when) => ({ when })), ...numbers.map((price) => ({ price }))];
    const events = values.map((properties, at) => anEvent({ at: "2026-01-01T10:00:00Z", properties }, at));
    const propertyType = typed({ when: "DateTime", price: "Numeric" });
    expect(times.length).toBeGreaterThan(300);
    const golden = await openGolden(events, STATE);
    try {
      for (const timezone of ["UTC", "America/New_York"]) {
        const unread = "SELECT JSONExtractString(properties, 'when') AS sent FROM events WHERE sent != '' AND isNull(properties.when)";
        expect(await golden.rows(unread, { propertyType, timezone })).toEqual([]);
      }
      const read = await golden.rows("SELECT properties.price AS price FROM events WHERE isNotNull(price) ORDER BY uuid LIMIT 1000", {
        propertyType,
      });
      expect(read).toEqual(numbers.map((number) => [number + 0]));
    } finally {
      await golden.close();
    }
  });

  it("is compared, sorted and added up as what it is", () =>
    withProperties({ price: 9, ok: true, when: "2026-01-31T10:00:00+02:00", day: "2026-01-31", text: "9" }, async (golden) => {
      const propertyType = typed({ price: "Numeric", ok: "Boolean", when: "DateTime", day: "DateTime", text: "String" });
      expect(
        await golden.rows(
          "SELECT properties.price + 1, properties.price > 10, properties.price = '9', properties.ok, properties.ok = 'true', properties.when, toDate(properties.day), properties.when > '2026-01-31 07:59:59', properties.text FROM events",
          { propertyType },
        ),
      ).toEqual([[10, false, true, true, true, "2026-01-31T08:00:00Z", "2026-01-31", true, "9"]]);
      expect(
        (await golden.lowered("SELECT properties.price, properties.ok, properties.when FROM events", { propertyType })).columns,
      ).toEqual([
        { name: "price", type: "Nullable(Float64)" },
        { name: "ok", type: "Nullable(Bool)" },
        { name: "when", type: "Nullable(DateTime64(6))" },
      ]);
    }));

  it("is NULL where a value is of another type after all", () =>
    withProperties({ price: "n/a", ok: "maybe", when: "soon" }, async (golden) =>
      expect(
        await golden.rows("SELECT properties.price, properties.ok, properties.when FROM events", {
          propertyType: typed({ price: "Numeric", ok: "Boolean", when: "DateTime" }),
        }),
      ).toEqual([[null, null, null]]),
    ));
});

describe("properties of others", () => {
  const golden = goldenProject([anEvent({ at: "2026-01-01T10:00:00Z", who: "ann", session: "s", groups: ["acme"] })], {
    ...STATE,
    groups: `SELECT 0 AS "index", 'acme' AS "key", TIMESTAMPTZ '2026-01-01 00:00:00+00' AS created_at, TIMESTAMPTZ '2026-01-01 00:00:00+00' AS updated_at, '{"seats":12,"plan":{"a b":"gold"}}' AS properties`,
  });

  it("have the types that their owner's have", async () => {
    const asked: string[] = [];
    const propertyType = (owner: string, name: string): PropertyType | undefined => {
      asked.push(`${owner} ${name}`);
      return name === "age" || (name === "seats" && owner === "group_0") ? "Numeric" : undefined;
    };
    const options = { propertyType, groupTypes: ["company"] };
    expect(
      await golden.rows(
        "SELECT person.properties.age + 1, group_0.properties.seats + 1, company.properties.seats * 2, company.properties.plan['a b'] FROM events",
        options,
      ),
    ).toEqual([[42, 13, 24, "gold"]]);
    expect([...new Set(asked)]).toEqual(["person age", "group_0 seats"]);
    expect(await golden.rows("SELECT properties.seats + 1 FROM groups", options)).toEqual([[13]]);
  });

  it("are text in the table of all groups when slots disagree", async () => {
    const propertyType = (owner: string): PropertyType | undefined =>
      owner === "group_0" ? "Numeric" : owner === "group_1" ? "String" : undefined;
    expect(await golden.rows("SELECT properties.seats FROM groups", { propertyType })).toEqual([["12"]]);
  });
});
