import { expect, it } from "vitest";
import { importing, sleepy } from "../bench/cost/loads.ts";
import { withinRights } from "../bench/cost/within-rights.ts";
import { memoryTable } from "../simulation/ports/table.ts";

const NOTHING = {};
/** What compaction replaced is deleted after a day. */
const RETIRED_HOURS = 26;

it("lets the functions do all that an import needs, from the request to the last clean-up", async () => {
  const { amounts } = await importing(NOTHING, 4_000, RETIRED_HOURS);
  expect(amounts.objectWrites).toBeGreaterThan(10);
});

it("lets the functions do all that live events need, over the hours", async () => {
  const { amounts } = await sleepy(NOTHING, { projects: 2, hours: 2, standsFor: 2 });
  expect(amounts.tableWrites).toBeGreaterThan(100);
});

it("lets ingest keep the accounts of any project, and change nothing else of it", async () => {
  const table = withinRights(memoryTable(), () => "ingest-live");
  const account = { pk: "project#7#accounts", sk: "account#1" };
  await table.put(account);
  await table.transact([{ kind: "remove", key: account }]);
  for (const pk of ["project#7", "project#7#accounts#1", "organization#project#7#accounts"])
    await expect(table.put({ pk, sk: "a" })).rejects.toThrow(`may not write ${pk}`);
});
