import { expect, it } from "vitest";
import { namingValues, redactor } from "./redact.ts";

it("a name goes where it stands by itself, in any case, and stays a part of longer words", () => {
  const { text } = redactor(["ana", "Ana.Doe@example.test", "u1"]);
  expect(text("No account for ana.doe@EXAMPLE.test, sorry")).toBe("No account for [erased], sorry");
  expect(text("banana")).toBe("banana");
  expect(text("u1 is short")).toBe("u1 is short");
  expect(text("u1")).toBe("[erased]");
});

it("a text of JSON stays one, whatever the name", () => {
  const name = 'a "quoted" \\ id';
  const json = JSON.stringify({ message: `cannot find ${name}`, at: 7 });
  expect(JSON.parse(redactor([name]).json(json))).toEqual({ message: "cannot find [erased]", at: 7 });
});

it("thousands of names, and signs that patterns know, are literal", () => {
  const names = Array.from({ length: 2_500 }, (_, at) => `id.*+(${at})`);
  expect(redactor(names).text("seen id.*+(2499)")).toBe("seen [erased]");
  expect(redactor(["a.b.c"]).text("aXbXc")).toBe("aXbXc");
});

it("of a person's properties those that name them are looked for", () => {
  const properties = new Map<string, unknown>([
    ["email", "ana@example.test"],
    ["$name", "Ana Doe"],
    ["plan", "premium"],
    ["phone", 12],
    ["name", "Ana"],
  ]);
  expect(namingValues(properties)).toEqual(["ana@example.test", "Ana Doe"]);
});
