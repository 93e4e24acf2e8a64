import { exactJson } from "../../../lib/core/exact-json.ts";

/**
 * Reads JSON as it was sent: a number that a double would round keeps its digits, and has them where it is written as JSON again. A browser
 * that cannot write a number by its digits rounds, as all do without being asked.
 */
export const readExact = (text: string): unknown => (typeof JSON.rawJSON === "function" ? exactJson(text) : JSON.parse(text));
