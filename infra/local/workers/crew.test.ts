import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type HandSigns, openCrew } from "./crew.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A crew of two, and what its hands were told, in order. */
const aCrew = () => {
  const told: string[] = [];
  const hands: HandSigns[] = [];
  const crew = openCrew(2, (signs) => {
    const number = hands.push(signs);
    return { run: () => void told.push(`run ${number}`), end: () => void told.push(`end ${number}`) };
  });
  return { crew, told, hand: (number: number) => hands[number - 1] };
};

it("a second hand is hired once the first is at work, and no third", () => {
  const { crew, told, hand } = aCrew();
  crew.start();
  crew.start();
  expect(told).toEqual(["run 1"]);
  hand(1)?.begun();
  crew.start();
  hand(2)?.begun();
  crew.start();
  expect(told).toEqual(["run 1", "run 2"]);
});

it("a hand that is through runs again, and is let go when nobody needed it for a minute", () => {
  const { crew, told, hand } = aCrew();
  crew.start();
  hand(1)?.begun();
  hand(1)?.through();
  vi.advanceTimersByTime(59_999);
  crew.start();
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(["run 1", "run 1"]);
  hand(1)?.through();
  vi.advanceTimersByTime(60_000);
  crew.start();
  expect(told).toEqual(["run 1", "run 1", "end 1", "run 2"]);
});
