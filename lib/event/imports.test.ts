import { expect, it } from "vitest";
import { importIdOf, importOfRequest, isImportName, MAX_IMPORT_NAME, requestOfImport } from "./imports.ts";

it("a request of an import has the form of every request id, and says whose it is", () => {
  const id = importIdOf("old shop");
  const request = requestOfImport(id, "0123456789abcdef0123456789abcdef");
  expect(request).toMatch(/^[0-9a-f]{32}$/);
  expect(importOfRequest(request)).toBe(id);
  expect(requestOfImport(id, "f".repeat(64))).not.toBe(request);
});

it("imports of different names have different ids, and any text may name one", () => {
  expect(importIdOf("old shop")).not.toBe(importIdOf("old shop 2"));
  expect(importIdOf("\ud800")).toBe(importIdOf("\ufffd"));
});

it.each([
  ["a", true],
  ["x".repeat(MAX_IMPORT_NAME), true],
  ["x".repeat(MAX_IMPORT_NAME + 1), false],
  ["", false],
  [7, false],
])("%j names an import: %s", (value, expected) => {
  expect(isImportName(value)).toBe(expected);
});
