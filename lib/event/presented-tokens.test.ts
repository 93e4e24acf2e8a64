import { describe, expect, it } from "vitest";
import { presentedTokens } from "./presented-tokens.ts";

const found = (json: string): readonly string[] => [...presentedTokens(Buffer.from(json))];

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
});
