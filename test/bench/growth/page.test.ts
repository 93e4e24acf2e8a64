import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { growthPage } from "./page.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FIGURES = join(import.meta.dirname, "figures.json");

it("the page on growth says what was measured: `npx vitest run test/bench/growth -u` makes it anew", async () => {
  const figures = Object.entries(JSON.parse(readFileSync(FIGURES, "utf8"))).map(([name, one]) => ({
    ...{ name, unit: "", baseline: "" },
    value: Number(Object(one).value),
  }));
  await expect(growthPage(figures)).toMatchFileSnapshot(join(ROOT, "infra/growth.md"));
  expect(() => growthPage(figures.slice(1))).toThrow("was not measured");
});
