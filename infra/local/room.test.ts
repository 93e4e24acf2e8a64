import { describe, expect, it } from "vitest";
import { openRoom } from "./room.ts";

/** A room with the names of those that gave way. */
const setUp = (maxBytes: number, ordinaryBytes?: number) => {
  const room = openRoom(maxBytes, ordinaryBytes);
  const gone: string[] = [];
  return { gone, enter: (name: string) => room.enter(name.charAt(0), () => gone.push(name)) };
};

describe("a room", () => {
  it("is full with what it holds, however small its parts", () => {
    const { gone, enter } = setUp(100);
    for (let each = 0; each < 100; each += 1) expect(enter(`a${each}`).grow(1)).toBe(true);
    expect([enter("a100").grow(1), gone]).toEqual([true, ["a0"]]);
  });

  it("is made by the oldest of whoever holds the most, and not by others", () => {
    const { gone, enter } = setUp(100);
    const [victim, first, second] = [enter("v1"), enter("a1"), enter("a2")];
    expect([victim.grow(20), first.grow(30), second.grow(40)]).toEqual([true, true, true]);
    expect([victim.grow(40), gone]).toEqual([true, ["a1"]]);
    expect([second.grow(61), gone]).toEqual([false, ["a1", "a2"]]);
    expect(enter("b1").grow(60)).toBe(true);
  });

  it("is not left by what is kept, and is free again once it leaves", () => {
    const { gone, enter } = setUp(100);
    const kept = enter("a1");
    kept.grow(90);
    kept.keep();
    expect([enter("b1").grow(20), gone]).toEqual([false, ["b1"]]);
    kept.leave();
    kept.leave();
    expect([enter("b2").grow(100), gone]).toEqual([true, ["b1"]]);
  });

  it("is never filled by what is large alone", () => {
    const { gone, enter } = setUp(800, 10);
    const large = enter("a1");
    expect(large.grow(700)).toBe(true);
    large.keep();
    expect([enter("a2").grow(11), enter("b1").grow(10), gone]).toEqual([false, true, ["a2"]]);
  });
});
