import { expect, it } from "vitest";
import { groupLogs, joinGroups } from "./group-log.ts";

const stated = (time: bigint, index: number, uuid: string, plan: string) => ({
  at: { time, index, uuid },
  slot: 0,
  key: "acme",
  set: { plan },
});
const only = (...ops: Parameters<typeof groupLogs>[0]) => groupLogs(ops).get("0:acme");

it("a group is as old as the first event that states it, and was last changed by the last, in whatever order they come", () => {
  const [first, last] = [stated(1n, 0, "a", "free"), stated(9n, 0, "b", "pro")];
  for (const log of [only(first, last), only(last, first)]) {
    expect(log).toMatchObject({ createdAt: 1n, updatedAt: 9n });
    expect(log?.properties.get("plan")?.value).toBe("pro");
  }
  const [early, late] = [only(first), only(last)];
  if (early === undefined || late === undefined) throw new Error("no group was stated");
  expect(joinGroups(late, early)).toEqual(joinGroups(early, late));
});

it("of two events of one moment the later one of the request counts, whatever their uuids are", () => {
  const [before, after] = [stated(1n, 0, "z", "free"), stated(1n, 1, "a", "pro")];
  expect(only(after, before)?.properties.get("plan")?.value).toBe("pro");
  expect(only(before, after)?.properties.get("plan")?.value).toBe("pro");
});

it("of two copies of one event that differ the same one counts, in whatever order they come", () => {
  const [some, other] = [stated(1n, 0, "a", "free"), stated(1n, 0, "a", "pro")];
  expect(only(some, other)).toEqual(only(other, some));
});
