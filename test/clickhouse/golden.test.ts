import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Golden } from "../golden/harness.ts";
import type { Part } from "./corpus/case.ts";
import { CORPUS } from "./corpus/corpus.ts";
import { EXCEPTIONS } from "./exceptions.ts";
import { PARTS, readGolden } from "./golden.ts";
import { openOurs } from "./ours.ts";
import { askOurs, equal, type Outcome } from "./outcome.ts";
import { newProject } from "./project.ts";
import { question } from "./question.ts";

let ours: Golden;
beforeAll(async () => {
  ours = await openOurs(newProject());
});
afterAll(() => ours.close());

describe.each(PARTS)("rows that ClickHouse gave: %s", (part: Part) => {
  const cases = CORPUS.filter((asked) => asked.part === part);

  it.each(cases.map((asked) => [asked.name, asked] as const))("%s", async (name, asked) => {
    const theirs: Outcome | undefined = (await golden(part))[name];
    expect(theirs, "run `npm run test:clickhouse -- --write`").toBeDefined();
    const asks = await question(asked);
    const mine = await askOurs(ours, asks);
    const isEqual = theirs !== undefined && equal(asked, asks, mine, theirs);
    if (Object.hasOwn(EXCEPTIONS, name)) expect(isEqual, "a known exception is equal by now").toBe(false);
    else if (!isEqual) expect(mine).toEqual(theirs);
  });
});

const kept = new Map<Part, Promise<Readonly<Record<string, Outcome>>>>();
const golden = (part: Part) => {
  const known = kept.get(part) ?? readGolden(part);
  kept.set(part, known);
  return known;
};
