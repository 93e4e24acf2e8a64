import { describe, expect, it } from "vitest";
import { boundedLog, MAX_PROPERTIES } from "./bounds.ts";
import type { IdLog, LoggedOp } from "./person-log.ts";

const op = (time: number, said: Partial<LoggedOp>): LoggedOp => ({
  at: { time: BigInt(time), index: 0, uuid: "u" },
  ...{ merge: null, set: null, setOnce: null, unset: null },
  ...said,
});
const logOf = (...ops: readonly LoggedOp[]): IdLog => ({ seen: null, ops, targets: [] });
const fields = (name: string, count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, at]));

describe("the bound of what one id may set", () => {
  it("counts each property of a set_once", () => {
    const { left, dropped } = boundedLog(logOf(op(1, { setOnce: fields("a", MAX_PROPERTIES + 3) })));
    expect([dropped, Object.keys(left.ops[0]?.setOnce ?? {}).length]).toEqual([3, MAX_PROPERTIES]);
  });

  it("leaves no operation that says nothing any more", () => {
    const early = op(1, { unset: ["gone"] });
    const late = op(2, { set: fields("a", MAX_PROPERTIES) });
    const { left, dropped } = boundedLog(logOf(early, late));
    expect(dropped).toBe(1);
    expect(left.ops).toEqual([late]);
  });
});
