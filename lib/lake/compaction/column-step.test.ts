import { describe, expect, it } from "vitest";
import { aFile } from "../../../test/support/samples/small-lake.ts";
import { DAY_MS } from "../../core/time.ts";
import { earnedColumn } from "../../event/earned-properties.ts";
import type { NamedProperty } from "../earned-properties.ts";
import { columnStep } from "./column-step.ts";

const NOW = 1_000 * DAY_MS;

const named = (property: string, since = NOW - DAY_MS): NamedProperty => ({
  ...{ property, type: "text", since, namedAt: NOW, namedBy: "ad-hoc" },
});
const [PLAN, ROLE] = [named("plan"), named("role")];
const having = (name: string, day: number, ...properties: readonly NamedProperty[]) => ({
  ...aFile(name),
  days: [day, day] as const,
  ...(properties.length > 0 && { earned: properties.map((property) => earnedColumn(property).column) }),
});

describe("the step that brings columns into older files", () => {
  it("takes the newest file that lacks one, by itself", () => {
    const files = [having("old", 1), having("newer", 3, PLAN), having("both", 5, ROLE, PLAN), having("new", 4, PLAN)];
    const keysOf = (earned: readonly NamedProperty[]) =>
      columnStep({ files }, earned, NOW)?.merges.map((merge) => merge.map(({ key }) => key));
    expect(keysOf([PLAN])).toEqual([["old"]]);
    expect(keysOf([PLAN, ROLE])).toEqual([["new"]]);
    expect(columnStep({ files }, [PLAN], NOW)).toMatchObject({ shape: "one", into: "files", seals: false });
  });

  it("is none where all files have all columns, and where the property was first named within a day", () => {
    expect(columnStep({ files: [having("a", 1, PLAN, ROLE)] }, [PLAN], NOW)).toBeNull();
    expect(columnStep({ files: [having("a", 1)] }, [named("plan", NOW - DAY_MS + 1)], NOW)).toBeNull();
    expect(columnStep({ files: [having("a", 1)] }, [], NOW)).toBeNull();
  });
});
