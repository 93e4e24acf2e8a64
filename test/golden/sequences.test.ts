import { describe, expect, it } from "vitest";
import { goldenProject } from "./golden-project.ts";

const golden = goldenProject();

/** The aggregate over rows of a time in seconds and a letter for what happened, such as `1a 3b`. */
const of = async (aggregate: string, rows: string) => {
  const pairs = rows.split(" ").filter((row) => row !== "");
  const list = pairs.map((row) => `(${row.slice(0, -1)}, '${row.slice(-1)}')`).join(", ");
  const from =
    pairs.length === 0 ? "(SELECT 1 AS t, 'a' AS e WHERE 1 = 0)" : `(SELECT r.1 AS t, r.2 AS e FROM (SELECT arrayJoin([${list}]) AS r))`;
  return golden.value(`SELECT ${aggregate} FROM ${from}`);
};

describe("windowFunnel", () => {
  const FUNNEL = "windowFunnel(10)(t, e = 'a', e = 'b', e = 'c')";
  it.each([
    ["", 0],
    ["1b 2c", 0],
    ["1a", 1],
    ["1a 2b 3c", 3],
    ["3c 2b 1a", 3],
    ["1b 2a 3c", 1],
    ["1a 2c 3b", 2],
    ["1a 11b", 2],
    ["1a 12b", 1],
    ["1a 5b 12c", 2],
    ["1a 5a 6b 15c", 3],
    ["1a 5b 9a 14c", 2],
    ["1a 2x 3b 4x 5c", 3],
  ])("of %j is %d", async (rows, steps) => expect(await of(FUNNEL, rows)).toBe(steps));

  it("takes a row for one step only", async () => {
    expect(await of("windowFunnel(10)(t, e = 'a', e = 'a')", "1a")).toBe(1);
    expect(await of("windowFunnel(10)(t, e = 'a', e = 'a')", "1a 2a")).toBe(2);
  });

  it("counts seconds of stamps, per group, with -If", async () =>
    expect(
      await golden.rows(
        "SELECT person_id, windowFunnel(5)(timestamp, event = '$pageview', event = 'click'), windowFunnel(4)(timestamp, event = '$pageview', event = 'click'), windowFunnelIf(5)(timestamp, event = '$pageview', event = 'click', event != 'click') FROM events WHERE distinct_id = 'ann' GROUP BY person_id",
      ),
    ).toEqual([["00000000-0000-5000-8000-00000000000a", 2, 1, 1]]));

  it("wants a time and a whole number of seconds", async () => {
    await expect(golden.rows("SELECT windowFunnel(5)(event, event = 'a') FROM events")).rejects.toMatchObject({
      code: "illegal_type_of_argument",
    });
    await expect(golden.rows("SELECT windowFunnel('x')(timestamp, event = 'a') FROM events")).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});

describe("sequenceMatch and sequenceCount", () => {
  it.each([
    ["(?1)(?2)", "1a 2b", true],
    ["(?1)(?2)", "1a 2c 3b", false],
    ["(?1).*(?2)", "1a 2c 3b", true],
    ["(?1).(?2)", "1a 2c 3b", true],
    ["(?1).(?2)", "1a 3b", false],
    ["(?1)(?2)", "1a 2x 3b", true],
    ["(?1).*(?2)", "1b 2a", false],
    ["(?1)(?2)(?3)", "0c 1a 2b 3c", true],
    ["(?1)", "", false],
  ])("%s in %j: %s", async (pattern, rows, found) =>
    expect(await of(`sequenceMatch('${pattern}')(t, e = 'a', e = 'b', e = 'c')`, rows)).toBe(found),
  );

  it.each([
    ["(?1)(?2)", "1a 2b 3a 4b", 2],
    ["(?1).*(?2)", "1a 2a 3b 4b", 1],
    ["(?1).*(?2)", "1a 2c 3b 4a 5c 6c 7b", 2],
    ["(?1)(?1)", "1a 2a 3a", 1],
    ["(?1)", "", 0],
  ])("%s in %j is found %d times", async (pattern, rows, times) =>
    expect(await of(`sequenceCount('${pattern}')(t, e = 'a', e = 'b', e = 'c')`, rows)).toBe(times),
  );

  it("takes rows of which several conditions hold", async () =>
    expect(await of("sequenceMatch('(?2)(?1)')(t, e = 'a', e IN ('a', 'b'))", "1a 2a")).toBe(true));

  it.each([
    ["(?1)(?t<=3)(?2)", "1a 2c 4b", 1],
    ["(?1)(?t<3)(?2)", "1a 2c 4b", 0],
    ["(?1)(?t<3)(?2)", "1a 3a 4b 5b", 1],
    ["(?1)(?t>3)(?2)", "1a 4b 5b", 1],
    ["(?1)(?t>=3)(?2)", "1a 2b 4a 5b 9b", 1],
    ["(?1)(?t==2)(?2)", "1a 2b 3b", 1],
    ["(?1)(?t<=3)(?2)(?t>2)(?3)", "1a 3b 4b 5c 7c", 1],
    ["(?1)(?2)(?t>=2)(?3).*", "1a 2b 3c 4c", 1],
    ["(?1).*(?t<4)(?2)", "1a 5c 6b", 1],
    ["(?1)(?t<=3)(?2)", "", 0],
  ])("%s in %j is found %d times, with times between rows", async (pattern, rows, times) => {
    expect(await of(`sequenceCount('${pattern}')(t, e = 'a', e = 'b', e = 'c')`, rows)).toBe(times);
    expect(await of(`sequenceMatch('${pattern}')(t, e = 'a', e = 'b', e = 'c')`, rows)).toBe(times > 0);
  });

  it("counts seconds of stamps in times between rows", async () =>
    expect(
      await golden.rows(
        "SELECT sequenceMatch('(?1)(?t<=5)(?2)')(timestamp, event = '$pageview', event = 'click'), sequenceMatch('(?1)(?t<5)(?2)')(timestamp, event = '$pageview', event = 'click') FROM events WHERE distinct_id = 'ann'",
      ),
    ).toEqual([[true, false]]));

  it.each(["(?1)(?t<10)", "(?1)(?t>1)(?t<10)(?2)", "(?t<10)(?1)", "(?1)(?t=1)(?2)", "x", "(?1", "(?3)", ".*", ""])(
    "finds the pattern %j wrong",
    async (pattern) =>
      expect(of(`sequenceMatch('${pattern}')(t, e = 'a', e = 'b')`, "1a")).rejects.toMatchObject({ code: "invalid_input" }),
  );
});

describe("retention", () => {
  it.each([
    ["1a 2b 3c", [1, 1, 1]],
    ["1b 2c", [0, 0, 0]],
    ["3a 1c", [1, 0, 1]],
    ["", [0, 0, 0]],
  ])("of %j is %j", async (rows, flags) => expect(await of("retention(e = 'a', e = 'b', e = 'c')", rows)).toEqual(flags));
});
