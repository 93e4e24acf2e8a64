import { describe, expect, it } from "vitest";
import { mayNameNewGroup, usedNames } from "./inspect.ts";
import { lower } from "./lower.ts";
import { parse } from "./parse.ts";

const GROUP_TYPES = ["company"];

/** What lowering asks for, and whether it was among the names that were collected before. */
const asked = async (text: string): Promise<readonly string[]> => {
  const ast = await parse(text);
  const used = usedNames([ast]).properties(GROUP_TYPES);
  const found: string[] = [];
  lower(ast, {
    project: 1,
    timezone: "UTC",
    now: 0,
    variables: {},
    page: null,
    groupTypes: GROUP_TYPES,
    propertyType: (owner, name) => {
      const isKnown = used.some((property) => property.name === name && property.owners.includes(owner));
      found.push(`${owner}.${name}${isKnown ? "" : " unknown"}`);
      return undefined;
    },
  });
  return [...new Set(found)];
};

describe("the names that a query uses", () => {
  it.each([
    ["SELECT properties.plan FROM events", ["event.plan"]],
    ["SELECT e.properties['plan'] FROM events AS e", ["event.plan"]],
    [
      "SELECT person.properties.plan, company.properties.size, group_1.properties.x FROM events",
      ["person.plan", "group_0.size", "group_1.x"],
    ],
    ["SELECT properties.plan FROM persons", ["person.plan"]],
    ["SELECT p.plan FROM (SELECT properties AS p FROM events)", ["event.plan"]],
    ["SELECT x.plan FROM (SELECT event, properties FROM events) AS t(e, x)", ["event.plan"]],
    ["WITH t AS (SELECT * FROM events) SELECT t.properties.plan FROM t", ["event.plan"]],
    ["SELECT count() FROM events WHERE arrayExists(x -> x = properties.a, ['1']) GROUP BY properties.b", ["event.a", "event.b"]],
  ])("hold all that lowering asks for: %s", async (text, names) => expect((await asked(text)).toSorted()).toEqual(names.toSorted()));

  it("hold no property when the query has none, so that nothing is read for it", async () => {
    expect(
      usedNames([await parse("SELECT event, count() AS c FROM events WHERE timestamp > now() GROUP BY event ORDER BY c")]).properties([]),
    ).toEqual([]);
  });

  it("tell a name that may be a group type from fields, aliases and arguments", async () => {
    const mayBe = async (text: string) => mayNameNewGroup(usedNames([await parse(text)]), GROUP_TYPES);
    expect(
      await mayBe(
        "SELECT arrayMap(x -> x + 1, [1]) AS a, person.properties.b, session.id, company.key FROM events AS e ORDER BY a, e.uuid",
      ),
    ).toBe(false);
    expect(await mayBe("SELECT team.properties.size FROM events")).toBe(true);
  });
});
