import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { differenceIn } from "./difference-in.ts";
import { FAULTS } from "./faults.ts";

/** Histories of an ordinary test run; `npm run histories -- --histories N` lives more. */
const HISTORIES = 10;

describe("the books of a customer", () => {
  it(`say what the ledger says, figure by figure, in ${HISTORIES} histories of fourteen months`, async () => {
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      expect(await differenceIn(seed, 0), `npm run histories -- --histories 1 --from ${seed}`).toBe(null);
    }
  });
});

describe("each fault that the histories see", () => {
  test.each(FAULTS)("can still be put in: $name", ({ file, original }) => {
    expect(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8").split(original)).toHaveLength(2);
  });
});
