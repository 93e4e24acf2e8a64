import * as fc from "fast-check";
import { describe, it } from "vitest";
import { history } from "./history.ts";
import { live } from "./live.ts";

/** Histories of an ordinary test run; `npm run histories -- --histories N` lives more. */
const HISTORIES = 15;

describe("the books of a customer", () => {
  it(`say what the ledger says, figure by figure, in ${HISTORIES} histories of fourteen months`, async () => {
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      await fc.assert(fc.asyncProperty(history, live), { seed, numRuns: 1, interruptAfterTimeLimit: 60_000 });
    }
  });
});
