import { beforeAll, describe, expect, it } from "vitest";
import { type Answered, KEYED, keylessPlatform, keylessRoutes, listedKeyless, registeredKeyless } from "./keyless-routes.ts";

/** Calls of the table that a request of nobody's may make: a look for a key or link, and counting it at a rate. */
const MOST_TABLE_CALLS = 2;
/** The largest answer is the API's description. */
const MOST_ANSWER_BYTES = 1_000_000;

describe("every route that can be reached without a key", () => {
  it("is in the list, with the dearest requests to it that are known", () => {
    expect(listedKeyless.toSorted()).toEqual([...registeredKeyless(), KEYED].toSorted());
  });

  let answers: readonly { readonly name: string; readonly answered: Answered }[] = [];
  beforeAll(async () => {
    const ask = keylessPlatform();
    const all: { name: string; answered: Answered }[] = [];
    for (const { name, requests } of keylessRoutes()) {
      expect(requests, name).not.toEqual([]);
      for (const asked of requests) all.push({ name, answered: await ask(name, asked) });
    }
    answers = all;
  });

  it("asks nothing of a platform but a few looks into the table, and is never a fault", () => {
    const dear = answers.filter(
      ({ answered: { status, tableCalls, bytes } }) => status >= 500 || tableCalls > MOST_TABLE_CALLS || bytes > MOST_ANSWER_BYTES,
    );
    expect(dear).toEqual([]);
    expect(answers.some(({ answered: { tableCalls } }) => tableCalls > 0)).toBe(true);
  });
});
