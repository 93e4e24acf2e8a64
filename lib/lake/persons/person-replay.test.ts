import { describe, expect, it } from "vitest";
import { logsOf } from "./person-log.ts";
import { replay } from "./person-replay.ts";

const at = (time: number) => ({ time: BigInt(time), index: 0, uuid: "u" });
const seen = { first: at(1), last: 1n };
const both = { at: at(1), merge: null, set: { plan: "pro" }, setOnce: null, unset: ["plan"] };

describe("an event that sets and unsets one property", () => {
  it("leaves it unset, as the last of its three changes is the removal", () => {
    const [person] = replay(new Map([["ann", { seen, ops: [both], targets: [] }]]));
    expect(person?.properties).toEqual(new Map());
  });

  it("leaves only the removal in the log: the value can never count", () => {
    const log = logsOf([{ seen: [], persons: [{ id: "ann", ...both }] }]).get("ann");
    expect(log?.ops).toEqual([{ ...both, set: null }]);
  });
});
