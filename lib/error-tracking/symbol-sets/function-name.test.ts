import { describe, expect, it } from "vitest";
import { ownName, placeOfDefinition } from "./function-name.ts";

it.each([
  ["a", "a"],
  ["new a", "a"],
  ["async a", "a"],
  ["Object.a [as b]", "a"],
  ["n.r", "r"],
  ["b.prototype.c", "c"],
  ["a/<", "a"],
  ["async*a", "a"],
  ["e.#t", "#t"],
  ["<anonymous>", undefined],
  ["?", undefined],
  ["", undefined],
])("an engine's %j is the function %j", (said, name) => expect(ownName(said)).toBe(name));

/** Code with the place of a frame marked by `^` and that of the name which it must find by `|`. */
const found = (marked: string, name: string): string | undefined => {
  const code = marked.replace(/[|^]/g, "");
  const from = marked.replace("|", "").indexOf("^");
  const at = placeOfDefinition(code, from, name);
  return at === undefined ? undefined : `${code.slice(0, at)}|${code.slice(at, from)}^${code.slice(from)}`;
};

describe("the name of the function around a place", () => {
  it.each([
    ["a function", "function |a(e){return ^e.b}", "a"],
    ["one that makes its values one by one", "function*|a(e){yield ^e}", "a"],
    ["an arrow with a body", "var |a=(e,t)=>{throw ^e}", "a"],
    ["an arrow without one, behind whose braces the place lies", "var |a=e=>b([{c:1}],^e)", "a"],
    ["an asynchronous arrow", "let |a=async e=>{await ^e}", "a"],
    ["a function that is assigned", "x.prototype.|a=function(e){^e()}", "a"],
    ["a method", "class X{b(){}|a(e,t=(1)){if(e)throw ^t}}", "a"],
    ["a private method", "class X{async #|a(){^b()}}", "a"],
    ["a method of an object", "x={get |a(){return ^b}}", "a"],
    ["a class", "class |a extends X{constructor(){super(),^b()}}", "a"],
    ["the outer one, where an inner one of the same name has ended", "function |a(e){function a(t){return t}return ^a(e)}", "a"],
    ["the inner one, where it has not", "function a(e){function |a(t){return ^t}}", "a"],
  ])("is found in %s", (_, marked, name) => expect(found(marked, name)).toBe(marked));

  it.each([
    ["is called before, and not made", "a(e),^b()", "a"],
    ["is a part of another name", "function ba(){^b()}", "a"],
    ["has ended", "function a(){b()}^c()", "a"],
    ["is made behind it", "^b();function a(){}", "a"],
    ["is a word of the language", "if(a){^b()}", "if"],
  ])("is not found where it %s", (_, marked, name) => expect(found(marked, name)).toBeUndefined());

  it("is looked for in bounded time, however often the name stands there", () => {
    const code = "a=e=>{};".repeat(500_000);
    const began = process.cpuUsage();
    expect(placeOfDefinition(code, code.length, "a")).toBeUndefined();
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000);
  });
});

it.each([`${"a".repeat(900_000)}(`, `${"/".repeat(900_000)}(`, " [as ".repeat(180_000)])(
  "what is too long for a name is none, at once",
  (said) => {
    const began = performance.now();
    expect(ownName(said)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(1_000);
  },
);
