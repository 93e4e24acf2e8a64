import { expect, it } from "vitest";
import { pathText } from "./path.ts";

it.each([
  [["properties", "$exception_list", 0, "type"], "properties.$exception_list[0].type"],
  [["properties", "odd name"], 'properties["odd name"]'],
  [["properties", "a.b"], 'properties["a.b"]'],
  [["0"], '["0"]'],
  [["größe"], "größe"],
  [[2], "[2]"],
  [[], ""],
])("writes %j as %s", (path, text) => {
  expect(pathText(path)).toBe(text);
});
