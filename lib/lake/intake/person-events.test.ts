import { describe, expect, it } from "vitest";
import { personSide, withTopLevel } from "./person-events.ts";

const side = (event: string, properties: Record<string, unknown>) => personSide({ event, distinct_id: "ann" }, "ann", properties);
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

describe("what an event changes of its person", () => {
  it("is two hundred properties of each kind, the first ones; the others are counted", () => {
    const within = side("e", { $set: fields(200), $set_once: fields(200), $unset: Object.keys(fields(200)) });
    expect([within.over, within.op?.set, within.op?.setOnce, within.op?.unset?.length]).toEqual([0, fields(200), fields(200), 200]);
    const beyond = side("e", { $set: fields(201), $set_once: fields(203), $unset: Object.keys(fields(207)) });
    expect(beyond.over).toBe(1 + 3 + 7);
    expect([beyond.op?.set, beyond.op?.setOnce, beyond.op?.unset]).toEqual([fields(200), fields(200), Object.keys(fields(200))]);
    expect(side("e", { $set: fields(202), $unset: "no list" })).toMatchObject({ over: 2, op: { setOnce: null, unset: null } });
  });

  it("is nothing where nothing is said that can be carried out", () => {
    for (const properties of [{}, { $set: {}, $set_once: [], $unset: [] }, { $set: "text" }])
      expect(side("e", properties)).toEqual({ mode: "full", properties, op: null, over: 0 });
    expect(side("$exception", { $set: fields(300) })).toMatchObject({ op: null, over: 0 });
    expect(side("$groupidentify", { a: 1, $set_once: fields(300) })).toEqual({ mode: "full", properties: { a: 1 }, op: null, over: 0 });
    const off = { $process_person_profile: false };
    expect(side("e", { ...off, $unset: ["a"] })).toEqual({ mode: "propertyless", properties: off, op: null, over: 0 });
  });

  it("is said at its top, too, which wins", () => {
    const properties = { a: 1, $set: { x: 1, y: 1 }, $set_once: { x: 1, y: 1 }, $unset: ["p", "q"] };
    const top = { $set: { y: 2 }, $set_once: { z: 2 }, $unset: { q: true, r: true } };
    expect(withTopLevel({ event: "e", properties, ...top })).toEqual({
      a: 1,
      $set: { x: 1, y: 2 },
      $set_once: { x: 1, y: 1, z: 2 },
      $unset: ["p", "q", "r"],
    });
    expect(withTopLevel({ event: "e", properties, $set: null })).toBe(properties);
    expect(withTopLevel({ event: "e", properties: { $set: "text" }, $set: { y: 2 } })).toEqual({ $set: { y: 2 } });
    expect(withTopLevel({ event: "e", ...top })).toEqual({ $set: { y: 2 }, $set_once: { z: 2 }, $unset: ["q", "r"] });
  });
});
