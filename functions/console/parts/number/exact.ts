import { type ExactNumber, exactJson, isExactNumber } from "../../../../lib/core/exact-json.ts";

/** A browser that cannot write a number by its digits rounds, as all do without being asked. */
const IS_ABLE = typeof JSON.rawJSON === "function";

/** Reads JSON as it was sent: a number that a double would round keeps its digits, and has them where it is written as JSON again. */
export const readExact = (text: string): unknown => (IS_ABLE ? exactJson(text) : JSON.parse(text));

export const isExact = (value: unknown): value is ExactNumber => IS_ABLE && isExactNumber(value);

/** A value in a line, numbers by all their digits. */
export const valueText = (value: unknown): string => (isExact(value) ? value.rawJSON : String(value));
