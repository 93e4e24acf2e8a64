import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "../../lib/hogql/parse.ts";
import type { OpenGolden } from "../golden/harness.ts";
import { CORPUS } from "./corpus/corpus.ts";
import { EXCEPTIONS } from "./exceptions.ts";
import { digestOf, type GoldenCase, PARTS, readGolden, treeOf } from "./golden.ts";
import { openOurs } from "./ours.ts";
import { askOurs, equal } from "./outcome.ts";
import { newProject } from "./project.ts";
import { question } from "./question.ts";

const RENEW = "run `npm run test:clickhouse -- --write`";

let ours: OpenGolden;
let golden: Readonly<Record<string, GoldenCase>>;
beforeAll(async () => {
  ours = await openOurs(newProject());
  golden = Object.assign({}, ...(await Promise.all(PARTS.map(readGolden))));
});
afterAll(() => ours.close());

describe.each(PARTS)("our rows beside ClickHouse's: %s", (part) => {
  const cases = CORPUS.filter((asked) => asked.part === part);

  it.each(cases.map((asked) => [asked.name, asked] as const))("%s", async (name, asked) => {
    const kept = golden[name];
    if (kept === undefined) expect.fail(RENEW);
    expect(kept.digest, RENEW).toBe(digestOf(asked));
    const asks = await question(asked, treeOf(kept));
    const mine = await askOurs(ours, asks);
    const isEqual = equal(asked, asks, mine, kept.theirs);
    if (Object.hasOwn(EXCEPTIONS, name)) expect(isEqual, "a known exception is equal by now").toBe(false);
    else if (!isEqual) expect(mine).toEqual(kept.theirs);
  });
});

it("keeps the trees that the parser gives", async () => {
  const queries = CORPUS.filter((asked) => "query" in asked);
  for (const asked of queries.filter((_, index) => index % SAMPLE === 0)) {
    const kept = golden[asked.name];
    expect(kept && treeOf(kept), asked.name).toEqual(JSON.parse(JSON.stringify(await parse(asked.query))));
  }
});

/** Every so manieth query is parsed again; `npm run test:clickhouse` parses them all. */
const SAMPLE = 25;

it("names no exception that is no case", () => {
  expect(Object.keys(EXCEPTIONS).filter((name) => !CORPUS.some((asked) => asked.name === name))).toEqual([]);
});
