import { describe, expect, it } from "vitest";
import { presentedTokens } from "./presented-tokens.ts";

const found = (json: string, most = 4): readonly string[] => presentedTokens(Buffer.from(json), most).tokens;

describe("the tokens that a text may have", () => {
  it.each([
    ["an envelope", '{"api_key":"a","batch":[{"event":"e","token":"no","properties":{"token":"no"}}]}', ["a"]],
    ["an envelope that ends with it", '{"batch":[{"properties":{"a":{"token":"no"}}}],"api_key":"a"}', ["a"]],
    ["an envelope by another name", '{"sent_at":"","token":"a","batch":[]}', ["a"]],
    ["a single event", '{"event":"e","properties":{"b":[{"token":"no"}],"token":"a"}}', ["a"]],
    ["a list", '[{"event":"e","token":"a"},{"$token":"b"},{"api_key":"c"}]', ["a", "b", "c"]],
    ["a list with properties", '[{"properties":{"$set":{"token":"no"},"token":"a"},"token":"b"}]', ["a", "b"]],
    ["other objects of an event", '[{"$set":{"token":"no"},"properties":{"api_key":"no"}}]', []],
    ["values that look like names", '{"event":"token","distinct_id":"api_key"}', []],
    ["values that are no text", '{"token":1,"api_key":null,"$token":["no"]}', []],
    ["escapes", '{"a":"\\"","api_key":"\\u0061"}', ["a"]],
    ["white space", ' {\n "api_key" : "a" }', ["a"]],
    ["a text that is cut in a token", '{"event":"e","api_key":"a', []],
    ["a text that is cut behind one", '{"api_key":"a","batch":[{', ["a"]],
    ["no object", '"token"', []],
    ["nothing", "", []],
  ])("%s", (_name, json, tokens) => {
    expect(found(json)).toEqual(tokens);
  });

  it("are each told once, and no more than are asked for", () => {
    const list = '[{"token":"a"},{"token":"a"},{"token":"b"},{"token":"c"}]';
    expect(found(list)).toEqual(["a", "b", "c"]);
    expect(found(list, 2)).toEqual(["a", "b"]);
  });
});

describe("a batch", () => {
  it.each([
    ["of an envelope", '{"batch":[{}]}', true],
    ["behind something else", '{"a":{"b":["batch"]},"batch":[]}', true],
    ["in an event", '{"event":"e","properties":{"batch":[]}}', false],
    ["in a list", '[{"batch":[]}]', false],
    ["that is a value", '{"event":"batch"}', false],
  ])("%s", (_name, json, namesBatch) => {
    expect(presentedTokens(Buffer.from(json), 1).namesBatch).toBe(namesBatch);
  });
});

describe("bounds", () => {
  const BOUNDS = { maxDepth: 3, maxValues: 5 };
  it.each([
    ["as deep as may be", '{"a":{"b":[]},"token":"a"}', { tokens: ["a"], beyond: undefined }],
    ["too deep", '{"a":{"b":[[]]},"token":"a"}', { tokens: [], beyond: "depth" }],
    ["as many as may be", '{"a":[1,2],"token":"a"}', { tokens: ["a"], beyond: undefined }],
    ["too many", '{"a":[1,2,3,4,5],"token":"a"}', { tokens: [], beyond: "values" }],
    ["in a string", '{"a":"[[[[,,,,,,","token":"a"}', { tokens: ["a"], beyond: undefined }],
  ])("%s", (_name, json, expected) => {
    expect(presentedTokens(Buffer.from(json), 4, BOUNDS)).toMatchObject(expected);
  });
});
