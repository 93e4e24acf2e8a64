import { Exact } from "../model/json.ts";
import type { Random } from "./random.ts";

/** The ids that most events are of. */
export const PEOPLE = ["ana", "bob", "cleo", "anon-1", "anon-2"] as const;

const LONG = "a person of many words, ".repeat(9);

/** Ids that are no short text: numbers that differ only beyond what a double holds, and texts that differ only beyond what is kept. */
const UNUSUAL = [
  new Exact("9007199254740993"),
  9_007_199_254_740_992,
  new Exact("-123456789012345678901"),
  42,
  `${LONG}ana`,
  `${LONG}bob`,
  `${"x".repeat(199)}\u{1F600}`,
] as const;

/** The ids as they are stored. */
export const STORED_IDS = [
  ...PEOPLE,
  ...["9007199254740993", "9007199254740992", "-123456789012345678901", "42", LONG.slice(0, 200), `${"x".repeat(199)}\u{1F600}`],
] as const;

/** The id given, or now and then an unusual one. */
export const idOr = (random: Random, usual: string, probability = 0.15): unknown =>
  random.chance(probability) ? random.pick(UNUSUAL) : usual;

/** A number of an order, of a length at which a double takes one for the other. */
export const anOrder = (random: Random): Exact =>
  new Exact(random.pick(["12345678901234567890", "12345678901234567891", "-0.1234567890123456789"]));
