import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { buildConsole } from "../../functions/console/build.ts";
import { BEGINNING_FILE } from "../../lib/console/files.ts";

const KB = 1_000;

const files = new Map([...(await buildConsole())].filter(([name]) => name !== BEGINNING_FILE));
const gzipped = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + gzipSync(files.get(name) ?? new Uint8Array()).length, 0);

/** A module and all that it imports at once, by the names within the files. */
const withImports = (name: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(name)) return found;
  found.add(name);
  const text = new TextDecoder().decode(files.get(name));
  for (const [, imported = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) withImports(imported, found);
  return found;
};

const named = (start: string, ending: string): string =>
  [...files.keys()].find((name) => name.startsWith(start) && name.endsWith(ending)) ?? "";

it("is at most 250 KB in all, compressed", () => {
  expect(gzipped(files.keys())).toBeLessThanOrEqual(250 * KB);
});

it("loads at most 100 KB before the first paint of the live view, compressed", () => {
  const first = new Set([...withImports(named("main.", ".js")), ...withImports(named("live.", ".js")), named("style.", ".css")]);
  expect(first).not.toContain("");
  expect(first.size).toBeGreaterThanOrEqual(4);
  expect(gzipped(first)).toBeLessThanOrEqual(100 * KB);
});
