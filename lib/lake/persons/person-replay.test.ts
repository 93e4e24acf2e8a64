import { describe, expect, it } from "vitest";
import { type IdLog, type LoggedOp, logsOf } from "./person-log.ts";
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

describe("two events at one place of the order", () => {
  const setting: LoggedOp = { ...both, unset: null };
  const merging: LoggedOp = { ...setting, merge: { kind: "identify", source: "ann" }, set: null };

  it("give the same ids to the same persons whether or not what one of them sets is known", () => {
    const rootsWith = (ops: readonly LoggedOp[]) => {
      const logs = new Map<string, IdLog>();
      logs.set("bob", { seen, ops: [merging], targets: [] }).set("ann", { seen, ops, targets: ["bob"] });
      return replay(logs).map(({ root, ids }) => ({ root, ids: ids.toSorted() }));
    };
    expect(rootsWith([])).toEqual([{ root: "ann", ids: ["ann", "bob"] }]);
    expect(rootsWith([setting])).toEqual(rootsWith([]));
  });
});
