import { describe, expect, it } from "vitest";
import { named, quoted, suggestions } from "./completion.ts";
import { faultPlace } from "./fault-place.ts";
import { sqlQuery, variableNames } from "./variables.ts";
import type { Vocabulary } from "./vocabulary.ts";

const term = (name: string) => ({ name, detail: "" });
const vocabulary: Vocabulary = {
  cut: { events: false, properties: false, personProperties: false },
  events: [term("signup")],
  properties: [term("$browser"), term("a b")],
  personProperties: [term("plan")],
  tables: [{ name: "events", columns: ["event", "timestamp"] }],
  functions: [term("count")],
};

/** The names that are suggested where `|` stands, and the text that they replace. */
const at = (text: string) => {
  const place = text.indexOf("|");
  const found = suggestions(text.replace("|", ""), place, vocabulary);
  return found && { replaces: text.slice(found.from, place), names: found.options.map(({ label }) => label) };
};

describe("suggestions", () => {
  it("are names of events in a text beside `event`", () => {
    expect(at("SELECT 1 WHERE event = 'si|'")).toEqual({ replaces: "si", names: ["signup"] });
    expect(at("SELECT 'it\\'s' WHERE event IN ('a', 'si|")).toEqual({ replaces: "si", names: ["signup"] });
    expect(at("SELECT 1 WHERE distinct_id = 'si|'")).toBeUndefined();
  });

  it("are properties and columns behind their dot", () => {
    expect(at("SELECT properties.$b|")).toEqual({ replaces: "$b", names: ["$browser", "a b"] });
    expect(at("SELECT e.properties.|")).toEqual({ replaces: "", names: ["$browser", "a b"] });
    expect(at("SELECT person.properties.pl|")?.names).toEqual(["plan"]);
    expect(at("SELECT events.|")?.names).toEqual(["event", "timestamp"]);
    expect(at("SELECT other.|")).toBeUndefined();
  });

  it("are elsewhere the words of the language", () => {
    expect(at("SELECT 'text', co|")).toMatchObject({
      replaces: "co",
      names: expect.arrayContaining(["count", "events", "timestamp", "SELECT"]),
    });
  });

  it("are written as the language has them", () => {
    expect([quoted("it's"), quoted("a\\b")]).toEqual(["'it\\'s'", "'a\\\\b'"]);
    expect([named("$browser"), named("a b")]).toEqual(["$browser", "`a b`"]);
  });
});

it("finds the place in a sentence of the API, and leaves out the excerpt", () => {
  const sentence = "Invalid HogQL query: Unknown function `cont`. (line 2, column 8)\n evnt, cont()\n       ^";
  expect(faultPlace(sentence)).toEqual({ line: 2, column: 8, sentence: "Invalid HogQL query: Unknown function `cont`." });
  expect(faultPlace("The query takes too long.")).toBeUndefined();
});

describe("variables", () => {
  it("are named once each, and not in texts or comments", () => {
    expect(variableNames("{variables.b} { variables.a } {variables.b} '{variables.c}' -- {variables.d}\n/* {variables.e} */")).toEqual([
      "b",
      "a",
    ]);
  });

  it("are sent as what they read as", () => {
    const sent = ["5", "true", '"5"', "[1]", "signup", "", "2026-01-01"].map((typed) => sqlQuery("SELECT {variables.x}", { x: typed }));
    expect(sent.flatMap(({ variables }) => Object.values(variables ?? {})).map(({ value }) => value)).toEqual([
      5,
      true,
      "5",
      [1],
      "signup",
      "",
      "2026-01-01",
    ]);
  });

  it("are defined in the query under ids of their own", () => {
    expect(sqlQuery("SELECT 1", { x: "1" })).toEqual({ kind: "HogQLQuery", query: "SELECT 1" });
    const id = "00000000-0000-4000-8000-000000000001";
    expect(sqlQuery("SELECT {variables.x}", { x: "1" }).variables).toEqual({ [id]: { variableId: id, code_name: "x", value: 1 } });
  });
});
