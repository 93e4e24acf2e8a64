import { expect, it } from "vitest";
import { differenceList, functionTable, readReadme, sectionOf } from "./readme.ts";

it.each([
  ["functions", functionTable()],
  ["differences", differenceList()],
])("the %s in the language's README are those of the code: `npm run test:clickhouse -- --readme` renews them", async (section, text) => {
  expect(sectionOf(await readReadme(), section)).toBe(text);
});
