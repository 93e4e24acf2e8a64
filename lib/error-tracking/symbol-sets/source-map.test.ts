import { expect, it } from "vitest";
import { buildShop } from "../../../test/support/symbols/shop-bundle.ts";
import { hermesMap, sourceAndMap, symbolFile } from "../../../test/support/symbols/symbol-file.ts";
import { linesAround } from "./lines-around.ts";
import { openSourceMap } from "./source-map.ts";

const ROOM = 100_000_000;
const json = (map: object): Buffer => symbolFile(3, Buffer.from(JSON.stringify({ version: 3, names: [], ...map })));

const EMPTY = { version: 3, names: [], sources: [], mappings: "" };
const MANY_FUNCTIONS = [[{ names: ["f"], mappings: "AAA,".repeat(ROOM / 80) }]];

/** Where a text stands in code. */
const placeOf = (code: string, text: string) => {
  const at = code.indexOf(text);
  return { line: code.slice(0, at).split("\n").length - 1, column: at - code.lastIndexOf("\n", at) - 1 };
};

it("a place in built code is one in the sources, with its function and the text around", async () => {
  const built = await buildShop("c");
  const map = openSourceMap(sourceAndMap(built), ROOM);
  const name = /let (\w+)=\(/.exec(built.code)?.[1] ?? "";
  const found = map.locate({ ...placeOf(built.code, "throw new TypeError"), function: name });
  expect(found).toMatchObject({ source: "src/cart.ts", line: 3, column: 30, function: "addPrice", isLibrary: false });
  expect(linesAround(found?.content, 3)).toMatchObject({
    before: [{ number: 2 }, { number: 1, line: "export function total(items: { price: number | null }[]): number {" }],
    line: { number: 3, line: '    if (item.price === null) throw new TypeError("no price");' },
    after: [4, 5, 6, 7, 8].map((number) => ({ number })),
  });
  expect(map.locate({ line: 7, column: 0, function: name })).toBeUndefined();
});

it("what lies in node_modules, or is to be ignored, is a library's", () => {
  const sources = ["../node_modules/a/b.js", "webpack://shop/./src/c.js", "d.js"];
  const map = openSourceMap(json({ sources, mappings: "AAAA,CCAA,CCAA", ignoreList: [2] }), ROOM);
  const at = (column: number) => map.locate({ line: 0, column, function: "" });
  expect([0, 1, 2].map((column) => [at(column)?.source, at(column)?.isLibrary])).toEqual([
    ["node_modules/a/b.js", true],
    ["src/c.js", false],
    ["d.js", true],
  ]);
});

it("a caller's source names what it calls, where its built code calls it the same", async () => {
  const built = await buildShop("c");
  const map = openSourceMap(sourceAndMap(built), ROOM);
  const [, name = ""] = /\bthis\.(\w+)\(/.exec(built.code) ?? [];
  const { line, column } = placeOf(built.code, `this.${name}(`);
  const called = { line, column: column + "this.".length, function: "" };
  expect(map.calledAt(called, name)).toBe("_charge");
  expect(map.calledAt(called, "other")).toBeUndefined();
});

it("a map of byte code names functions by its own list of them", () => {
  // The places of two functions: from the first line, and from the third line's fourth column on.
  const x_facebook_sources = [[{ names: ["<global>", "pay"], mappings: "AAA;ICE" }]];
  const map = openSourceMap(
    hermesMap(JSON.stringify({ version: 3, names: [], sources: ["App.js"], mappings: "AAAA,UAEI", x_facebook_sources })),
    ROOM,
  );
  const at = (column: number) => map.locate({ line: 0, column, function: "r" });
  expect(at(3)).toMatchObject({ source: "App.js", line: 1, column: 1, function: "<global>" });
  expect(at(12)).toMatchObject({ line: 3, column: 5, function: "pay" });
});

it("maps in sections are one map", () => {
  const part = (source: string) => ({ version: 3, names: [], sources: [source], mappings: "AAAA" });
  const sections = [
    { offset: { line: 0, column: 0 }, map: part("a.js") },
    { offset: { line: 4, column: 0 }, map: part("b.js") },
  ];
  const map = openSourceMap(json({ sections }), ROOM);
  expect([0, 4].map((line) => map.locate({ line, column: 0, function: "" })?.source)).toEqual(["a.js", "b.js"]);
});

it.each([
  ["a source that the map does not list", { sources: [], mappings: "AAAA" }],
  ["a line before the first", { sources: ["a.js"], mappings: "AADA" }],
])("a place that leads to %s is none", (_, map) => {
  expect(openSourceMap(json(map), ROOM).locate({ line: 0, column: 0, function: "" })).toBeUndefined();
});

it("a map may say that it has no names and no texts, and in each of its sections what functions there are", () => {
  const x_facebook_sources = [[{ names: ["<global>", "pay"], mappings: "AAA;ICE" }]];
  const part = { version: 3, names: null, sourcesContent: null, sources: ["App.js"], mappings: "AAAA,UAEI", x_facebook_sources };
  const other = { version: 3, sources: ["other.js"], mappings: "AAAA" };
  const [first, second] = [other, part].map((map, line) => ({ offset: { line, column: 0 }, map }));
  const map = openSourceMap(json({ sections: [first, second] }), ROOM);
  expect(map.locate({ line: 1, column: 12, function: "r" })).toMatchObject({
    source: "App.js",
    line: 3,
    function: "pay",
    content: undefined,
  });
});

it("lines end where compilers take them to end", () => {
  const lines = linesAround("a\rb\r\nc\u2028d\u2029e\nf", 5);
  expect([lines?.line.line, lines?.before.map(({ line }) => line), lines?.after.map(({ line }) => line)]).toEqual([
    "e",
    ["d", "c", "b", "a"],
    ["f"],
  ]);
});

it.each([
  ["no JSON", symbolFile(3, Buffer.from("{")), "not valid JSON"],
  ["another version", symbolFile(3, Buffer.from('{"version":2}')), "none of version 3"],
  ["a list of sources with other values", json({ sources: [1], mappings: "" }), "none of version 3"],
  ["no places", json({ sources: [] }), "none of version 3"],
  ["a section that is none", json({ sections: [{}] }), "none of version 3"],
  ["sources to be ignored that are no list", json({ sources: [], mappings: "", ignoreList: 5 }), "none of version 3"],
  ["a section that begins at a text", json({ sections: [{ offset: { line: "0", column: 0 }, map: EMPTY }] }), "none of version 3"],
  ["a section that begins further than any code", json({ sections: [{ offset: { line: 2e9, column: 0 }, map: EMPTY }] }), "too large"],
  ["functions that take more than the map", json({ ...EMPTY, sources: ["a"], x_facebook_sources: MANY_FUNCTIONS }), "too large"],
  ["more values than any bundle has", json({ ...EMPTY, more: Array.from({ length: 2_000_001 }, () => 0) }), "too large"],
  ["code that has more lines than fit", sourceAndMap({ code: "\n".repeat(ROOM / 40), map: JSON.stringify(EMPTY) }), "too large"],
])("a map with %s is refused with a sentence", (_, file, sentence) => {
  expect(() => openSourceMap(file, ROOM)).toThrow(sentence);
});

it("a map that would take more memory than there is, is refused before its places are decoded", () => {
  expect(() => openSourceMap(json({ sources: ["a.js"], mappings: "AAAA,".repeat(10_000) }), 500_000)).toThrow("too large");
});

it("tells each place as soon, however many sources there are", { timeout: 20_000 }, () => {
  const many = 400_000;
  const sources = Array.from({ length: many }, (_, at) => `s${at}.ts`);
  const map = openSourceMap(json({ sources, mappings: `AAAA${",CCAA".repeat(many - 1)}` }), 256 * 1024 * 1024);
  const places = Array.from({ length: 5_000 }, (_, at) => many - 1 - at);
  expect(places.map((column) => map.locate({ line: 0, column, function: "" })?.source)).toEqual(places.map((at) => `s${at}.ts`));
});
